/// Says of a run in which something never finished, which operation that is and what it waits for.
struct UnfinishedReport {
    private static let longestName = 24
    private static let longestCircle = 6
    /// A class sets its state and then notifies its queue: who asks between the two sees no mistake yet. Nanoseconds.
    static let notificationTime: Int64 = 10_000_000

    private let trace: Trace
    private let waits: OperationWaits
    private let end: Int64

    /// - Parameter end: the last moment that the trace says anything about.
    init(_ trace: Trace, _ waits: OperationWaits, end: Int64) {
        self.trace = trace
        self.waits = waits
        self.end = end
    }

    init(_ analysis: TraceAnalysis) { self.init(analysis.trace, analysis.waits, end: analysis.end) }

    /// One line, or `nil` when everything finished. Cost: linear in operations and edges.
    var line: String? {
        let unfinished = trace.operations.indices.filter {
            trace.operations[$0].enqueued != nil && trace.operations[$0].finished == nil
        }
        guard !unfinished.isEmpty else { return nil }
        let blockers = Blockers(trace, waits)
        let roots = blockers.roots(of: unfinished)
        var behind = [Int](repeating: 0, count: roots.count)
        for operation in unfinished { behind[roots[operation]] += 1 }
        // Of those that all others wait for in the end, the one with the most behind it; of equal ones the first.
        let most = unfinished.reduce(0) { max($0, behind[roots[$1]]) }
        guard let first = unfinished.first(where: { behind[roots[$0]] == most }) else { return nil }
        let why = reason(from: first, blockers) { Blockers(trace, waits, includesChildren: false) }
        var line = name(first) + why
        if unfinished.count > 1 {
            line += "; \(Prose.grouped(unfinished.count - 1)) more never finished"
            if roots[first] == first, most > 1, most < unfinished.count {
                line += ", \(Prose.grouped(most - 1)) of them behind it"
            }
        }
        return line
    }

    /// Follows what the operation waits for to where it ends.
    ///
    /// - Parameter certain: those without children, asked for where a circle leads from a parent to a child: a parent need not
    ///   wait for its child, and only what is certain is a deadlock.
    func reason(from first: Int, _ blockers: Blockers, certain: () -> Blockers) -> String {
        var visited: Set<Int> = [first]
        var last = first
        while let next = blockers[last] {
            last = next.operation
            if visited.insert(last).inserted { continue }
            return hops(from: last, blockers).contains { blockers[$0]?.reason == .child }
                ? reason(from: first, certain(), certain: certain)
                : circle(at: last, blockers, isFirst: last == first)
        }
        if last == first { return " " + state(last) }
        let isDirect = visited.count == 2
        if isDirect, blockers[first]?.reason == .slot {
            return " \(fullQueue(of: first)), by \(name(last)), which \(state(last))"
        }
        let way =
            isDirect ? wording(blockers[first]?.reason) : " waits, \(visited.count - 1) operations deep, for "
        return way + "\(name(last)), which \(state(last))"
    }

    private func wording(_ reason: Blockers.Reason?) -> String {
        switch reason {
        case .wait: " blocks its thread until the end of "
        case .slot: " needs a slot that is taken by "
        case .key: " waits for a key behind "
        default: " waits for "
        }
    }

    /// The operations of a circle, each once.
    private func hops(from start: Int, _ blockers: Blockers) -> [Int] {
        var hops = [start]
        while let next = blockers[hops[hops.count - 1]]?.operation, next != start { hops.append(next) }
        return hops
    }

    /// Nothing of this will ever finish: each waits for the next, and the last for the first.
    private func circle(at start: Int, _ blockers: Blockers, isFirst: Bool) -> String {
        let hops = hops(from: start, blockers)
        var parts = hops.prefix(Self.longestCircle).compactMap { hop in
            blockers[hop].map { name(hop) + wording($0.reason) + name($0.operation) }
        }
        if hops.count > parts.count { parts.append("…") }
        return (isFirst ? " is in a deadlock: " : " waits for a deadlock: ") + parts.joined(separator: ", ")
    }

    /// What an operation that has not finished was doing at the end of the trace.
    private func state(_ number: Int) -> String {
        let operation = trace.operations[number]
        if operation.enqueued == nil { return "was never added to a queue" }
        if isUnnotified(number) { return "says isFinished, but its queue was never told" }
        let waits = self.waits[number] ?? Waits()
        if operation.executing != nil {
            let duration = DurationFormat.text(nanoseconds: waits.execution)
            let thread = operation.thread.map { " on thread \($0)" } ?? ""
            return "is still executing, after \(duration)\(thread)"
        }
        guard operation.ready != nil else { return "was never ready, for a reason that is not in the trace" }
        guard let index = operation.queue, trace.queues.indices.contains(index) else {
            return "was ready and never started"
        }
        let queue = trace.queues[index]
        let queueName = TerminalText.shortened(queue.name, toColumns: Self.longestName)
        if queue.suspensions.contains(where: { $0.upperBound >= end }) {
            return "is ready, but its queue \(queueName) is suspended"
        }
        return waits.slot > 0 && waits.dispatch == 0 ? fullQueue(of: number) : "was ready and never started"
    }

    /// Whether it says that it has finished, and its queue was not told: nothing but that notification is missing.
    func isUnnotified(_ number: Int) -> Bool {
        let operation = trace.operations[number]
        guard operation.finished == nil, let asked = operation.unnotifiedFinish else { return false }
        return end - asked.notAfter >= Self.notificationTime
    }

    private func fullQueue(of operation: Int) -> String {
        guard let index = trace.operations[operation].queue, trace.queues.indices.contains(index) else {
            return "is ready"
        }
        let queue = trace.queues[index]
        let limit = queue.limits.last.map { " (limit \($0.limit))" } ?? ""
        return
            "is ready, but every slot of its queue \(TerminalText.shortened(queue.name, toColumns: Self.longestName)) is taken\(limit)"
    }

    private func name(_ index: Int) -> String {
        TerminalText.shortened(trace.operations[index].displayName, toColumns: Self.longestName)
    }
}
