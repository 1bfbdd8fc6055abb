import CLogFormat

/// Passes events on with the names of closures and tasks that are in the files with their code.
package final class NamedEvents: EventConsumer {
    private let next: any EventConsumer
    private var naming: EventNaming
    /// The texts of the events that are passed on.
    private var texts = InternedTexts()
    private var moved = MovedTexts()

    /// - Parameter names: those that were learnt from the codes of the log.
    package init(_ names: CodeNames, before next: any EventConsumer) {
        naming = EventNaming(names)
        self.next = next
    }

    package func consume(_ event: EventFields, _ source: InternedTexts) {
        var event = event
        moved.renumber(&event, source) { texts.number(ofName: $0) }
        _ = naming.name(&event, &texts)
        next.consume(event, texts)
    }
}

/// Gives the events of one log the names of their code, which it looks for once for each text.
package struct EventNaming {
    private let names: CodeNames
    private let placesUnknown: Bool
    /// What becomes of the texts of tasks and of suspensions: the same number if no name is known.
    private var tasks = ByText<InternedTexts.Number?>(absent: nil)
    private var suspensions = ByText<InternedTexts.Number?>(absent: nil)

    /// - Parameters:
    ///   - names: those that were learnt from the codes of the log.
    ///   - placesUnknown: whether to name unknown closures after the location of their code.
    package init(_ names: CodeNames, placesUnknown: Bool = false) {
        (self.names, self.placesUnknown) = (names, placesUnknown)
    }

    /// Sets the kind of an operation that runs a closure, and of a task, to the function that contains the
    /// closure. If an operation has no name of its own, also sets a name that identifies the closure.
    ///
    /// - Parameter texts: those of the log, the same at each call.
    /// - Returns: whether the event has changed.
    package mutating func name(_ event: inout EventFields, _ texts: inout InternedTexts) -> Bool {
        switch event.type {
        case .enqueued:
            guard let origin = event.origin, texts[event.text] == ClosureName.unknownKind else {
                return false
            }
            let code = texts[origin]
            if let known = names.name(of: code) {
                event.text = texts.number(of: known.kind)
                event.name = event.name ?? texts.number(of: known.name)
            } else if placesUnknown, event.name == nil {
                event.name = texts.number(of: CodeOrigin(code)?.place ?? code)
            } else {
                return false
            }
        case .taskCreated:
            guard event.origin == nil else { return false }
            let named = tasks[event.text] ?? task(event.text, &texts)
            guard named != event.text else { return false }
            (event.origin, event.text) = (event.text, named)
        case .runEnded:
            let named = suspensions[event.text] ?? suspension(event.text, &texts)
            guard named != event.text else { return false }
            event.text = named
        default: return false
        }
        return true
    }

    private mutating func task(
        _ text: InternedTexts.Number, _ texts: inout InternedTexts
    ) -> InternedTexts.Number {
        let named = names.name(ofTask: texts[text]).map { texts.number(of: $0.kind) } ?? text
        tasks[text] = named
        return named
    }

    private mutating func suspension(
        _ text: InternedTexts.Number, _ texts: inout InternedTexts
    ) -> InternedTexts.Number {
        let place = texts[text]
        let isKnown = AwaitStack.codes(place).contains { names.name(of: $0) != nil }
        let named = isKnown ? texts.number(of: AwaitStack(place, names).text) : text
        suspensions[text] = named
        return named
    }
}

extension CodeNames {
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
        var naming = EventNaming(self, placesUnknown: placesUnknown)
        for index in named {
            fields.take(contents.events[index], &texts)
            guard naming.name(&fields, &texts) else { continue }
            contents.events[index].body = fields.body { texts[$0] }
        }
    }
}
