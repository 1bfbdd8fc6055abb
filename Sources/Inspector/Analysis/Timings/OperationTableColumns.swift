internal import EventLog

/// What every table for programs says of an operation, in the same order and with the same names: those of
/// `opviz table` and of exports, as CSV and as JSON. A new column is a line here, a member in
/// `table.schema.json`, and its meaning in `TableFormat.md` and `Export.md`.
package struct OperationTableColumn: Sendable {
    package enum Value: Sendable {
        /// As it is in the trace.
        case text(String?)
        case number(Int64?)
    }

    /// In tables, with the unit last: `started_ns`.
    package let name: String
    /// In JSON objects: `startedNs`.
    package let key: String
    package let value: @Sendable (OperationTableRow) -> Value

    package static let all: [OperationTableColumn] =
        [
            text("operation") { $0.operation.id.description },
            text("kind") { $0.operation.kind },
            text("name") { $0.operation.name },
            text("queue") { $0.queue?.name },
            text("queue_id") { $0.queue?.id.description },
            text("parent") { $0.parent?.id.description },
            number("thread") { $0.operation.thread.map { Int64(clamping: $0) } },
            number("priority") { Int64($0.operation.priority) },
            text("outcome") { OperationEnding($0.trace.operations.store.columns, $0.operation.index).word },
            text("message") { if case .failed(let message) = $0.operation.outcome { message } else { nil } },
            number("enqueued_ns") { $0.line?.enqueued },
            number("ready_ns") { $0.line?.ready?.notAfter },
            number("started_ns") { $0.line?.executing?.notAfter },
            number("finished_ns") { $0.line.flatMap { $0.isFinished ? $0.finished.notAfter : nil } },
        ]
        + LifetimeParts.Part.allCases.map { part in number("\(part.name)_ns") { $0.waits?[part] } } + [
            number("lifetime_ns") { $0.waits?.total }
        ]

    private static func text(
        _ name: String, _ value: @escaping @Sendable (OperationTableRow) -> String?
    ) -> Self {
        OperationTableColumn(name: name, key: key(name)) { .text(value($0)) }
    }

    private static func number(
        _ name: String, _ value: @escaping @Sendable (OperationTableRow) -> Int64?
    ) -> Self {
        OperationTableColumn(name: name, key: key(name)) { .number(value($0)) }
    }

    private static func key(_ name: String) -> String {
        let words = name.split(separator: "_")
        let others = words.dropFirst().map { $0 == "id" ? "ID" : $0.prefix(1).uppercased() + $0.dropFirst() }
        return words[0] + others.joined()
    }
}

/// An operation, with what is computed of it.
package struct OperationTableRow {
    let trace: Trace
    package let operation: TracedOperation
    /// Nil if it was never enqueued. Contradictory times are moved.
    package let line: OrderedTransitions?
    let waits: LifetimeParts?

    package init(_ timings: TraceTimings, _ index: Int) {
        trace = timings.trace
        operation = trace.operations[index]
        line = timings.transitions[index]
        waits = timings.waits[index]
    }

    fileprivate var queue: TracedQueue? {
        operation.queue.flatMap { trace.queues.indices.contains($0) ? trace.queues[$0] : nil }
    }

    fileprivate var parent: TracedOperation? {
        operation.parent.flatMap { trace.operations.indices.contains($0) ? trace.operations[$0] : nil }
    }
}

extension ExecutionParts {
    /// What tables for programs say of executions, if the trace says when threads were on processors.
    package static let tableColumns = Part.allCases.map { "\($0.row.column)_ns" } + ["is_estimated"]
}
