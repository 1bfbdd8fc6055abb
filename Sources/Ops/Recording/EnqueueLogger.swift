import CRecorder
import EventLog
import Foundation

/// Logs operations that are being added to a queue, and records them from then on.
struct EnqueueLogger {
    /// How an operation is recorded from then on.
    enum Recording {
        /// A closure's operation, which logs its own transitions.
        case closure
        /// It logs its own transitions, or is observed passively.
        case observed(OperationObservation)
        /// The methods of its class were replaced.
        case interposed

        /// Call this when `operation` has all the edges of its enqueue, and the barriers before it have
        /// finished.
        func arm(_ operation: Operation) {
            switch self {
            case .closure: (operation as? ObservedBlock)?.armReadiness()
            case .observed(let observation): observation.armReadiness(of: operation)
            case .interposed: ClassInterposition.arm(operation)
            }
        }
    }

    let queue: LoggedQueue
    let parent: OperationID?

    /// Logs the enqueue of `operation`, and records it from then on.
    ///
    /// - Parameter isReadinessPending: an answer to `isReady` means nothing until it is armed.
    func enqueue(_ operation: Operation, behind barriers: [QueueBarrier], isReadinessPending: Bool)
        -> Recording
    {
        if let closure = operation as? ObservedBlock {
            closure.logEnqueue(
                in: queue, parent: parent, barriers: identify(barriers),
                isReadinessPending: isReadinessPending)
            return .closure
        }
        let writer = queue.writer
        let found = OperationClass.of(operation, in: writer.log)
        // Most operations have no edges, and asking takes longer than this check.
        let known = ClassInterposition.mayHaveEdges(operation) ? operation.base.storedDependencies : []
        let name = operation.base.storedName
        let priority = operation.base.storedPriority
        let id = writer.identity(of: operation, found).id
        let code = ClosureCode(of: operation)
        if let kind = found.kind, found.isReadyWithoutEdges, known.isEmpty, !isReadinessPending, name == nil,
            priority == 0
        {
            return logReady(operation, found, as: id, kind: kind, code)
        }
        let enqueue = LogEvent.Enqueue(
            operation: id, kind: operationKind(of: operation), name: name, queue: queue.id, parent: parent,
            dependencies: known.map { writer.identify($0) } + identify(barriers), priority: priority)
        switch found.observationMethod {
        case .own:
            let observation = OperationObservation(
                enqueue, code: code, in: writer, isReadinessPending: isReadinessPending)
            attach(observation, to: operation)
            // Asking records the readiness: an operation that waits for nothing is ready before Foundation
            // asks.
            if !isReadinessPending { _ = operation.isReady }
            return .observed(observation)
        case .interposed:
            ClassInterposition.record(
                operation, as: id, enqueued: writer.append(.enqueued(enqueue), code: code),
                edges: known.count,
                readiness: isReadinessPending ? .pending : .unknown, in: writer.log)
            return .interposed
        case .passive:
            let observation = OperationObservation(
                enqueue, code: code, in: writer, isReadinessPending: isReadinessPending)
            ClassInterposition.recordPassively(operation, as: observation, in: queue)
            return .observed(observation)
        }
    }

    /// Logs the common case: only the class of the operation is known, and it waits for nothing.
    private func logReady(
        _ operation: Operation, _ found: OperationClass, as id: OperationID, kind: UInt32,
        _ code: ClosureCode?
    ) -> Recording {
        let time = queue.appendEnqueue(of: id, kind: kind, parent: parent, code: code, isReady: true)
        if case .interposed = found.observationMethod {
            ClassInterposition.record(
                operation, as: id, enqueued: time, edges: 0, readiness: .ready, in: queue.writer.log)
            return .interposed
        }
        let observation = OperationObservation(
            readyAtOnce: id, in: queue.writer.reference, enqueueTime: time)
        attach(observation, to: operation)
        return .observed(observation)
    }

    private func attach(_ observation: OperationObservation, to operation: Operation) {
        (operation as? AsynchronousOperation)?.attach(observation)
        if operation.base.storedIsCancelled { observation.recordCancelled(notBefore: queue.writer.start) }
    }

    /// Logs the enqueue of a barrier behind `waiting`.
    func enqueueBarrier(behind waiting: [Operation], _ barriers: [QueueBarrier]) -> OperationObservation {
        OperationObservation(
            .init(
                operation: queue.writer.registry.nextOperation(), kind: KnownKind.barrier, queue: queue.id,
                parent: parent,
                dependencies: waiting.map { queue.writer.identify($0) } + identify(barriers)),
            in: queue.writer)
    }

    /// The barriers that this log knows. Others may have been added while another log was being written.
    private func identify(_ barriers: [QueueBarrier]) -> [OperationID] {
        // There is seldom one, and this takes longer than the check.
        guard !barriers.isEmpty else { return [] }
        return barriers.compactMap { $0.receivers.log }.filter { $0.log.number == queue.writer.log.number }
            .map(\.id)
    }

    /// Logs an operation that is already in the queue. Its enqueue and its events so far are known only as
    /// intervals.
    func logEarlier(_ operation: Operation) {
        let writer = queue.writer
        let found = OperationClass.of(operation, in: writer.log)
        guard case .interposed = found.observationMethod,
            !ClassInterposition.isRecorded(operation, in: writer.log)
        else { return }
        let id = writer.identity(of: operation, found).id
        let known = operation.base.storedDependencies
        let enqueue = LogEvent.Enqueue(
            operation: id, kind: operationKind(of: operation), name: operation.base.storedName,
            queue: queue.id,
            dependencies: known.map { writer.identify($0) }, priority: operation.base.storedPriority)
        writer.append(.enqueued(enqueue), notBefore: writer.start, code: ClosureCode(of: operation))
        ClassInterposition.record(
            operation, as: id, enqueued: writer.start, edges: known.count, readiness: .unknown, in: writer.log
        )
        // It may have started or finished meanwhile without being seen.
        ClassInterposition.catchUp(with: operation)
    }
}
