import CRecorder
import EventLog
import Foundation

/// Logs operations that are being added to a queue, and sees to it that what happens to them is logged.
struct LogSink {
    /// How an operation is followed from then on.
    enum Following {
        /// A closure's, which says itself what happens to it.
        case closure
        /// It says itself what happens to it, or is followed passively.
        case observed(OperationObservation)
        /// Its class was changed to say so.
        case interposed

        /// To be called when `operation` has all the edges of its enqueue, and the barriers before it have
        /// finished.
        func arm(_ operation: Operation) {
            switch self {
            case .closure: (operation as? ObservedBlock)?.armReadiness()
            case .observed(let observation): observation.armReadiness(of: operation)
            case .interposed: ForeignObservation.arm(operation)
            }
        }
    }

    let queue: QueueObservation
    let parent: OperationID?

    /// Logs the enqueue of `operation`, and sees to it that what happens to it is logged.
    ///
    /// - Parameter isReadinessPending: an answer to `isReady` says nothing until it is armed.
    func enqueue(_ operation: Operation, behind barriers: [QueueBarrier], isReadinessPending: Bool)
        -> Following
    {
        if let closure = operation as? ObservedBlock {
            closure.logEnqueue(
                in: queue, parent: parent, barriers: identify(barriers),
                isReadinessPending: isReadinessPending)
            return .closure
        }
        let writer = queue.writer
        let found = OperationClass.of(operation, in: writer.log)
        // Most have none, and asking takes longer than looking.
        let known = ForeignObservation.mayHaveEdges(operation) ? operation.base.storedDependencies : []
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
        switch found.following {
        case .own:
            let observation = OperationObservation(
                enqueue, code: code, in: queue, isReadinessPending: isReadinessPending)
            attach(observation, to: operation)
            // Asking notes it: what waits for nothing is ready before Foundation gets to look.
            if !isReadinessPending { _ = operation.isReady }
            return .observed(observation)
        case .interposed:
            ForeignObservation.follow(
                operation, as: id, enqueued: writer.append(.enqueued(enqueue), code: code),
                edges: known.count,
                readiness: isReadinessPending ? .pending : .unknown, in: writer.log)
            return .interposed
        case .passive:
            let observation = OperationObservation(
                enqueue, code: code, in: queue, isReadinessPending: isReadinessPending)
            ForeignObservation.followPassively(operation, as: observation)
            return .observed(observation)
        }
    }

    /// Most operations: only their class is known, and they wait for nothing.
    private func logReady(
        _ operation: Operation, _ found: OperationClass, as id: OperationID, kind: UInt32,
        _ code: ClosureCode?
    ) -> Following {
        if case .interposed = found.following {
            let time = queue.appendEnqueue(
                of: id, kind: kind, parent: parent, code: code, isReady: true)
            ForeignObservation.follow(
                operation, as: id, enqueued: time, edges: 0, readiness: .ready, in: queue.writer.log)
            return .interposed
        }
        let observation = OperationObservation(
            readyAtOnce: id, kind: kind, parent: parent, code: code, in: queue)
        attach(observation, to: operation)
        return .observed(observation)
    }

    private func attach(_ observation: OperationObservation, to operation: Operation) {
        (operation as? AsynchronousOperation)?.attach(observation)
        if operation.base.storedIsCancelled { observation.noteCancelled(notBefore: queue.writer.start) }
    }

    /// Logs the enqueue of a barrier behind `waiting`.
    func enqueueBarrier(behind waiting: [Operation], _ barriers: [QueueBarrier]) -> OperationObservation {
        OperationObservation(
            .init(
                operation: queue.writer.registry.nextOperation(), kind: "Barrier", queue: queue.id,
                parent: parent,
                dependencies: waiting.map { queue.writer.identify($0) } + identify(barriers)),
            in: queue)
    }

    /// The barriers that this log knows; another may have been written when others were added.
    private func identify(_ barriers: [QueueBarrier]) -> [OperationID] {
        // There is seldom one, and this takes longer than looking.
        guard !barriers.isEmpty else { return [] }
        return barriers.compactMap { $0.listeners.log }.filter { $0.queue === queue }.map(\.id)
    }

    /// Logs an operation that is in the queue already: when it was added, and what happened to it until now,
    /// is known as an interval.
    func logEarlier(_ operation: Operation) {
        let writer = queue.writer
        let found = OperationClass.of(operation, in: writer.log)
        guard case .interposed = found.following, !ForeignObservation.isFollowed(operation, in: writer.log)
        else { return }
        let id = writer.identity(of: operation, found).id
        let known = operation.base.storedDependencies
        let enqueue = LogEvent.Enqueue(
            operation: id, kind: operationKind(of: operation), name: operation.base.storedName,
            queue: queue.id,
            dependencies: known.map { writer.identify($0) }, priority: operation.base.storedPriority)
        writer.append(.enqueued(enqueue), notBefore: writer.start, code: ClosureCode(of: operation))
        ForeignObservation.follow(
            operation, as: id, enqueued: writer.start, edges: known.count, readiness: .unknown, in: writer.log
        )
        // It may have started or finished meanwhile, and nobody saw it.
        ForeignObservation.catchUp(with: operation)
    }
}
