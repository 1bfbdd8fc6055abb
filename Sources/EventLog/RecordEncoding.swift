/// Events as records: what is always there in one record, what is there sometimes in records before it.
extension LogEvent.Body {
    /// Packs an enqueue's queue and kind into an argument.
    package static func packed(queue: QueueID, kind: UInt32) -> UInt64? {
        guard queue.rawValue < 1 << 28, kind < 1 << 28 else { return nil }
        return queue.rawValue | UInt64(kind) << 28
    }

    /// The records of this event, those that are said of the last one before it.
    ///
    /// - Parameter text: gives the number of a text in the log.
    /// - Returns: nil for an identifier that is larger than the format can hold.
    package func records(text: (String) -> UInt32) -> [BinaryRecord]? {
        switch self {
        case .enqueued(let enqueue):
            guard let argument = Self.packed(queue: enqueue.queue, kind: text(enqueue.kind)) else {
                return nil
            }
            var records: [BinaryRecord] = []
            if let name = enqueue.name { records.append(BinaryRecord(.name, argument: UInt64(text(name)))) }
            if let origin = enqueue.origin {
                records.append(BinaryRecord(.code, argument: UInt64(text(origin))))
            }
            if let parent = enqueue.parent { records.append(BinaryRecord(.parent, subject: parent.rawValue)) }
            if enqueue.priority != 0 {
                records.append(BinaryRecord(.number, subject: UInt64(bitPattern: Int64(enqueue.priority))))
            }
            records += enqueue.dependencies.map { BinaryRecord(.dependency, subject: $0.rawValue) }
            records.append(BinaryRecord(.enqueued, subject: enqueue.operation.rawValue, argument: argument))
            return records
        case .sighted(let operation, let kind, let name):
            let names = name.map { [BinaryRecord(.name, argument: UInt64(text($0)))] } ?? []
            return names + [
                BinaryRecord(.sighted, subject: operation.rawValue, argument: UInt64(text(kind)))
            ]
        case .dependencyAdded(let operation, let predecessor):
            return [
                BinaryRecord(.dependency, subject: predecessor.rawValue),
                BinaryRecord(.dependencyAdded, subject: operation.rawValue),
            ]
        case .dependencyRemoved(let operation, let predecessor):
            return [
                BinaryRecord(.dependency, subject: predecessor.rawValue),
                BinaryRecord(.dependencyRemoved, subject: operation.rawValue),
            ]
        case .ready(let operation): return [BinaryRecord(.ready, subject: operation.rawValue)]
        case .executing(let operation): return [BinaryRecord(.executing, subject: operation.rawValue)]
        case .cancelled(let operation): return [BinaryRecord(.cancelled, subject: operation.rawValue)]
        case .bodyBegan(let operation): return [BinaryRecord(.bodyBegan, subject: operation.rawValue)]
        case .bodyEnded(let operation): return [BinaryRecord(.bodyEnded, subject: operation.rawValue)]
        case .slotFree(let operation): return [BinaryRecord(.slotFree, subject: operation.rawValue)]
        case .contextSent(let operation): return [BinaryRecord(.contextSent, subject: operation.rawValue)]
        case .unnotifiedFinish(let operation):
            return [BinaryRecord(.unnotifiedFinish, subject: operation.rawValue)]
        case .contextReceived(let operation, let traceparent):
            return [
                BinaryRecord(
                    .contextReceived, subject: operation?.rawValue ?? 0, argument: UInt64(text(traceparent)))
            ]
        case .finished(let operation, let outcome):
            let argument: UInt64 =
                switch outcome {
                case .succeeded: 0
                case .cancelled: 1
                case .failed(let message): 2 | UInt64(text(message)) << 2
                }
            return [BinaryRecord(.finished, subject: operation.rawValue, argument: argument)]
        case .queueOpened(let queue, let name, let limit, let isSuspended):
            return [
                BinaryRecord(.number, subject: UInt64(bitPattern: Int64(limit))),
                BinaryRecord(
                    .queueOpened, subject: queue.rawValue,
                    argument: UInt64(text(name)) << 1 | (isSuspended ? 1 : 0)),
            ]
        case .queueRenamed(let queue, let name):
            return [BinaryRecord(.queueRenamed, subject: queue.rawValue, argument: UInt64(text(name)))]
        case .suspended(let queue): return [BinaryRecord(.suspended, subject: queue.rawValue)]
        case .resumed(let queue): return [BinaryRecord(.resumed, subject: queue.rawValue)]
        case .limitChanged(let queue, let limit):
            return [
                BinaryRecord(.number, subject: UInt64(bitPattern: Int64(limit))),
                BinaryRecord(.limitChanged, subject: queue.rawValue),
            ]
        case .allCancelled(let queue): return [BinaryRecord(.allCancelled, subject: queue.rawValue)]
        case .marked(let mark, let operation):
            let parents = operation.map { [BinaryRecord(.parent, subject: $0.rawValue)] } ?? []
            return parents + [BinaryRecord(.mark, argument: UInt64(text(mark)))]
        case .waitBegan(let target, let operation):
            let parents = operation.map { [BinaryRecord(.parent, subject: $0.rawValue)] } ?? []
            switch target {
            case .operation(let id): return parents + [BinaryRecord(.waitForOperation, subject: id.rawValue)]
            case .queue(let id): return parents + [BinaryRecord(.waitForQueue, subject: id.rawValue)]
            }
        case .waitEnded: return [BinaryRecord(.waitEnded)]
        }
    }
}
