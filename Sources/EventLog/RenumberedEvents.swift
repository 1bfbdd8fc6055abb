// Events of several logs are kept apart by other numbers for the operations and queues in them.

extension LogEvent.Body {
    /// The same, with other identifiers.
    package func renumbered(
        operation: (OperationID) -> OperationID, queue: (QueueID) -> QueueID
    ) -> LogEvent.Body {
        switch self {
        case .enqueued(var enqueue):
            enqueue.operation = operation(enqueue.operation)
            enqueue.queue = queue(enqueue.queue)
            enqueue.parent = enqueue.parent.map(operation)
            enqueue.dependencies = enqueue.dependencies.map(operation)
            return .enqueued(enqueue)
        case .sighted(let id, let kind, let name): return .sighted(operation(id), kind: kind, name: name)
        case .dependencyAdded(let id, let predecessor):
            return .dependencyAdded(operation(id), predecessor: operation(predecessor))
        case .dependencyRemoved(let id, let predecessor):
            return .dependencyRemoved(operation(id), predecessor: operation(predecessor))
        case .ready(let id): return .ready(operation(id))
        case .executing(let id): return .executing(operation(id))
        case .cancelled(let id): return .cancelled(operation(id))
        case .finished(let id, let outcome): return .finished(operation(id), outcome)
        case .bodyBegan(let id): return .bodyBegan(operation(id))
        case .bodyEnded(let id): return .bodyEnded(operation(id))
        case .slotFree(let id): return .slotFree(operation(id))
        case .contextSent(let id): return .contextSent(operation(id))
        case .unnotifiedFinish(let id): return .unnotifiedFinish(operation(id))
        case .contextReceived(let id, let traceparent):
            return .contextReceived(id.map(operation), traceparent: traceparent)
        case .queueOpened(let id, let name, let limit, let isSuspended):
            return .queueOpened(queue(id), name: name, limit: limit, isSuspended: isSuspended)
        case .queueRenamed(let id, let name): return .queueRenamed(queue(id), name: name)
        case .suspended(let id): return .suspended(queue(id))
        case .resumed(let id): return .resumed(queue(id))
        case .limitChanged(let id, let limit): return .limitChanged(queue(id), limit: limit)
        case .allCancelled(let id): return .allCancelled(queue(id))
        case .marked(let text, let id): return .marked(text, by: id.map(operation))
        case .waitBegan(.operation(let target), let id):
            return .waitBegan(.operation(operation(target)), by: id.map(operation))
        case .waitBegan(.queue(let target), let id):
            return .waitBegan(.queue(queue(target)), by: id.map(operation))
        case .waitEnded: return .waitEnded
        }
    }

    /// The largest number of an operation and of a queue in it; nil where there is none.
    package var largestIdentifiers: (operation: UInt64?, queue: UInt64?) {
        var largest: (operation: UInt64?, queue: UInt64?) = (nil, nil)
        _ = renumbered {
            largest.operation = max(largest.operation ?? 0, $0.rawValue)
            return $0
        } queue: {
            largest.queue = max(largest.queue ?? 0, $0.rawValue)
            return $0
        }
        return largest
    }
}
