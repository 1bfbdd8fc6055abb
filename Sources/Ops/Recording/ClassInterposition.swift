import CRecorder
import EventLog
import Foundation

/// Decides how operations of classes outside this package are observed. This is the only place that does.
enum ClassInterposition {
    /// Whether methods in the tables of their classes are replaced, which makes every transition exact. If
    /// that is not possible, or `OPVIZ_OBSERVE=passive` forbids it, operations are observed passively, which
    /// gives intervals.
    static let isInterposing: Bool = {
        guard Environment.allowsInterposition else { return false }
        var hooks = observation_hooks(
            edge: { log, identifier, predecessor, isRemoved in
                guard let log, let predecessor else { return }
                ClassInterposition.recordEdge(
                    log, OperationID(identifier), operation(at: predecessor), isRemoved: isRemoved)
            },
            check_edges: { log, identifier, address, known, enqueued in
                guard let log, let address else { return false }
                let dependencies = operation(at: address).base.storedDependencies
                guard dependencies.count > known else { return false }
                for predecessor in dependencies {
                    ClassInterposition.recordEdge(
                        log, OperationID(identifier), predecessor, isRemoved: false, notBefore: enqueued)
                }
                return true
            })
        return recorder_interpose(&hooks)
    }()

    /// Whether everything that happens to `operation` is seen from now on. Any thread.
    static func observesClass(of operation: Operation) -> Bool {
        isInterposing && recorder_observe_class(ClassTable(of: type(of: operation)).metadata)
    }

    /// Whether the class of `operation` inherits `isReady` from `Operation`.
    static func hasBaseReadiness(_ operation: Operation) -> Bool {
        observesClass(of: operation)
            && recorder_has_base(METHOD_IS_READY, ClassTable(of: type(of: operation)).metadata)
    }

    /// Whether `operation` waits for others, including barriers. Does not ask the operation if that can be
    /// avoided.
    static func mayHaveEdges(_ operation: Operation) -> Bool {
        !isInterposing || recorder_may_have_edges(address(of: operation))
    }

    /// Whether `operation` was cancelled, whatever its class says. Takes no lock if that can be avoided.
    static func isCancelled(_ operation: Operation) -> Bool {
        isInterposing ? recorder_is_cancelled(address(of: operation)) : operation.base.storedIsCancelled
    }

    /// Whether the queue of `operation`, whose `isFinished` is true, was notified. True if that is not known.
    static func wasNotifiedOfFinish(of operation: Operation) -> Bool {
        !isInterposing || recorder_was_notified_of_finish(address(of: operation))
    }

    /// Whether the queue of `operation` was notified that it finished. For an operation that was added before
    /// it was recorded.
    ///
    /// Foundation's `start` counts an operation as finished when `main` has returned, and then asks it. An
    /// operation with its own `isFinished` may deny it, and go on. Foundation's state rises once more when
    /// the operation says yes.
    static func wasNotifiedOfFinishBefore(_ operation: Operation) -> Bool {
        guard operation.base.storedIsFinished else { return false }
        guard isInterposing, let finishedState,
            !recorder_has_base(METHOD_IS_FINISHED, ClassTable(of: type(of: operation)).metadata)
        else { return true }
        return recorder_state(address(of: operation)) == finishedState
    }

    /// Foundation's number for the state of finished operations. Nil if it is not known.
    private static let finishedState: CInt? = {
        let operation = Operation()
        operation.start()
        let state = recorder_state(address(of: operation))
        return state < 0 ? nil : state
    }()

    /// Whether a barrier is waiting in `queue`. Nil if that is not known.
    static func hasWaitingBarrier(_ queue: OperationQueue) -> Bool? {
        guard isInterposing else { return nil }
        var isKnown = false
        let isWaiting = recorder_has_waiting_barrier(Unmanaged.passUnretained(queue).toOpaque(), &isKnown)
        return isKnown ? isWaiting : nil
    }

    /// Whether `operation` is ready, as far as that is known without asking its class. A class that overrides
    /// `isReady` decides for itself, and reports it when Foundation asks.
    static func isKnownReady(_ operation: Operation) -> Bool {
        operation.base.storedIsReady && leavesReadiness(operation)
    }

    private static func leavesReadiness(_ operation: Operation) -> Bool {
        // In these classes, `isReady` is `final`.
        if operation.observed != nil { return true }
        let table = ClassTable(of: type(of: operation))
        if isInterposing { return recorder_has_base(METHOD_IS_READY, table.metadata) }
        guard let readinessSlot else { return false }
        return table.method(readinessSlot) == ClassTable(of: Operation.self).method(readinessSlot)
    }

    /// The slot of `isReady` in the table of a class, as long as no method is replaced. Nil if it was not
    /// found.
    private static let readinessSlot: Int? = {
        #if canImport(ObjectiveC)
            nil
        #else
            let slots = ClassTable.slots(base: Operation.self, plain: Plain.self, overriding: Ready.self)
            return slots.count == 1 ? slots[0] : nil
        #endif
    }()

    private class Plain: Operation, @unchecked Sendable {}
    private class Ready: Operation, @unchecked Sendable {
        override var isReady: Bool { super.isReady }
    }

    static func isRecorded(_ operation: Operation, in log: RecordLog) -> Bool {
        recorder_is_recorded(log.log, address(of: operation))
    }

    /// The identifier of `operation`, whose class is observed.
    static func identify(_ operation: Operation, in log: RecordLog) -> (id: OperationID, isNew: Bool) {
        var isNew = false
        let identifier = recorder_identify(log.log, address(of: operation), &isNew)
        return (OperationID(identifier), isNew)
    }

    /// Records `operation`, whose class is observed, until it is deallocated.
    static func record(
        _ operation: Operation, as id: OperationID, enqueued: LogTime, edges: Int, readiness: Readiness,
        in log: RecordLog
    ) {
        recorder_record_operation(
            log.log, address(of: operation), id.rawValue, enqueued, Int32(clamping: edges), readiness.rawValue
        )
    }

    /// Logs what happened to `operation` before it was recorded.
    static func catchUp(with operation: Operation) {
        recorder_catch_up(address(of: operation), wasNotifiedOfFinishBefore(operation))
        let stored = operation.base
        if !stored.storedIsExecuting && !stored.storedIsFinished { recordReadiness(of: operation) }
    }

    /// What is known about an operation's readiness when it is enqueued.
    enum Readiness: UInt32 {
        case unknown = 0
        /// An answer to `isReady` means nothing until `arm`.
        case pending = 1
        /// Logged as ready.
        case ready = 2
    }

    /// Records `operation`, whose class is not observed, as far as the platform allows.
    static func recordPassively(
        _ operation: Operation, as observation: OperationObservation, in queue: LoggedQueue
    ) {
        #if canImport(ObjectiveC)
            KeyValueObservation.record(operation, as: observation)
        #else
            PassiveObservation.record(operation, as: observation, in: queue)
        #endif
    }

    /// Call this when a recorded operation has all the edges of its enqueue.
    static func arm(_ operation: Operation) {
        recorder_arm(address(of: operation))
        recordReadiness(of: operation)
    }

    private static func recordReadiness(of operation: Operation) {
        if leavesReadiness(operation) { recorder_ask_ready(address(of: operation)) }
    }

    private static func recordEdge(
        _ log: OpaquePointer, _ id: OperationID, _ predecessor: Operation, isRemoved: Bool,
        notBefore: LogTime? = nil
    ) {
        guard let writer = OpenWriters.writer(of: log) else { return }
        let predecessor = writer.identify(predecessor, canReadName: false)
        writer.append(
            isRemoved
                ? .dependencyRemoved(id, predecessor: predecessor)
                : .dependencyAdded(id, predecessor: predecessor),
            notBefore: notBefore)
    }

    private static func address(of operation: Operation) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(operation).toOpaque()
    }

    private static func operation(at address: UnsafeMutableRawPointer) -> Operation {
        Unmanaged<Operation>.fromOpaque(address).takeUnretainedValue()
    }
}
