import CLogFormat

/// Passes events on with the names of closures and tasks that are in the files with their code.
package final class NamedEvents: EventConsumer {
    private let next: any EventConsumer
    private let names: CodeNames
    /// The texts of the events that are passed on.
    private var texts = InternedTexts()
    private var moved = MovedTexts()

    /// - Parameter names: those that were learnt from the codes of the log.
    package init(_ names: CodeNames, before next: any EventConsumer) {
        self.names = names
        self.next = next
    }

    package func consume(_ event: EventFields, _ source: InternedTexts) {
        var event = event
        moved.renumber(&event, source) { texts.number(ofName: $0) }
        _ = names.name(&event, &texts)
        next.consume(event, texts)
    }
}

extension CodeNames {
    /// Sets the kind of an operation that runs a closure, and of a task, to the function that contains the
    /// closure. If an operation has no name of its own, also sets a name that identifies the closure. Call
    /// `learn` first.
    ///
    /// - Parameter placesUnknown: whether to name unknown closures after the location of their code.
    /// - Returns: whether the event has changed.
    package func name(
        _ event: inout EventFields, _ texts: inout InternedTexts, placesUnknown: Bool = false
    ) -> Bool {
        switch event.type {
        case .enqueued:
            guard let origin = event.origin, texts[event.text] == ClosureName.unknownKind else {
                return false
            }
            let code = texts[origin]
            if let known = name(of: code) {
                event.text = texts.number(of: known.kind)
                event.name = event.name ?? texts.number(of: known.name)
            } else if placesUnknown, event.name == nil {
                event.name = texts.number(of: CodeOrigin(code)?.place ?? code)
            } else {
                return false
            }
        case .taskCreated:
            guard event.origin == nil, let known = name(ofTask: texts[event.text]) else { return false }
            (event.origin, event.text) = (event.text, texts.number(of: known.kind))
        case .runEnded:
            let place = texts[event.text]
            guard AwaitStack.codes(place).contains(where: { name(of: $0) != nil }) else { return false }
            event.text = texts.number(of: AwaitStack(place, self).text)
        default: return false
        }
        return true
    }

    /// Names everything in a log in memory that names are found for.
    ///
    /// - Parameter placesUnknown: whether to name unknown closures after the location of their code.
    package mutating func nameOperations(in contents: inout EventLogContents, placesUnknown: Bool = false) {
        let survey = LogSurvey()
        var texts = InternedTexts()
        var fields = EventFields()
        let named = contents.events.indices.filter { index in
            switch contents.events[index].body {
            case .enqueued(let enqueue): enqueue.origin != nil
            case .taskCreated, .runEnded: true
            default: false
            }
        }
        for index in named {
            fields.take(contents.events[index], &texts)
            survey.consume(fields, texts)
        }
        guard !survey.codes.isEmpty else { return }
        learn(survey.codes)
        for index in named {
            fields.take(contents.events[index], &texts)
            guard name(&fields, &texts, placesUnknown: placesUnknown) else { continue }
            contents.events[index].body = fields.body { texts[$0] }
        }
    }
}
