import CLogFormat

/// A first reading of a log, for what must be known before its events are passed on: its header, which some
/// forms of a log have only at their end, and the code that gives closures and tasks their names.
package final class LogSurvey: EventConsumer {
    /// Whether anything was added to a queue.
    package private(set) var hasOperations = false
    /// Whether a Swift task was recorded. A log that keeps the latest events may have lost its creation.
    package private(set) var hasTasks = false
    /// Whether a context came from another process.
    package private(set) var hasReceivedContexts = false
    /// The locations of the code of closures and tasks, and of the functions in which tasks were suspended.
    package private(set) var codes: Set<String> = []
    /// By number, which texts were looked at.
    private var isKnown = ByText(absent: false)

    package init() {}

    package func consume(_ event: EventFields, _ texts: InternedTexts) {
        switch event.type {
        case .enqueued:
            hasOperations = true
            if let origin = event.origin { add(origin) { codes.insert(texts[origin]) } }
        case .taskCreated:
            hasTasks = true
            add(event.text) { codes.formUnion(CodeNames.codes(ofTask: texts[event.text])) }
        case .runEnded:
            hasTasks = true
            add(event.text) { codes.formUnion(AwaitStack.codes(texts[event.text])) }
        case .taskEnqueued, .runBegan: hasTasks = true
        case .contextReceived: hasReceivedContexts = true
        default: break
        }
    }

    /// The names of the code, from the files that it is in; nil without any code.
    package func names() -> CodeNames? {
        if codes.isEmpty { return nil }
        var names = CodeNames()
        names.learn(codes)
        return names
    }

    /// Calls `body` the first time for each text.
    private func add(_ text: InternedTexts.Number, _ body: () -> Void) {
        guard !isKnown[text] else { return }
        isKnown[text] = true
        body()
    }
}
