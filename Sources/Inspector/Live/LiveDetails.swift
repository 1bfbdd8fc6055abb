import EventLog
import WaitDiagnosis

/// One operation of a running program: its state, its times, and its connections.
struct LiveDetails {
    private static let mostListed = 200
    private static let longestChain = 20
    private static let indent = "  "
    private static let labelWidth = 12

    private let moment: LiveMoment
    private let index: Int
    private let operation: TracedOperation
    private let thread: LiveThreads.Use?

    private var trace: Trace { moment.trace }

    /// - Parameters:
    ///   - index: the index of the operation in the moment's trace.
    ///   - thread: what its thread does.
    init(_ moment: LiveMoment, _ index: Int, thread: LiveThreads.Use?) {
        self.thread = thread
        self.moment = moment
        self.index = index
        operation = moment.trace.operations[index]
    }

    /// Cost: linear in open operations.
    func lines(width: Int) -> [ScreenLine] {
        var lines = [ScreenLine(name(index, columns: max(1, width)), .heading)]
        for (label, text, style) in facts {
            let room = max(1, width - Self.indent.count - Self.labelWidth)
            let parts = Prose.wrapped(text, to: room).split(separator: "\n")
            for (number, part) in parts.enumerated() {
                let first = number == 0 ? label : ""
                var line = ScreenLine(
                    Self.indent + first + String(repeating: " ", count: Self.labelWidth - first.count), .muted
                )
                line.append(String(part), style)
                lines.append(line)
            }
        }
        let predecessors = trace.edges.filter { $0.successor == index }.map(\.predecessor)
        let successors = trace.edges.filter { $0.predecessor == index }.map(\.successor)
        let children = trace.operations.indices.filter { trace.operations[$0].parent == index }
        lines += list("Depends on:", predecessors, width)
        lines += list("Waiting for it:", successors, width)
        lines += list("Added by it:", children, width)
        return lines
    }

    private var facts: [(label: String, text: String, style: ScreenLine.Style)] {
        var facts = [("kind", TerminalText.shortened(operation.kind, toColumns: 200), ScreenLine.Style.plain)]
        facts.append(("identifier", "\(operation.id)", .plain))
        if let queue { facts.append(("queue", queue, .plain)) }
        facts.append(("state", state(index), operation.executing == nil ? .waiting : .executing))
        if let now = thread?.sentence, operation.finished == nil { facts.append(("now", now, .plain)) }
        facts += parts
        if let chain { facts.append(("waits for", chain, .waiting)) }
        if let mark = trace.marks.last(where: { $0.operation == index }) {
            let text = TerminalText.shortened(mark.text, toColumns: 200)
            facts.append(("says", "\(text) (\(ago(mark.time)))", .plain))
        }
        if operation.priority != 0 { facts.append(("priority", "\(operation.priority)", .plain)) }
        if let enqueued = operation.enqueued {
            let parent = operation.parent.map { " by \(name($0))" } ?? ""
            facts.append(("added", ago(enqueued.notAfter) + parent, .plain))
        }
        let times = [
            ("ready", operation.ready), ("started", operation.executing), ("cancelled", operation.cancelled),
            ("body ended", operation.bodyEnded), ("finished", operation.finished),
        ]
        for case (let label, let time?) in times { facts.append((label, ago(time.notAfter), .plain)) }
        if case .failed(let message) = operation.outcome {
            facts.append(("failure", TerminalText.shortened(message, toColumns: 200), .critical))
        }
        return facts
    }

    /// As the log has it, or otherwise as it was watched.
    private var parts: [(label: String, text: String, style: ScreenLine.Style)] {
        let isMeasured = operation.finished != nil && trace.bodyUses[Int32(index)] != nil
        if isMeasured, let text = ProcessorUse(moment.timings)?.parts(of: index)?.text {
            return [("execution", text, .plain)]
        }
        guard let text = thread?.all.text, let watched = thread?.all.total else { return [] }
        return [("watched", "\(DurationFormat.text(nanoseconds: watched)): \(text)", .plain)]
    }

    private var queue: String? {
        guard let index = operation.queue, trace.queues.indices.contains(index) else { return nil }
        let queue = trace.queues[index]
        let name = TerminalText.shortened(queue.displayName, toColumns: 60)
        if !queue.suspensions.isEmpty { return "\(name), suspended" }
        guard let limit = queue.limits.last?.limit, limit >= 0 else { return "\(name), no limit" }
        return "\(name), limit \(Prose.grouped(limit))"
    }

    private func state(_ index: Int) -> String {
        let operation = trace.operations[index]
        let waits = moment.timings.waits[index] ?? LifetimeParts()
        if operation.finished != nil {
            return switch operation.outcome {
            case .failed: "failed"
            case .cancelled: "finished, cancelled"
            case .succeeded, nil: "finished"
            }
        }
        if operation.enqueued == nil { return "not added to a queue" }
        guard operation.executing == nil else {
            let thread = operation.thread.map { " on thread \($0)" } ?? ""
            return "executing for \(DurationFormat.text(nanoseconds: waits.execution))" + thread
        }
        let time = DurationFormat.text(nanoseconds: waits.total)
        return operation.ready == nil ? "waiting for \(time)" : "ready, waiting for \(time)"
    }

    /// `parse, which waits for fetch index: executing for 11.1 s on thread 20`.
    private var chain: String? {
        var hops: [Int] = []
        var last = index
        while let next = moment.blockers[last]?.next, hops.count < Self.longestChain {
            hops.append(next)
            if next == index || hops.dropLast().contains(next) { break }
            last = next
        }
        guard let end = hops.last else { return nil }
        let isCircle = end == index || hops.dropLast().contains(end)
        let names = hops.map { name($0) }.joined(separator: ", which waits for ")
        return isCircle ? "\(names): a circle" : "\(names): \(state(end))"
    }

    private func list(_ heading: String, _ operations: [Int], _ width: Int) -> [ScreenLine] {
        if operations.isEmpty { return [] }
        var lines = [ScreenLine(), ScreenLine(heading, .heading)]
        let shown = operations.prefix(Self.mostListed)
        let widest = min(max(14, width / 2), shown.map { TextWidth.columns(of: name($0)) }.max() ?? 0)
        for operation in shown {
            let name = name(operation, columns: widest)
            let padding = String(repeating: " ", count: max(0, widest - TextWidth.columns(of: name)))
            lines.append(ScreenLine("\(Self.indent)\(name)\(padding)  \(state(operation))"))
        }
        if shown.count < operations.count {
            lines.append(
                ScreenLine("\(Self.indent)and \(Prose.grouped(operations.count - shown.count)) more"))
        }
        return lines
    }

    private func ago(_ time: Int64) -> String {
        "\(DurationFormat.text(nanoseconds: max(0, moment.time - TraceMoment.bounded(time)))) ago"
    }

    private func name(_ index: Int, columns: Int = TerminalText.longestName) -> String {
        TerminalText.shortened(trace.operations[index].displayName, toColumns: columns)
    }
}
