import CLogFormat

// Events of several logs are kept apart by new numbers for their operations and queues.

extension EventFields {
    /// Changes the numbers of the operations and queues in it.
    package mutating func renumber(operation: (UInt64) -> UInt64, queue: (UInt64) -> UInt64) {
        guard let schema = EventSchema.of(type) else { return }
        switch schema.subject {
        case .none, .number: break
        case .operationOrProcess where subject == 0: break
        case .operation, .operationOrProcess: subject = operation(subject)
        case .queue: subject = queue(subject)
        }
        for member in schema.members {
            switch member.value {
            case .queue: if word != 0 { word = queue(word) }
            case .separate(let record, .operation):
                self[separate: record] = self[separate: record].map(operation)
            case .predecessor, .predecessors:
                for index in predecessors.indices { predecessors[index] = operation(predecessors[index]) }
            case .separate(_, .text), .separate(_, .number), .text, .ending, .flag, .choice, .level,
                .duration:
                break
            }
        }
    }

    /// The largest number of an operation and of a queue in it; nil without any. Tasks count from their first
    /// number, so that a log's operations never get the number of a task.
    package var largestIdentifiers: (operation: UInt64?, queue: UInt64?) {
        var largest: (operation: UInt64?, queue: UInt64?) = (nil, nil)
        var copy = self
        copy.renumber {
            let number = $0 >= LOG_FIRST_TASK ? $0 - LOG_FIRST_TASK : $0
            largest.operation = max(largest.operation ?? 0, number)
            return $0
        } queue: {
            largest.queue = max(largest.queue ?? 0, $0)
            return $0
        }
        return largest
    }
}
