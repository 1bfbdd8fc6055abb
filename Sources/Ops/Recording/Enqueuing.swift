import CRecorder
import EventLog
import Foundation

/// Operations that are being added to a queue: what is logged before Foundation adds them, and what is known
/// after.
struct Enqueuing {
    /// How an operation is followed from then on.
    enum Following {
        /// It says itself what happens to it, or is followed from outside.
        case observed(OperationObservation)
        /// Its class was changed to say so.
        case interposed
    }

    let queue: QueueObservation
    let parent: OperationID?
    /// The barriers that have not finished.
    let barriers: [OperationObservation]
    /// Whether an operation's being ready means nothing before it has been added.
    private let isReadinessPending: Bool

    init(_ observation: QueueObservation, of queue: OperationQueue, parent: OperationID?) {
        self.queue = observation
        self.parent = parent
        barriers = observation.barriers.unfinished
        isReadinessPending = !barriers.isEmpty || observation.mayWaitForEarlier(in: queue)
    }

    /// Logs the enqueue of `operation`, and sees to it that what happens to it is logged.
    func log(_ operation: Operation) -> Following {
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
            dependencies: known.map { writer.identify($0) } + barriers.map(\.id), priority: priority)
        switch found.following {
        case .own:
            let observation = OperationObservation(
                enqueue, code: code, in: queue, isReadinessPending: isReadinessPending)
            operation.observed?.attach(observation)
            if operation.base.storedIsCancelled { observation.noteCancelled(notBefore: writer.start) }
            // Asking notes it: what waits for nothing is ready before Foundation gets to look.
            if !isReadinessPending { _ = operation.isReady }
            return .observed(observation)
        case .interposed:
            ForeignObservation.follow(
                operation, as: id, enqueued: writer.append(.enqueued(enqueue), code: code),
                edges: known.count,
                readiness: isReadinessPending ? .pending : .unknown, in: writer.log)
            return .interposed
        case .outside:
            let observation = OperationObservation(
                enqueue, code: code, in: queue, isReadinessPending: isReadinessPending)
            ForeignObservation.followFromOutside(operation, as: observation)
            return .observed(observation)
        }
    }

    /// As most operations are: there is no more to say of them than their class, and they wait for nothing.
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
        operation.observed?.attach(observation)
        if operation.base.storedIsCancelled { observation.noteCancelled(notBefore: queue.writer.start) }
        return .observed(observation)
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

    /// To be called when Foundation has added `operation`, and with it the edges of the barriers.
    ///
    /// It waits for the barriers, also where Foundation says that it is ready: it gives no edges of a barrier
    /// that is running.
    func arm(_ operation: Operation, _ following: Following) {
        guard isReadinessPending else { return }
        queue.barriers.whenFinished(barriers) { [weak operation] in
            guard let operation else { return }
            if let closure = operation as? ObservedBlock { return closure.armReadiness() }
            switch following {
            case .observed(let observation): observation.armReadiness(of: operation)
            case .interposed: ForeignObservation.arm(operation)
            }
        }
    }
}
