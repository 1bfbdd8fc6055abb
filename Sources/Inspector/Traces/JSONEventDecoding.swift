import CLogFormat
import CTraceJSON
import EventLog

/// The result of decoding an event of a JSON log.
enum JSONEventDecoding {
    case event
    /// A type of event that this version does not know.
    case unknown
    /// A required member is missing: `queue`.
    case damaged(lack: String)
}

extension EventFields {
    /// Becomes the event, if it is valid.
    mutating func take(
        _ event: trace_event, _ members: JSONMembers, _ texts: inout InternedTexts
    ) -> JSONEventDecoding {
        clearOptionals()
        let rows = members.rows(of: event)
        guard !rows.isEmpty else { return .unknown }
        guard let time = event.timestamp.trimmedBytes.flatMap(LogTimestamp.nanoseconds) else {
            return .damaged(lack: "readable time")
        }
        self.time = time
        thread = event.thread
        if let text = event.arguments[members.notBefore].presentText.bytes {
            guard let start = LogTimestamp.nanoseconds(ofMicroseconds: text) else {
                return .damaged(lack: "readable beginning")
            }
            notBefore = start
        }
        guard let row = rows.first(where: { takeSubject(of: members.rows[$0], event) }) else {
            return .damaged(lack: members.lack(ofSubjects: rows))
        }
        type = members.rows[row].type
        for index in members.rows[row].members {
            let member = members.members[index]
            switch take(member, event, &texts) {
            case .taken: continue
            case .missing: return .damaged(lack: members.lack(of: member))
            case .unknown: return .unknown
            }
        }
        return .event
    }

    private enum MemberStep { case taken, missing, unknown }

    private mutating func takeSubject(of row: JSONMembers.Row, _ event: trace_event) -> Bool {
        subject = 0
        if row.subject == .none { return true }
        if row.subject == .number, let key = row.subjectKey {
            guard event.arguments[key].is_there else { return false }
            subject = UInt64(max(0, event.arguments[key].number))
            return true
        }
        let text = row.subjectKey.map { event.arguments[$0].presentText } ?? event.identifier
        // If an event is about the process or an operation, 0 means the process, which has another category.
        guard let number = text.identifier, number != 0 || row.subject != .operationOrProcess else {
            return false
        }
        subject = number
        return true
    }

    private mutating func take(
        _ member: JSONMembers.Member, _ event: trace_event, _ texts: inout InternedTexts
    ) -> MemberStep {
        guard let key = member.key else {
            text = event.name.bytes.map { texts.number(of: $0) } ?? InternedTexts.unknown
            return .taken
        }
        let argument = event.arguments[key]
        let content = argument.presentText
        switch member.value {
        case .text:
            text = content.bytes.map { texts.number(of: $0) } ?? InternedTexts.empty
            if !argument.is_there, member.isRequired { return .missing }
        case .separate(let record, let form):
            self[separate: record] =
                switch form {
                case .text: text(in: content, record, &texts).map(UInt64.init)
                case .operation: content.identifier
                case .number: argument.is_there ? UInt64(bitPattern: argument.number) : nil
                }
            if member.isRequired, self[separate: record] == nil { return .missing }
        case .queue:
            guard let identifier = content.identifier, identifier != 0 else {
                word = 0
                return member.isRequired ? .missing : .taken
            }
            word = identifier
        case .predecessor:
            guard let predecessor = content.identifier else { return member.isRequired ? .missing : .taken }
            predecessors.append(predecessor)
        case .predecessors:
            guard argument.is_there else { break }
            for text in UnsafeBufferPointer(start: event.list, count: event.list_count) {
                guard let predecessor = text.identifier else { return .missing }
                predecessors.append(predecessor)
            }
        case .duration:
            guard argument.is_there else { return .missing }
            timeOnCPU = argument.number
        case .level: word = argument.is_there ? UInt64(clamping: argument.number) : 0
        case .choice(let choice):
            guard argument.is_there else { return .missing }
            guard let number = choice.words.firstIndex(where: { content.equals($0) }) else { return .unknown }
            self.choice = UInt8(number)
        case .flag: flag = argument.is_there && argument.number != 0
        case .ending:
            guard argument.is_there else { return .missing }
            guard let ending = Ending.allCases.first(where: { content.equals($0.word) }) else {
                return .unknown
            }
            self.ending = ending
        }
        return .taken
    }

    private func text(
        in content: trace_text, _ record: RecordType, _ texts: inout InternedTexts
    ) -> InternedTexts.Number? {
        content.bytes.map { record == .name ? texts.number(ofName: $0) : texts.number(of: $0) }
    }
}

extension trace_argument {
    /// Empty if the member is missing, because the text of an earlier event is not cleared.
    fileprivate var presentText: trace_text { is_there ? text : trace_text() }
}
