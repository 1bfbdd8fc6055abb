import CLogFormat

// Encodes events as records: required values in one record, optional ones in records before it.

extension LogEvent.Body {
    /// Packs an enqueue's queue and kind into an argument, as defined by ``EventSchema``.
    package static func packed(queue: QueueID, kind: UInt32) -> UInt64? {
        guard queue.rawValue < 1 << EventSchema.queueBits, kind < 1 << (56 - EventSchema.queueBits) else {
            return nil
        }
        return queue.rawValue | UInt64(kind) << EventSchema.queueBits
    }

    /// The records of this event; those that add to it come before its own.
    ///
    /// - Parameter text: returns the number of a text in the log; 0 for the empty text.
    /// - Returns: nil if an identifier exceeds the format's limit.
    package func records(text: (String) -> UInt32) -> [BinaryRecord]? {
        var fields = EventFields()
        fields.take(self, text: text)
        var records: [BinaryRecord] = []
        return fields.encode(into: &records) ? records : nil
    }
}

extension EventFields {
    /// Appends the records of this event; those that add to it come before its own.
    ///
    /// - Returns: false if an identifier exceeds the format's limit; what was appended is then incomplete.
    func encode(into records: inout [BinaryRecord]) -> Bool {
        var argument: UInt64 = 0
        for member in EventSchema.of(type)?.members ?? [] {
            guard let bits = member.bits else {
                append(member, to: &records)
                continue
            }
            let content = content(of: member.value)
            guard content < 1 << UInt64(bits.count) else { return false }
            argument |= content << bits.lowerBound
        }
        records.append(BinaryRecord(type, subject: subject, argument: argument))
        return true
    }

    /// The bits of a value in an argument.
    private func content(of value: EventSchema.Value) -> UInt64 {
        switch value {
        case .queue, .duration: word
        case .level: UInt64(taskPriority)
        case .text: UInt64(text)
        case .ending: UInt64(ending.rawValue)
        case .flag: flag ? 1 : 0
        case .choice: UInt64(choice)
        case .separate, .predecessor, .predecessors: 0
        }
    }

    private func append(_ member: EventSchema.Member, to records: inout [BinaryRecord]) {
        switch member.value {
        case .separate(let record, let form):
            guard let value = self[separate: record], member.isWritten(value) else { return }
            records.append(
                form.isText
                    ? BinaryRecord(record, argument: value) : BinaryRecord(record, subject: value))
        case .predecessor, .predecessors:
            for predecessor in predecessors {
                records.append(BinaryRecord(.dependency, subject: predecessor))
            }
        case .queue, .text, .ending, .flag, .choice, .level, .duration: break
        }
    }
}
