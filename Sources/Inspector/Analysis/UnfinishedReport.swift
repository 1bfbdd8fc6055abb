import InspectorColumns
package import WaitDiagnosis

/// Reports what everything is waiting for, in a run with unfinished operations.
package struct UnfinishedReport {
    package let blockers: Blockers
    private let text: StandstillText

    /// Cost: linear in operations, edges and waits.
    ///
    /// - Parameters:
    ///   - waits: the waits of the trace's operations.
    ///   - end: the last time that the trace covers.
    ///   - names: called only if something did not finish.
    package init(
        _ trace: Trace, _ waits: OperationWaits, end: Int64, names: () -> OperationNames
    ) {
        let blockers = Blockers(trace, end: end)
        self.init(
            trace, waits, blockers, end: end, names: blockers.standstills.isEmpty ? nil : names())
    }

    /// - Parameter names: without them, only the operations of a circle are told apart.
    package init(
        _ trace: Trace, _ waits: OperationWaits, _ blockers: Blockers, end: Int64,
        names: OperationNames? = nil
    ) {
        self.blockers = blockers
        func operation(_ number: Int) -> TracedOperation { trace.operations[blockers.operations[number]] }
        func name(_ index: Int) -> String {
            names?[index] ?? TerminalText.shortened(trace.operations[index].displayName)
        }
        text = StandstillText(
            blockers.graph,
            name: { name(blockers.operations[$0]) },
            identity: { "\(operation($0).id)" },
            queue: { Self.name(of: trace.queues[$0]) },
            execution: { number in
                let index = blockers.operations[number]
                let last = trace.lastMoment(of: index, end: end)
                let time = max(0, (waits[index]?.execution ?? 0) - (end - last))
                let operation = operation(number)
                let place =
                    if let returned = operation.bodyEnded {
                        ": its body returned "
                            + DurationFormat.text(
                                nanoseconds: max(0, last - TraceMoment.bounded(returned.notAfter)))
                            + " ago, and nothing has finished it since"
                    } else {
                        (operation.thread.map { " on thread \($0)" } ?? "")
                            + (Self.childWaitingForItsSlot(index, trace, blockers).map {
                                "; \(name($0)), which it added, waits for its slot: a deadlock if its body "
                                    + "waits for that"
                            } ?? "")
                    }
                return ", after \(DurationFormat.text(nanoseconds: time))\(place)"
            },
            suspension: { queue in
                guard let since = trace.queues[queue].suspensions.last?.lowerBound else { return "" }
                return ", for \(DurationFormat.text(nanoseconds: max(0, end - TraceMoment.bounded(since))))"
            })
    }

    /// The first operation that this one added to its own queue and that has not started, if this one has the
    /// only slot. Whether the body waits for it is not in the log.
    private static func childWaitingForItsSlot(_ index: Int, _ trace: Trace, _ blockers: Blockers) -> Int? {
        let columns = trace.operations.store.columns
        let queue = columns.queues[index]
        guard queue >= 0, Int(queue) < trace.queues.count, trace.queues[Int(queue)].limits.last?.limit == 1
        else { return nil }
        return blockers.operations.first {
            columns.parents[$0] == Int32(index) && columns.queues[$0] == queue && $0 != index
                && columns.ready.has($0) && !columns.executing.has($0)
        }
    }

    package init(_ analysis: TraceAnalysis) {
        self.init(analysis.trace, analysis.waits, end: analysis.end) {
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
        var line = sentence(first)
        let isAdded = first.cause != .notAdded
        let all = blockers.graph.operations.count - blockers.graph.countNotAdded
        let others = all - (isAdded ? first.origins.count : 0)
        if others > 0 {
            let behind = first.others.count - (first.origins.count - 1)
            line += "; \(Prose.grouped(others)) \(isAdded ? "more " : "")never finished"
            if behind > 0, behind < others { line += ", \(Prose.grouped(behind)) of them behind it" }
        }
        return line
    }

    /// Whether some operations will never finish, because they wait for each other.
    package var isDeadlocked: Bool { blockers.standstills.contains { $0.isDeadlock } }

    package func sentence(_ standstill: Standstill) -> String { text.sentence(standstill) }

    /// The numbers as indices into the trace's operations.
    package func operations(_ numbers: [Int]) -> [Int] { numbers.map { blockers.operations[$0] } }
}

extension WaitGraph {
    fileprivate var countNotAdded: Int {
        operations.count { if case .notAdded = $0.state { true } else { false } }
    }
}
