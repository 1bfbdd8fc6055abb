import CRecorder
import EventLog
import Foundation

/// Operations that are being added to a queue: what is logged before Foundation adds them, and what is known after.
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
    let barriers: [OperationID]

    init(_ queue: QueueObservation, parent: OperationID?) {
        self.queue = queue
        self.parent = parent
        barriers = queue.barriers
    }

    /// Logs the enqueue of `operation`, and sees to it that what happens to it is logged.
    func log(_ operation: Operation) -> Following {
        let writer = queue.writer
        let known = operation.dependencies
        let enqueue = LogEvent.Enqueue(
            operation: writer.identity(of: operation).id, kind: operationKind(of: operation),
            name: operation.name,
            queue: queue.id, parent: parent, dependencies: known.map { writer.identify($0) } + barriers,
            priority: operation.queuePriority.rawValue)
        if let own = operation as? any ObservedOperation {
            let observation = OperationObservation(enqueue, in: queue, isReadinessPending: !barriers.isEmpty)
            own.attach(observation)
            // Asking notes it: what waits for nothing is ready before Foundation gets to look.
            if barriers.isEmpty { _ = operation.isReady }
            return .observed(observation)
        }
        guard ForeignObservation.observesClass(of: operation) else {
            let observation = OperationObservation(enqueue, in: queue, isReadinessPending: !barriers.isEmpty)
            ForeignObservation.followFromOutside(operation, as: observation)
            return .observed(observation)
        }
        ForeignObservation.follow(
            operation, as: enqueue.operation, enqueued: writer.append(.enqueued(enqueue)), edges: known.count,
            isReadinessPending: !barriers.isEmpty, in: writer.log)
        if barriers.isEmpty { _ = operation.isReady }
        return .interposed
    }

    /// To be called when Foundation has added `operation`, and with it the edges of the barriers.
    func arm(_ operation: Operation, _ following: Following) {
        guard !barriers.isEmpty else { return }
        switch following {
        case .observed(let observation): observation.armReadiness(of: operation)
        case .interposed: ForeignObservation.arm(operation)
        }
    }
}
