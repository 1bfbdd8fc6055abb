/// What happened to one operation, from its enqueue to its finish, in the order of time.
struct OperationStory {
    private static let shownHolders = 3
    private static let longestText = 120

    let analysis: TraceAnalysis
    let names: OperationNames
    let causes: StartCauses
    let index: Int

    private var trace: Trace { analysis.trace }
    private var operation: TracedOperation { trace.operations[index] }

    private struct Event {
        let time: Int64
        let duration: Int64
        /// Made only for what is shown: there may be any number of marks.
        let text: () -> String

        init(time: Int64, duration: Int64 = 0, text: @autoclosure @escaping () -> String) {
            self.time = time
            self.duration = duration
            self.text = text
        }
    }

    /// - Parameter limit: how many events are shown; `nil` is all of them.
    func table(limit: Int?, width: Int?) -> String {
        var table = TextTable(
            title: "What happened to it (times since the start of the trace)",
            columns: [.number("at"), .number("for"), .name("")])
        let events = events.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        let hidden = limit.map { max(0, events.count - max(2, $0)) } ?? 0
        let head = (events.count - hidden + 1) / 2
        for (position, (_, event)) in events.enumerated() {
            if hidden > 0, position == head { table.rows.append(["…", "", "\(hidden) more events"]) }
            if position >= head, position < head + hidden { continue }
            table.rows.append([
                DurationFormat.text(nanoseconds: event.time),
                event.duration == 0 ? "" : DurationFormat.text(nanoseconds: event.duration), event.text(),
            ])
        }
        return table.text(width: width)
    }

    private var events: [Event] {
        guard let line = analysis.lifelines[index], let waits = analysis.waits[index] else {
            return []
        }
        var events = [Event(time: line.enqueued, text: "added" + queueText + parentText)]
        var cursor = line.enqueued
        func add(_ duration: Int64, _ text: String) {
            if duration > 0 { events.append(Event(time: cursor, duration: duration, text: text)) }
            cursor = cursor.saturatingAdd(duration)
        }
        add(waits.dependency, dependencyText)
        add(waits.suspended, "its queue was suspended")
        add(waits.slot, slotText)
        add(
            waits.dispatch,
            line.executing == nil
                ? "ready, with a slot free for it, and not started"
                : "waited for a thread, a slot being free for it")
        if let executing = line.executing {
            if executing.notBefore > cursor {
                add(executing.notBefore - cursor, "waited; the trace does not say for what")
            }
            events.append(
                Event(
                    time: line.start, duration: line.end - line.start,
                    text: "executed" + (operation.thread.map { ", started on thread \($0)" } ?? "")))
            addBody(line, &events)
        }
        if let cancelled = operation.cancelled {
            events.append(Event(time: cancelled.notAfter, text: "was cancelled"))
        }
        for mark in trace.marks where mark.operation == index {
            events.append(
                Event(
                    time: mark.time,
                    text: "said: " + TerminalText.shortened(mark.text, toColumns: Self.longestText)))
        }
        for wait in trace.blockingWaits where wait.operation == index {
            let duration = max(0, TraceMoment.bounded(wait.end ?? analysis.end) - TraceMoment.bounded(wait.start))
            events.append(
                Event(
                    time: wait.start, duration: duration,
                    text: "blocked its thread until the end of " + targetText(wait.target)))
        }
        events.append(Event(time: line.end, text: ending(line)))
        return events
    }

    /// The body of one that waits for a key or a condition begins long after the start; one may do much before it
    /// returns, and much after. Where neither is so, nothing is said.
    private func addBody(_ line: Lifeline, _ events: inout [Event]) {
        let noticeable = max(1_000_000, (line.end - line.start) / 100)
        if let began = operation.bodyBegan?.notAfter, began > line.start, began - line.start >= noticeable {
            events.append(Event(time: began, text: "its body began"))
        }
        if let ended = operation.bodyEnded?.notAfter, ended < line.end, line.end - ended >= noticeable,
            ended > line.start, ended - line.start >= noticeable
        {
            events.append(Event(time: ended, text: "its body returned"))
        }
    }

    private var queueText: String {
        guard let queue = operation.queue, trace.queues.indices.contains(queue) else { return "" }
        let name = trace.queues[queue].name
        return
            " to queue \(name.isEmpty ? "\(trace.queues[queue].id)" : TerminalText.shortened(name, toColumns: 32))"
    }

    private var parentText: String {
        guard let parent = operation.parent, trace.operations.indices.contains(parent) else {
            return causes.remoteCause(of: index).map { remoteText($0) + ", which had finished" } ?? ""
        }
        return trace.isAcrossProcesses(parent, index) ? remoteText(parent) : " by \(names[parent])"
    }

    private func remoteText(_ cause: Int) -> String {
        let place = names.isShared(cause) ? "" : " in \(names.process(of: cause))"
        return ", caused by \(names[cause])\(place)"
    }

    private var dependencyText: String {
        guard let last = causes.lastDependency(of: index) else {
            return operation.ready == nil
                ? "was never ready, for a reason that is not in the trace" : "became ready"
        }
        if trace.operations[last].finished == nil {
            return "waits for \(names[last]), which has not finished"
        }
        let count = trace.edges.reduce(0) { $0 + ($1.successor == index ? 1 : 0) }
        return "waited for \(names[last])" + (count == 1 ? "" : ", the last of \(count) that it depends on")
    }

    private var slotText: String {
        let holders = SlotHolders(analysis, during: index).holders
        var text = "waited for a slot" + (limitText ?? "")
        if holders.isEmpty { return text }
        let shown = holders.prefix(Self.shownHolders).map {
            "\(names[$0.operation]) (\(DurationFormat.text(nanoseconds: $0.duration)))"
        }
        text += ", taken by " + shown.joined(separator: ", ")
        if holders.count > shown.count { text += " and \(holders.count - shown.count) more" }
        return text
    }

    private var limitText: String? {
        guard let queue = operation.queue, trace.queues.indices.contains(queue),
            let limit = trace.queues[queue].limits.last?.limit, limit >= 0
        else { return nil }
        return limit == 1 ? " of 1" : " of \(limit)"
    }

    private func targetText(_ target: BlockingWait.Target) -> String {
        switch target {
        case .operation(let index):
            trace.operations.indices.contains(index) ? names[index] : "an operation"
        case .queue(let queue):
            trace.queues.indices.contains(queue)
                ? "all of queue \(TerminalText.shortened(trace.queues[queue].name, toColumns: 32))"
                : "a queue"
        }
    }

    private func ending(_ line: Lifeline) -> String {
        guard line.isFinished else {
            return line.executing == nil
                ? "had not started when the trace ended" : "still executed when the trace ended"
        }
        return switch operation.outcome {
        case .failed(let message):
            "failed: " + TerminalText.shortened(message, toColumns: Self.longestText)
        case .cancelled: "finished, cancelled"
        case .succeeded, nil: "finished"
        }
    }
}
