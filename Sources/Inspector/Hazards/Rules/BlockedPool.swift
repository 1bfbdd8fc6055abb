import InspectorColumns

/// Swift tasks that were ready and had no thread, while every thread of the pool was blocked in a task. The
/// pool has about a thread for each processor, and adds none for those that block.
enum BlockedPool: HazardRule {
    static let name = "blocked-pool"
    static let meaning = "Swift tasks had no thread, while every thread of the pool was blocked in a task"

    /// Nanoseconds: 100 ms, and a twentieth of the run. A shorter time is not reported.
    private static let leastTime: Int64 = 100_000_000
    private static let leastPart: Int64 = 20

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        // Each process has a pool of its own.
        guard let tasks = context.tasks, !tasks.trace.isMerged else { return }
        let least = max(leastTime, tasks.makespan / leastPart)
        guard !tasks.trace.threadTimes.isEmpty else {
            var waited: Int64 = 0
            forEachWait(tasks) { waited = waited.saturatingAdd($0.upperBound - $0.lowerBound) }
            if waited >= least {
                findings.cannotDecide(
                    "the log does not say when threads were blocked; opviz record logs that where the system "
                        + "allows it")
            }
            return
        }
        let blocks = blocks(tasks)
        guard let threads = tasks.trace.header.processors?.usable ?? blocks.most, threads > 0 else { return }
        let full = SuspendedTime(blocks.stretches.counted().filter { $0.count >= threads }.map(\.range))
        guard full.upTo(.max) >= least else { return }
        var waiting = Stretches()
        forEachWait(tasks) { wait in
            if !full.suspensions(from: wait.lowerBound, to: wait.upperBound).isEmpty {
                waiting.add(from: wait.lowerBound, to: wait.upperBound)
            }
        }
        let cost = waiting.counted().filter { $0.count > 0 }.reduce(Int64(0)) { sum, stretch in
            sum + full.upTo(stretch.range.upperBound) - full.upTo(stretch.range.lowerBound)
        }
        if cost >= least { report(tasks, blocks.ofKind, threads, cost, &findings) }
    }

    private static func report(
        _ tasks: TaskHazards, _ kinds: [Int32: (time: Int64, task: Int, run: Int)], _ threads: Int,
        _ cost: Int64, _ findings: inout HazardCollector
    ) {
        guard let worst = kinds.max(by: { ($0.value.time, $1.key) < ($1.value.time, $0.key) })?.value else {
            return
        }
        let severity: HazardSeverity = cost >= tasks.makespan / 4 ? .error : .warning
        findings.report(severity, tasks.kind(worst.task), cost: cost) {
            let run = tasks.tasks.runs[worst.run]
            let name = tasks.name(worst.task)
            let kind = TerminalText.shortened(tasks.tasks.kind(of: worst.task))
            let isOpen = run.awaits == nil && run.end == tasks.tasks.end
            let all = "\(Prose.threads(threads)) of the pool \(threads == 1 ? "was" : "were")"
            return HazardFinding(
                severity, [tasks.operation(worst.task)],
                "tasks were ready for \(DurationFormat.text(nanoseconds: cost)) and did not run, "
                    + "while \(all) blocked in tasks, most of the time in \(kind)",
                evidence: [
                    .init(run.start, "\(name) began to run, on thread \(run.thread)"),
                    .init(run.end, "\(name) \(isOpen ? "still ran there" : "left it")"),
                ],
                cost: cost,
                advice:
                    "do not wait in a task for a semaphore, a lock, or a system call that takes long: "
                    + "await a continuation, or block a thread of your own")
        }
    }

    /// When tasks waited for a thread of the pool.
    private static func forEachWait(_ tasks: TaskHazards, _ body: (Range<Int64>) -> Void) {
        for task in tasks.tasks.entries.indices {
            tasks.lifetimes.forEach(of: task) { part, range, run in
                guard part == .executor else { return }
                let next = tasks.tasks.run(after: run, of: task)
                let executor =
                    next.map { tasks.tasks.runs[$0].executor }
                    ?? run.map { tasks.tasks.runs[$0].nextExecutor }
                    ?? tasks.tasks.firstExecutors[Int32(task)] ?? TraceTasks.none
                if executor < 0 || tasks.tasks.executors[Int(executor)].kind == .pool {
                    body(range)
                }
            }
        }
    }

    /// When threads of the pool were blocked in runs; and for each kind of task, how long, with the longest
    /// run.
    private static func blocks(
        _ tasks: TaskHazards
    ) -> (stretches: Stretches, ofKind: [Int32: (time: Int64, task: Int, run: Int)], most: Int?) {
        var stretches = Stretches()
        var kinds: [Int32: (time: Int64, task: Int, run: Int)] = [:]
        var longest: [Int32: Int64] = [:]
        for (index, run) in tasks.tasks.runs.enumerated() {
            let kind = run.executor < 0 ? .pool : tasks.tasks.executors[Int(run.executor)].kind
            guard kind == .pool || kind == .actor else { continue }
            var blocked: Int64 = 0
            for stretch in tasks.lifetimes.runningStretches(ofRun: index) where stretch.part == .blocked {
                stretches.add(from: stretch.start, to: stretch.end)
                blocked += stretch.end - stretch.start
            }
            guard blocked > 0 else { continue }
            let ofTask = tasks.tasks.entries[Int(run.task)].kind
            var sum = kinds[ofTask] ?? (0, Int(run.task), index)
            sum.time += blocked
            if blocked > longest[ofTask] ?? 0 {
                longest[ofTask] = blocked
                (sum.task, sum.run) = (Int(run.task), index)
            }
            kinds[ofTask] = sum
        }
        return (stretches, kinds, stretches.counted().map(\.count).max())
    }
}
