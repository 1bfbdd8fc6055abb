/// Makes events of the records of one stream, in their order.
struct RecordDecoder {
    /// What stands before a record and is said of it.
    private struct Prefix {
        var notBefore: UInt64?
        var name: UInt32?
        var code: UInt32?
        var parent: OperationID?
        var number: Int?
        var dependencies: [OperationID] = []
    }

    enum Step {
        case event(LogEvent.Body, notBefore: UInt64?)
        /// A record that says something of others.
        case nothing
        /// A record that this version does not know, or that lacks what it needs.
        case unknown
    }

    private(set) var thread: UInt64 = 0
    private let texts: [UInt32: String]
    private var prefix = Prefix()
    private var hasPrefix = false

    init(texts: [UInt32: String]) { self.texts = texts }

    mutating func take(_ record: BinaryRecord) -> Step {
        guard let type = RecordType(rawValue: record.type) else {
            clearPrefix()
            return .unknown
        }
        switch type {
        case .thread: thread = record.subject
        case .anchor: break
        case .notBefore: hold { $0.notBefore = record.subject }
        case .name: hold { $0.name = UInt32(truncatingIfNeeded: record.argument) }
        case .code: hold { $0.code = UInt32(truncatingIfNeeded: record.argument) }
        case .parent: hold { $0.parent = OperationID(record.subject) }
        case .dependency: hold { $0.dependencies.append(OperationID(record.subject)) }
        case .number: hold { $0.number = Int(truncatingIfNeeded: Int64(bitPattern: record.subject)) }
        default:
            defer { clearPrefix() }
            guard let body = body(type, record) else { return .unknown }
            return .event(body, notBefore: prefix.notBefore)
        }
        return .nothing
    }

    private mutating func hold(_ change: (inout Prefix) -> Void) {
        change(&prefix)
        hasPrefix = true
    }

    private mutating func clearPrefix() {
        if hasPrefix {
            prefix = Prefix()
            hasPrefix = false
        }
    }

    private func body(_ type: RecordType, _ record: BinaryRecord) -> LogEvent.Body? {
        let operation = OperationID(record.subject)
        let queue = QueueID(record.subject)
        switch type {
        case .enqueued:
            return .enqueued(
                .init(
                    operation: operation, kind: text(record.argument >> 28),
                    name: prefix.name.map { text(UInt64($0)) },
                    queue: QueueID(record.argument & (1 << 28 - 1)), parent: prefix.parent,
                    dependencies: prefix.dependencies, priority: prefix.number ?? 0,
                    origin: prefix.code.map { text(UInt64($0)) }))
        case .sighted:
            return .sighted(
                operation, kind: text(record.argument), name: prefix.name.map { text(UInt64($0)) })
        case .dependencyAdded:
            return prefix.dependencies.first.map { .dependencyAdded(operation, predecessor: $0) }
        case .dependencyRemoved:
            return prefix.dependencies.first.map { .dependencyRemoved(operation, predecessor: $0) }
        case .ready: return .ready(operation)
        case .executing: return .executing(operation)
        case .cancelled: return .cancelled(operation)
        case .bodyBegan: return .bodyBegan(operation)
        case .bodyEnded: return .bodyEnded(operation)
        case .finished:
            switch record.argument & 3 {
            case 0: return .finished(operation, .succeeded)
            case 1: return .finished(operation, .cancelled)
            case 2: return .finished(operation, .failed(message: text(record.argument >> 2)))
            default: return nil
            }
        case .queueOpened:
            return prefix.number.map {
                .queueOpened(
                    queue, name: text(record.argument >> 1), limit: $0, isSuspended: record.argument & 1 == 1)
            }
        case .queueRenamed: return .queueRenamed(queue, name: text(record.argument))
        case .suspended: return .suspended(queue)
        case .resumed: return .resumed(queue)
        case .limitChanged: return prefix.number.map { .limitChanged(queue, limit: $0) }
        case .allCancelled: return .allCancelled(queue)
        case .mark: return .marked(text(record.argument), by: prefix.parent)
        case .waitForOperation: return .waitBegan(.operation(operation), by: prefix.parent)
        case .waitForQueue: return .waitBegan(.queue(queue), by: prefix.parent)
        case .waitEnded: return .waitEnded
        case .thread, .anchor, .notBefore, .name, .parent, .dependency, .number, .code: return nil
        }
    }

    /// 0 is the empty text; one that is not in the log, because there was no room or it is damaged, is shown as `?`.
    private func text(_ number: UInt64) -> String {
        number == 0 ? "" : texts[UInt32(truncatingIfNeeded: number)] ?? "?"
    }
}
