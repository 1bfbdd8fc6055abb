import InspectorColumns
package import WaitDiagnosis

/// Reports what everything is waiting for, in a run with unfinished operations.
package final class UnfinishedReport {
    package let blockers: Blockers
    private let text: StandstillText
    private let executions: OpenExecutions
    private let trace: Trace
    /// Whether the trace ended in the middle of work: everything had just begun, and a queue was about to
    /// start more. True of every trace of another program with something unfinished.
    package let endsInTheMiddle: Bool
    /// What has lasted for less at the end of a trace may have been about to go on. Nanoseconds; 100 ms.
    package static let shortest: Int64 = 100_000_000
    /// Whether the run hung for a noticeable part of its time: then figures of the whole run say how long
    /// somebody waited before ending it. A run that was cut off while an operation took its usual time did
    /// not hang.
    package var isStandingStill: Bool { stillSince != nil }
    /// When anything last happened in a run that hung: nil for others.
    package let stillSince: Int64?
    /// Whether the run stood still because of its operations, and whether because of its Swift tasks.
    package let isHeldUpByOperations, isHeldUpByTasks: Bool
    /// The part of the makespan in percent from which a standstill is noticeable.
    private static let noticeable: Int64 = 10
    /// An operation that executes for longer hangs, whatever its kind. Nanoseconds; 5 s.
    package static let longExecution: Int64 = 5_000_000_000

    /// Cost: linear in operations if something did not finish.
    ///
    /// - Parameters:
    ///   - waits: the waits of the trace's operations.
    ///   - end: the last time that the trace covers.
    ///   - use: called only if something executes.
    ///   - usual: how long others of the kind of an operation took; nil to ask the trace.
    ///   - names: called only if something did not finish. Without them, only the operations of a circle are
    ///     told apart.
    package init(
        _ trace: Trace, _ waits: OperationWaits, _ blockers: Blockers, end: Int64,
        use: @escaping () -> ProcessorUse? = { nil }, usual: ((Int) -> OpenExecution.Usual?)? = nil,
        names: (() -> OperationNames)? = nil
    ) {
        let names = blockers.standstills.isEmpty ? nil : names?()
        // For the tasks in circles.
        let whole = blockers.hasTasks ? trace.withTasks() : trace
        let wholeNames =
            blockers.hasTasks ? OperationNames(whole, longestName: TerminalText.longestName) : nil
        let executions = OpenExecutions(
            trace, blockers.operations.filter { trace.operations.indices.contains($0) }, waits, end: end,
            use: use, usual: usual)
        (self.trace, self.blockers, self.executions) = (trace, blockers, executions)
        endsInTheMiddle =
            trace.isOfAnotherProgram && !blockers.standstills.isEmpty
            || blockers.standstills.contains { $0.cause == .notStarted }
                && blockers.standstills.allSatisfy { Self.isOnItsWay($0, trace, blockers, executions, waits) }
        let isHang =
            !endsInTheMiddle
            && blockers.standstills.first.map { Self.isHang($0, trace, blockers, executions) } ?? false
        let areTasksStuck = TaskHang.isHang(trace, blockers) && !executions.isAnyAtWork
        stillSince = isHang || areTasksStuck ? Self.lastActivity(trace, end) : nil
        isHeldUpByOperations = isHang && stillSince != nil
        isHeldUpByTasks = areTasksStuck && stillSince != nil
        func name(_ index: Int) -> String {
            wholeNames?[index] ?? names?[index]
                ?? TerminalText.shortened(trace.operations[index].displayName)
        }
        text = StandstillText(
            blockers.graph,
            name: { name(blockers.operations[$0]) },
            identity: { "\(whole.operations[blockers.operations[$0]].id)" },
            queue: { Self.name(of: trace.queues[$0]) },
            execution: { number in
                let index = blockers.operations[number]
                return executions[index].predicate + FinishClause.following(index, in: trace)
                    + Self.claimOfChild(index, executions, trace, name)
                    + Self.claimOnThread(index, blockers, executions, trace, name)
            },
            suspension: { queue in
                guard let since = trace.queues[queue].suspensions.last?.lowerBound else {
                    return "is suspended"
                }
                let time = DurationFormat.text(nanoseconds: max(0, end - TraceMoment.bounded(since)))
                return "has been suspended for \(time)"
            },
            threads: { Self.claimOfThreads(blockers.operations[$0], executions, trace, name) },
            executor: { number in
                trace.tasks.nameInProse(ofExecutor: blockers.executor(ofTask: number) ?? TraceTasks.none)
            })
    }

    /// Whether the trace ended shortly after the operation had started, or had got a slot.
    private static func isOnItsWay(
        _ standstill: Standstill, _ trace: Trace, _ blockers: Blockers, _ executions: OpenExecutions,
        _ waits: OperationWaits
    ) -> Bool {
        let index = blockers.operations[standstill.operation]
        return switch standstill.cause {
        case .executing:
            executions[index].executed < shortest && !executions[index].isUnusual
                && !trace.isProvenLost(index)
        case .notStarted: waits[index]?.dispatch ?? 0 < shortest
        case .deadlock, .unnotified, .suspended, .cancelled, .notAdded, .notReady, .full: false
        }
    }

    private static func isHang(
        _ standstill: Standstill, _ trace: Trace, _ blockers: Blockers, _ executions: OpenExecutions
    ) -> Bool {
        guard standstill.cause == .executing else { return true }
        let index = blockers.operations[standstill.operation]
        let execution = executions[index]
        return !standstill.possibleCircle.isEmpty || execution.isUnusual
            || execution.executed >= longExecution
            || executions.childWaitingForItsSlot(index) != nil || trace.isProvenLost(index)
    }

    /// When an operation or a task did something for the last time, if that was a noticeable part of the run
    /// before the trace ended.
    private static func lastActivity(_ trace: Trace, _ end: Int64) -> Int64? {
        guard let activity = trace.activity(before: end) else { return nil }
        let last = TraceMoment.bounded(activity.upperBound)
        let (run, standing) = (end - TraceMoment.bounded(activity.lowerBound), end - last)
        return standing > 0 && standing / noticeable >= run / 100 ? last : nil
    }

    /// `; nothing in the process can finish it: only its queue leads to it`, to follow a sentence about an
    /// operation that executes. Empty if its process's memory was not searched.
    package func claimOfSearch(_ index: Int) -> String { FinishClause.following(index, in: trace) }

    /// What an operation that executes does.
    package func execution(of index: Int) -> OpenExecution { executions[index] }

    /// `; it holds the only slot of queue db, for which query 2 waits, which it added: a deadlock if it waits
    /// for that`. An operation that calculates waits for nothing.
    private static func claimOfChild(
        _ index: Int, _ executions: OpenExecutions, _ trace: Trace, _ name: (Int) -> String
    ) -> String {
        let execution = executions[index]
        guard execution.returned == nil, execution.activity != .calculating,
            let child = executions.childWaitingForItsSlot(index)
        else { return "" }
        let queue = trace.queues[Int(trace.operations.store.columns.queues[index])]
        let limit = queue.limits.last?.limit ?? 1
        let (slot, claim) =
            limit == 1
            ? ("the only slot", "a deadlock if it waits for that")
            : ("one of the \(Prose.grouped(limit)) slots", "a deadlock if all that hold one wait so")
        return
            "; it holds \(slot) of \(self.name(of: queue)), for which \(name(child)) waits, which it added: "
            + claim
    }

    /// The operations that calculate while another is ready, in the same process. A pool has about as many
    /// threads that calculate as there are processors, so they may be what it waits for. Empty if there are
    /// fewer.
    private static func calculating(
        beside index: Int, _ executions: OpenExecutions, _ trace: Trace
    ) -> [Int] {
        let process = trace.operations.store.columns.processes[index]
        let calculating = executions.calculating(in: process)
        let processes = trace.processes
        let usable =
            processes.indices.contains(Int(process)) ? processes[Int(process)].processors?.usable : nil
        return calculating.count >= usable ?? 1 ? calculating : []
    }

    /// `; it may hold the thread that poll 3 waits for`. Empty unless the operation is calculating.
    private static func claimOnThread(
        _ index: Int, _ blockers: Blockers, _ executions: OpenExecutions, _ trace: Trace,
        _ name: (Int) -> String
    ) -> String {
        guard executions[index].activity == .calculating else { return "" }
        let ready = blockers.standstills.lazy.filter { $0.cause == .notStarted }
            .map { blockers.operations[$0.operation] }
            .first { calculating(beside: $0, executions, trace).contains(index) }
        return ready.map { "; it may hold the thread that \(name($0)) waits for" } ?? ""
    }

    private static func claimOfThreads(
        _ index: Int, _ executions: OpenExecutions, _ trace: Trace, _ name: (Int) -> String
    ) -> String {
        let calculating = calculating(beside: index, executions, trace)
        guard let first = calculating.first else { return "" }
        let time = DurationFormat.text(nanoseconds: executions[first].executed)
        let others = calculating.count - 1
        let who =
            switch others {
            case 0: "\(name(first)) has"
            case 1: "\(name(first)) and \(name(calculating[1])) have"
            default: "\(name(first)) and \(Prose.grouped(others)) more have"
            }
        return "\(who) been calculating for \(time), and may hold every thread: "
    }

    package convenience init(_ analysis: TraceAnalysis) {
        self.init(analysis.trace, analysis.waits, analysis.blockers, end: analysis.end) {
            ProcessorUse(analysis.timings)
        } names: {
            OperationNames(analysis.trace, longestName: TerminalText.longestName)
        }
    }

    /// `queue import`, safe for a terminal.
    package static func name(of queue: TracedQueue) -> String {
        queue.name.isEmpty ? "queue \(queue.id)" : "queue \(TerminalText.shortened(queue.name))"
    }

    /// One line, or `nil` if everything finished.
    package var line: String? {
        guard let first = blockers.standstills.first else { return nil }
        let all = blockers.graph.countOpen
        if endsInTheMiddle {
            let executing = blockers.graph.operations.count { $0.state == .executing && !$0.isTask }
            let waiting = all - executing
            return "the trace ends in the middle of work: "
                + Prose.counted(executing, "operation was executing", "operations were executing")
                + (waiting == 0 ? "" : ", \(Prose.grouped(waiting)) waited")
        }
        let told: Int
        var tellsWaiting = false
        var line = sentence(first)
        switch first.cause {
        case .suspended(let queue):
            told = first.waiting
            let (inside, behind) = members(of: first, in: queue)
            line += ": \(Prose.counted(inside.count, "operation")) in it"
            if !behind.isEmpty { line += " and \(Prose.grouped(behind.count)) behind it" }
            line += told == 1 ? " is stuck" : " are stuck"
        case .notAdded:
            told = first.waiting
            line += "; \(Prose.counted(told, "operation")) \(told == 1 ? "waits" : "wait") for it"
        default:
            let index = blockers.operations[first.operation]
            let named = first.cause == .notStarted ? Self.calculating(beside: index, executions, trace) : []
            told = first.origins.count { !blockers.graph.operations[$0].isTask } + named.count
            tellsWaiting = true
        }
        if all > told { line += "; \(Prose.grouped(all - told)) more never finished" }
        if tellsWaiting, first.waiting > 0, first.waiting < all - told {
            line += ", \(Prose.grouped(first.waiting)) of them behind it"
        }
        return line
    }

    /// Of the operations that a suspended queue holds up: those in it, and those elsewhere that wait behind
    /// it.
    package func members(
        of standstill: Standstill, in queue: Int
    ) -> (inside: [Int], behind: [Int]) {
        let queues = trace.operations.store.columns.queues
        let members = operations([standstill.operation] + standstill.others)
        return (
            members.filter { Int(queues[$0]) == queue }, members.filter { Int(queues[$0]) != queue }
        )
    }

    /// Whether some operations will never finish, because they wait for each other.
    package var isDeadlocked: Bool { blockers.standstills.contains { $0.isDeadlock } }

    package func sentence(_ standstill: Standstill) -> String { sentence(standstill, followsName: false) }

    private func sentence(_ standstill: Standstill, followsName: Bool) -> String {
        let sentence = text.sentence(standstill, followsName: followsName)
        guard mayBeDeadlock(standstill) else { return sentence }
        let execution = executions[blockers.operations[standstill.operation]]
        return sentence + text.possibleCircle(standstill, isInBody: execution.returned == nil)
    }

    /// Whether it is a deadlock if its operation waits for a task that it created. One that calculates waits
    /// for nothing.
    package func mayBeDeadlock(_ standstill: Standstill) -> Bool {
        standstill.cause == .executing && !standstill.possibleCircle.isEmpty
            && executions[blockers.operations[standstill.operation]].activity != .calculating
    }

    /// Why an operation has not finished in the end: a sentence about itself, to follow a colon, or one about
    /// what it waits for.
    package enum Reason {
        case itself(String)
        case other(String)
    }

    /// By operation. The members of a circle are left out, because it has no first operation, unless it
    /// includes tasks or the main thread: then no chain of operations shows it.
    ///
    /// Cost: linear in unfinished operations.
    package var reasons: [Int: Reason] {
        if endsInTheMiddle { return [:] }
        var reasons: [Int: Reason] = [:]
        for standstill in blockers.standstills {
            let origin = blockers.operations[standstill.operation]
            if case .deadlock(let hops) = standstill.cause {
                guard
                    !standstill.tasks(in: blockers.graph).isEmpty
                        || hops.contains(where: { $0.reason == .blockedThread })
                else { continue }
                let circle = Reason.other(sentence(standstill))
                for index in [origin] + operations(standstill.others)
                where trace.operations.indices.contains(index) {
                    reasons[index] = circle
                }
                continue
            }
            reasons[origin] = .itself(sentence(standstill, followsName: true))
            let other = Reason.other(sentence(standstill))
            // Its own wait says already what was not added.
            for index in operations(standstill.others)
            where standstill.cause != .notAdded || blockers[index]?.next != origin {
                reasons[index] = other
            }
        }
        return reasons
    }

    /// The numbers as indices into the trace's operations.
    package func operations(_ numbers: [Int]) -> [Int] { numbers.map { blockers.operations[$0] } }
}

extension WaitGraph {
    /// Of the operations, without tasks.
    fileprivate var countOpen: Int {
        operations.count {
            if case .notAdded = $0.state { return false }
            return !$0.isTask
        }
    }
}
