import CRecorder
import Foundation

/// What is known about the class of an operation, determined once for each log.
struct OperationClass {
    /// How operations of the class are observed.
    enum ObservationMethod {
        /// A class of this package: its operations report their own transitions.
        case own
        /// Their methods were replaced.
        case interposed
        /// Their methods cannot be replaced, so transitions become known late.
        case passive
    }

    let observationMethod: ObservationMethod
    /// The number in the log of the kind of all operations of the class. Nil if each operation states its own
    /// kind.
    let kind: UInt32?
    /// Whether an operation is ready as soon as it waits for nothing.
    let isReadyWithoutEdges: Bool

    /// The class of `operation`. Concurrent calls give the same result.
    static func of(_ operation: Operation, in log: RecordLog) -> OperationClass {
        let metadata = ClassTable(of: type(of: operation)).metadata
        var stored: UInt32 = 0
        if recorder_class_find(log.log, metadata, &stored) { return OperationClass(stored: stored) }
        let found = OperationClass(of: operation, in: log)
        // If the log was full before the name was stored, it may have room at the next operation.
        if found.kind != 0 { recorder_class_store(log.log, metadata, found.stored) }
        return found
    }

    private init(of operation: Operation, in log: RecordLog) {
        observationMethod =
            if operation.observed != nil {
                .own
            } else if ClassInterposition.observesClass(of: operation) {
                .interposed
            } else {
                .passive
            }
        kind = operation is any KindedOperation ? nil : log.number(of: operationKind(of: operation))
        isReadyWithoutEdges =
            switch observationMethod {
            case .own: true
            case .interposed: ClassInterposition.hasBaseReadiness(operation)
            case .passive: false
            }
    }

    // MARK: As a number

    private var stored: UInt32 {
        let observationBits: UInt32 =
            switch observationMethod {
            case .own: RECORDER_CLASS_IS_OURS
            case .interposed: RECORDER_CLASS_IS_OBSERVED
            case .passive: 0
            }
        return observationBits | (kind ?? RECORDER_CLASS_HAS_OWN_KINDS)
            | (isReadyWithoutEdges ? RECORDER_CLASS_IS_READY : 0)
    }

    private init(stored: UInt32) {
        func has(_ bit: UInt32) -> Bool { stored & bit != 0 }
        observationMethod =
            has(RECORDER_CLASS_IS_OURS)
            ? .own : has(RECORDER_CLASS_IS_OBSERVED) ? .interposed : .passive
        kind = has(RECORDER_CLASS_HAS_OWN_KINDS) ? nil : stored & RECORDER_KIND_MASK
        isReadyWithoutEdges = has(RECORDER_CLASS_IS_READY)
    }
}
