/// An operation or a Swift task that was cancelled while it executed, and took long to react.
enum SlowToCancel: HazardRule {
    static let name = "slow-to-cancel"
    static let meaning = "it was cancelled while it executed or ran, but went on for more than a second"

    /// Nanoseconds that an operation may take to end after it was cancelled. 1 s.
    private static let allowedTime: Int64 = 1_000_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        checkOperations(context, &findings)
        guard let tasks = context.tasks else { return }
        for (task, entry) in tasks.tasks.entries.enumerated() {
            if let cancelled = entry.cancelled { check(task, cancelled, tasks, &findings) }
        }
    }

    /// A task that only awaits the tasks of its scope cannot react sooner than they do.
    private static func check(
        _ task: Int, _ cancelled: Int64, _ tasks: TaskHazards, _ findings: inout HazardCollector
    ) {
        let end = tasks.lifetimes.range(of: task).upperBound
        guard tasks.tasks.start(of: task).map({ $0 <= cancelled }) ?? false, end - cancelled > allowedTime
        else {
            return
        }
        let parts = tasks.lifetimes.parts(of: task, from: cancelled, to: end)
        let own: [TaskPart] = [.running, .continuation, .sleep]
        let cost = own.reduce(Int64(0)) { $0 + parts[$1] }
        guard cost > allowedTime else { return }
        findings.report(.warning, tasks.kind(task), cost: cost) {
            let name = tasks.name(task)
            let spent = own.filter { parts[$0] > 0 }.sorted { parts[$0] > parts[$1] }.map {
                "\(DurationFormat.text(nanoseconds: parts[$0])) \($0.row.activity)"
            }
            let isOver = tasks.tasks.entries[task].finished != nil
            return HazardFinding(
                .warning, [tasks.operation(task)],
                "\(name) was cancelled, but went on for "
                    + "\(DurationFormat.text(nanoseconds: end - cancelled)): "
                    + Prose.list(spent),
                evidence: [
                    .init(cancelled, "\(name) was cancelled"),
                    .init(end, isOver ? "\(name) finished" : "the log ends, and \(name) has not finished"),
                ],
                cost: cost,
                advice: "check Task.isCancelled in every loop, and resume continuations early in "
                    + "withTaskCancellationHandler")
        }
    }

    private static func checkOperations(_ context: HazardContext, _ findings: inout HazardCollector) {
        for operation in 0..<context.count
        where context.cancelled.isKnown(operation) && context.executing.isKnown(operation) {
            let time = context.cancelled.notAfter(operation)
            let last =
                context.finished.isKnown(operation) ? context.finished.notBefore(operation) : context.end
            guard time >= context.executing.notAfter(operation), last - time > allowedTime else { continue }
            if !context.finished.isKnown(operation), let incompleteness = context.incompleteness {
                findings.cannotDecide(
                    "\(context.name(operation)) has no end in the log, but \(incompleteness)")
                return
            }
            findings.report(.warning, context.kind(operation), cost: last - time) {
                HazardFinding(
                    .warning, [operation],
                    "\(context.name(operation)) was cancelled, but went on for "
                        + "\(DurationFormat.text(nanoseconds: last - time))",
                    evidence: context.events(operation, .executing, .cancelled, .finished), cost: last - time,
                    advice:
                        "check isCancelled in every loop of the body, and make cancel() interrupt what it "
                        + "waits for"
                )
            }
        }
    }
}
