/// How an operation ended, as pictures tell it.
enum OperationEnding: CaseIterable, Hashable, Sendable {
    case succeeded, failed, cancelled, unfinished, unobserved

    init(of operation: TracedOperation) {
        if operation.enqueued == nil {
            self = .unobserved
        } else if operation.finished == nil {
            self = .unfinished
        } else {
            switch operation.outcome {
            case .failed: self = .failed
            case .cancelled: self = .cancelled
            case .succeeded, nil: self = .succeeded
            }
        }
    }

    var label: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .unfinished: "never finished"
        case .unobserved: "not observed"
        }
    }
}
