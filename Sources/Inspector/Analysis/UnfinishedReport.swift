import InspectorColumns
package import WaitDiagnosis

/// Reports what everything is waiting for, in a run with unfinished operations.
package struct UnfinishedReport {
    package let blockers: Blockers
    private let text: StandstillText
    private let executions: OpenExecutions
    private let trace: Trace
    /// Whether the trace ended in the middle of work: everything had just begun, and a queue was about to
    /// start more.
    package let endsInTheMiddle: Bool
    /// What has lasted for less at the end of a trace may have been about to go on. Nanoseconds; 100 ms.
    package static let shortest: Int64 = 100_000_000
    /// Whether the run hung for a noticeable part of its time: then figures of the whole run say how long
    /// somebody waited before ending it. A run that was cut off while an operation took its usual time did
    /// not hang.
    package let isStandingStill: Bool
    /// The part of the makespan in percent from which a standstill is noticeable.
    private static let noticeable: Int64 = 10
    /// An operation that executes for longer hangs, whatever its kind. Nanoseconds; 5 s.
    package static let longExecution: Int64 = 5_000_000_000

    /// Cost: linear in unfinished operations.
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
        let executions = OpenExecutions(trace, waits, end: end, use: use, usual: usual)
        (self.trace, self.blockers, self.executions) = (trace, blockers, executions)
        endsInTheMiddle =
            blockers.standstills.contains { $0.cause == .notStarted }
            && blockers.standstills.allSatisfy { Self.isOnItsWay($0, blockers, executions, waits) }
        isStandingStill =
            !endsInTheMiddle
            && blockers.standstills.first.map { Self.isHang($0, blockers, executions, trace) } ?? false
            && Self.hasStopped(trace, end)
        func name(_ index: Int) -> String {
            names?[index] ?? TerminalText.shortened(trace.operations[index].displayName)
        }
        text = StandstillText(
            blockers.graph,
            name: { name(blockers.operations[$0]) },
            identity: { "\(trace.operations[blockers.operations[$0]].id)" },
            queue: { Self.name(of: trace.queues[$0]) },
            execution: { number in
                let index = blockers.operations[number]
                let execution = executions[index]
                return execution.predicate
                    + Self.claimOfChild(index, execution, trace, blockers, name)
            },
            suspension: { queue in
                guard let since = trace.queues[queue].suspensions.last?.lowerBound else {
                    return "is suspended"
                }
                let time = DurationFormat.text(nanoseconds: max(0, end - TraceMoment.bounded(since)))
                return "has been suspended for \(time)"
            },
            threads: { Self.claimOfThreads(blockers.operations[$0], executions, trace, blockers, name) })
    }

    /// Whether the trace ended shortly after the operation had started, or had got a slot.
    private static func isOnItsWay(
        _ standstill: Standstill, _ blockers: Blockers, _ executions: OpenExecutions, _ waits: OperationWaits
    ) -> Bool {
        let index = blockers.operations[standstill.operation]
        return switch standstill.cause {
        case .executing: executions[index].executed < shortest && !executions[index].isUnusual
        case .notStarted: waits[index]?.dispatch ?? 0 < shortest
        case .deadlock, .unnotified, .suspended, .cancelled, .notAdded, .notReady, .full: false
        }
    }

    private static func isHang(
        _ standstill: Standstill, _ blockers: Blockers, _ executions: OpenExecutions, _ trace: Trace
    ) -> Bool {
        guard standstill.cause == .executing else { return true }
        let index = blockers.operations[standstill.operation]
        let execution = executions[index]
        return execution.isUnusual || execution.executed >= longExecution
            || childWaitingForItsSlot(index, trace, blockers) != nil
    }

    /// Whether nothing happened to any operation for a noticeable part of the run before the trace ended.
    private static func hasStopped(_ trace: Trace, _ end: Int64) -> Bool {
        let columns = trace.operations.store.columns
        var (first, last) = (Int64.max, Int64.min)
        for index in trace.operations.indices where columns.enqueued.has(index) {
            first = min(first, columns.enqueued.notAfter(index))
            for times in [columns.enqueued, columns.executing, columns.finished] where times.has(index) {
                last = max(last, times.notAfter(index))
            }
        }
        guard first <= last else { return false }
        let (run, standing) = (end - TraceMoment.bounded(first), end - TraceMoment.bounded(last))
        return standing > 0 && standing / noticeable >= run / 100
    }

    /// What an operation that executes does.
    package func execution(of index: Int) -> OpenExecution { executions[index] }

    /// `; it holds the only slot of queue db, for which query 2 waits, which it added: a deadlock if it waits
    /// for that`. An operation that calculates waits for nothing.
    private static func claimOfChild(
        _ index: Int, _ execution: OpenExecution, _ trace: Trace, _ blockers: Blockers,
        _ name: (Int) -> String
    ) -> String {
        guard execution.returned == nil, execution.activity != .calculating,
            let child = childWaitingForItsSlot(index, trace, blockers)
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

    /// The first operation that this one added to its own queue and that has not started, if this one has a
    /// slot and none is free. Whether the body waits for it is not in the log.
    private static func childWaitingForItsSlot(_ index: Int, _ trace: Trace, _ blockers: Blockers) -> Int? {
        let columns = trace.operations.store.columns
        let queue = columns.queues[index]
        guard queue >= 0, Int(queue) < trace.queues.count,
            let limit = trace.queues[Int(queue)].limits.last?.limit, limit > 0
        else { return nil }
        let members = blockers.operations.lazy.filter { columns.queues[$0] == queue }
        guard members.count(where: { columns.executing.has($0) }) >= limit else { return nil }
        return members.first {
            columns.parents[$0] == Int32(index) && $0 != index && columns.ready.has($0)
                && !columns.executing.has($0)
        }
    }

    /// The operations that calculate while another is ready, in the same process. A pool has about as many
    /// threads that calculate as there are processors, so they may be what it waits for. Empty if there are
    /// fewer.
    private static func claimOfThreads(
        _ index: Int, _ executions: OpenExecutions, _ trace: Trace, _ blockers: Blockers,
        _ name: (Int) -> String
    ) -> String {
        let columns = trace.operations.store.columns
        let calculating = blockers.operations.filter {
            columns.executing.has($0) && !columns.bodyEnded.has($0)
                && columns.processes[$0] == columns.processes[index]
                && executions[$0].activity == .calculating
        }
        let process = Int(columns.processes[index])
        let processes = trace.processes
        let usable = processes.indices.contains(process) ? processes[process].processors?.usable : nil
        guard let first = calculating.first, calculating.count >= usable ?? 1 else { return "" }
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

    package init(_ analysis: TraceAnalysis) {
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
        let all = blockers.graph.operations.count - blockers.graph.countNotAdded
        if endsInTheMiddle {
            let executing = blockers.graph.operations.count { $0.state == .executing }
            let waiting = all - executing
            return "the trace ends in the middle of work: "
                + Prose.counted(executing, "operation was executing", "operations were executing")
                + (waiting == 0 ? "" : ", \(Prose.grouped(waiting)) waited")
        }
        let told: Int
        var line = sentence(first)
        switch first.cause {
        case .suspended(let queue):
            told = first.waiting
            let members = operations([first.operation] + first.others)
            let queued = members.count { trace.operations[$0].queue == queue }
            line += ": \(Prose.counted(queued, "operation")) in it"
            if told > queued { line += " and \(Prose.grouped(told - queued)) behind it" }
            line += told == 1 ? " is stuck" : " are stuck"
        case .notAdded:
            told = first.waiting
            line += "; \(Prose.counted(told, "operation")) \(told == 1 ? "waits" : "wait") for it"
        default:
            told = first.origins.count
        }
        if all > told { line += "; \(Prose.grouped(all - told)) more never finished" }
        if told == first.origins.count, first.waiting > 0, first.waiting < all - told {
            line += ", \(Prose.grouped(first.waiting)) of them behind it"
        }
        return line
    }

    /// The standstill that holds up the operation, or of which it is the origin; nil if it finished.
    private func standstill(of index: Int) -> Standstill? {
        blockers.standstills.first { standstill in
            blockers.operations[standstill.operation] == index
                || standstill.others.contains { blockers.operations[$0] == index }
        }
    }

    /// Whether some operations will never finish, because they wait for each other.
    package var isDeadlocked: Bool { blockers.standstills.contains { $0.isDeadlock } }

    package func sentence(_ standstill: Standstill) -> String { text.sentence(standstill) }

    /// Why an operation has not finished in the end: a sentence about itself, to follow a colon, or one about
    /// what it waits for.
    package enum Reason {
        case itself(String)
        case other(String)
    }

    /// Nil for a circle, which has no first operation, and for an operation that finished.
    ///
    /// Cost: linear in unfinished operations.
    package func reason(of index: Int) -> Reason? {
        standstill(of: index).flatMap { reason(of: index, in: $0) }
    }

    /// For each operation with one; linear in unfinished operations.
    package var reasons: [Int: Reason] {
        var reasons: [Int: Reason] = [:]
        for standstill in blockers.standstills {
            for number in [standstill.operation] + standstill.others {
                let index = blockers.operations[number]
                reasons[index] = reason(of: index, in: standstill)
            }
        }
        return reasons
    }

    private func reason(of index: Int, in standstill: Standstill) -> Reason? {
        // Its own wait says that already.
        let isKnown =
            standstill.cause == .notAdded
            && blockers[index]?.next == blockers.operations[standstill.operation]
        if standstill.isDeadlock || isKnown || endsInTheMiddle { return nil }
        return blockers.operations[standstill.operation] == index
            ? .itself(text.sentence(standstill, followsName: true)) : .other(text.sentence(standstill))
    }

    /// The numbers as indices into the trace's operations.
    package func operations(_ numbers: [Int]) -> [Int] { numbers.map { blockers.operations[$0] } }
}

extension WaitGraph {
    fileprivate var countNotAdded: Int {
        operations.count { if case .notAdded = $0.state { true } else { false } }
    }
}
