import InspectorColumns

/// How an operation ended, as shown in pictures.
package enum OperationEnding: Int, CaseIterable, Hashable, Sendable {
    case succeeded, failed, cancelled, unfinished, unobserved

    package init(of operation: TracedOperation) {
        self.init(operation.store.columns, operation.index)
    }

    /// The ending of the operation with that index. Does not read a failure's message.
    package init(_ columns: borrowing OperationColumns, _ index: Int) {
        if !columns.enqueued.has(index) {
            self = .unobserved
        } else if !columns.finished.has(index) {
            self = .unfinished
        } else {
            let outcome = columns.outcomes[index]
            self =
                outcome >= OperationColumns.failed
                ? .failed : outcome == OperationColumns.cancelled ? .cancelled : .succeeded
        }
    }

    /// The name in tables for programs, and in exports.
    package var word: String { "\(self)" }

    package var label: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .unfinished: "never finished"
        case .unobserved: "not observed"
        }
    }

    /// For tooltips and the glossary, without a full stop.
    package var meaning: String {
        switch self {
        case .succeeded: "finished, and nothing said that it failed or was cancelled"
        case .failed: "finished with an error"
        case .cancelled: "finished after it was cancelled"
        case .unfinished: "had not finished when the trace ended"
        case .unobserved: "only events of other operations name it"
        }
    }
}
