import InspectorColumns

/// A row for each event: the transitions by operation, then events of queues and threads. The rows are not
/// sorted by time; a database can do that.
struct EventsTable {
    static let columns =
        TableWriter.runColumns + [
            "time_ns", "not_before_ns", "time_utc_ns", "event", "operation", "queue_id", "thread", "target",
            "text",
        ]

    private let exported: ExportedTrace

    init(exported: ExportedTrace) {
        self.exported = exported
    }

    func write(_ writer: consuming TableWriter, _ emit: ([UInt8]) -> Void) {
        let transitions = exported.analysis.timings.transitions
        for operation in exported.trace.operations {
            guard let line = transitions[operation.index] else { continue }
            addTransitions(operation, line, &writer, emit)
        }
        for queue in exported.trace.queues { add(queue, &writer, emit) }
        for mark in exported.trace.marks {
            let row = Row(
                "mark", operation: identifier(mark.operation), thread: mark.thread, text: mark.text)
            add(row, at: TraceMoment(mark.time), &writer, emit)
        }
        for wait in exported.trace.blockingWaits {
            let target =
                switch wait.target {
                case .operation(let index): identifier(index)
                case .queue(let index):
                    exported.trace.queues.indices.contains(index)
                        ? exported.trace.queues[index].id.description : nil
                }
            let operation = identifier(wait.operation)
            let began = Row("wait_began", operation: operation, thread: wait.thread, target: target)
            add(began, at: TraceMoment(wait.start), &writer, emit)
            guard let end = wait.end else { continue }
            let ended = Row("wait_ended", operation: operation, thread: wait.thread, target: target)
            add(ended, at: TraceMoment(max(wait.start, end)), &writer, emit)
        }
        for again in exported.trace.repeatedTransitions {
            let word = again.transition == .executing ? "executing_again" : "finished_again"
            add(
                Row(word, operation: identifier(again.operation)), at: TraceMoment(again.time), &writer, emit)
        }
        emit(writer.bytes)
    }

    private struct Row {
        var event: String
        var operation: String?
        var queue: String?
        var thread: UInt64?
        var target: String?
        var text: String?

        init(
            _ event: String, operation: String? = nil, queue: String? = nil, thread: UInt64? = nil,
            target: String? = nil, text: String? = nil
        ) {
            self.event = event
            self.operation = operation
            self.queue = queue
            self.thread = thread
            self.target = target
            self.text = text
        }
    }

    private func addTransitions(
        _ operation: TracedOperation, _ line: OrderedTransitions, _ writer: inout TableWriter,
        _ emit: ([UInt8]) -> Void
    ) {
        let identifier = operation.id.description
        let queue = exported.queue(of: operation.index)?.id.description
        func add(_ event: String, _ moment: TraceMoment?, thread: UInt64? = nil, text: String? = nil) {
            guard let moment else { return }
            let row = Row(event, operation: identifier, queue: queue, thread: thread, text: text)
            self.add(row, at: moment, &writer, emit)
        }
        add("enqueued", TraceMoment(line.enqueued))
        add("ready", line.ready)
        add("executing", line.executing, thread: operation.thread)
        add("body_began", operation.bodyBegan)
        add("cancelled", operation.cancelled)
        add("body_ended", operation.bodyEnded)
        guard line.isFinished else { return }
        add(
            "finished", line.finished,
            text: OperationEnding(exported.trace.operations.store.columns, operation.index).word)
    }

    private func add(_ queue: TracedQueue, _ writer: inout TableWriter, _ emit: ([UInt8]) -> Void) {
        let identifier = queue.id.description
        for (time, limit) in queue.limits {
            add(Row("limit", queue: identifier, text: String(limit)), at: TraceMoment(time), &writer, emit)
        }
        for suspension in queue.suspensions {
            add(Row("suspended", queue: identifier), at: TraceMoment(suspension.lowerBound), &writer, emit)
            add(Row("resumed", queue: identifier), at: TraceMoment(suspension.upperBound), &writer, emit)
        }
        for time in queue.cancellations {
            add(Row("all_cancelled", queue: identifier), at: TraceMoment(time), &writer, emit)
        }
    }

    private func add(
        _ row: Row, at moment: TraceMoment, _ writer: inout TableWriter, _ emit: ([UInt8]) -> Void
    ) {
        let time = TraceMoment.bounded(moment.notAfter)
        writer.addRun(exported)
        writer.add(time)
        writer.add(min(time, TraceMoment.bounded(moment.notBefore)))
        writer.add(exported.absolute(time))
        writer.add(row.event)
        writer.add(row.operation)
        writer.add(row.queue)
        writer.add(row.thread)
        writer.add(row.target)
        writer.add(row.text)
        writer.endRow(emit)
    }

    private func identifier(_ index: Int?) -> String? {
        guard let index, exported.trace.operations.indices.contains(index) else { return nil }
        return exported.trace.operations[index].id.description
    }
}
