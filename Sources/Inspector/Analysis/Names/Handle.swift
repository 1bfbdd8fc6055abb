import InspectorColumns

/// What a text names in a trace: everything that commands print can be named again.
///
/// `0x1f` is an operation or Swift task by its ID, `client.0x1f` one of a process of a merged trace.
/// `kind:Resize`, `queue:network`, `executor:Cache` and `outcome:failed` are groups. `finding:3` is a finding
/// of `lint`, `step:2` a step of what delayed the run. Everything else is a name. Quotation marks keep a name
/// from being read as something else: `"kind:Resize"`.
package struct Handle: Equatable, Sendable {
    /// What stands before the colon.
    package enum Form: String, CaseIterable, Sendable {
        case kind, queue, executor, outcome, finding, step
    }

    /// Everything, as it was typed.
    package let text: String
    /// Nil for names and IDs.
    package let form: Form?
    /// What follows the colon, without quotation marks.
    package let name: String
    /// Whether the whole text was in quotation marks, so that it is a name.
    package let isQuoted: Bool

    /// Any text is a handle, but not each names something in a trace.
    package init(_ text: String) {
        self.text = text
        let (form, rest) = Self.parts(text)
        self.form = form
        (name, isQuoted) = Self.unquoted(rest)
    }

    /// The number of a finding or a step. Nil for everything else, and for 0.
    package var number: Int? {
        name.allSatisfy { $0.isASCII && $0.isNumber } ? Int(name).flatMap { $0 > 0 ? $0 : nil } : nil
    }

    /// Nil unless the text ends in an ID, as in `client.0x1f`, or as texts for people show equal names:
    /// `page 7 0x1f` and `page 7 0x1f in client`.
    package var identified: (id: UInt64, name: String?, process: String?)? {
        guard form == nil, !isQuoted else { return nil }
        if let id = OperationSearch.id(name) { return (id, nil, nil) }
        if let (process, id) = Self.ending(name[...], after: ".") { return (id, nil, process) }
        if let (shown, id) = Self.ending(name[...], after: " ") { return (id, shown, nil) }
        // The last one: names may contain the word.
        guard let word = name.ranges(of: " in ").last else { return nil }
        let process = String(name[word.upperBound...])
        if let id = OperationSearch.id(String(name[..<word.lowerBound])) { return (id, nil, process) }
        return Self.ending(name[..<word.lowerBound], after: " ").map { ($0.id, $0.0, process) }
    }

    /// The kind that a text names for an option of kinds: `kind:NAME`, or a name, in this order, as
    /// everywhere. An index into the kinds.
    package static func kind(_ text: String, in kinds: [String]) -> Int? {
        for name in [own(text, .kind), text].compactMap(\.self) {
            if let kind = kinds.firstIndex(of: name) ?? kinds.firstIndex(where: { isShown($0, as: name) }) {
                return kind
            }
        }
        return nil
    }

    /// Which of the queues a text names for an option of queues: `queue:NAME`, or a name or an ID, in this
    /// order.
    package static func queues(_ text: String, in queues: [TracedQueue]) -> [Bool] {
        let named = [own(text, .queue), text].compactMap(\.self).map { name in
            queues.map { isQueue($0, name) }
        }
        return named.first { $0.contains(true) } ?? queues.map { _ in false }
    }

    /// Whether a queue has that name or ID.
    package static func isQueue(_ queue: TracedQueue, _ name: String) -> Bool {
        queue.isCalled(name) || isShown(queue.displayName, as: name)
    }

    /// Whether a text for people shows a name like this: in full, escaped, or shortened.
    package static func isShown(_ name: String, as text: String) -> Bool {
        if name == text { return true }
        if text.contains("\\"), TerminalText.escaped(name) == text { return true }
        return text.hasSuffix("…") && text.count > 1
            && TerminalText.shortened(name, toColumns: TextWidth.columns(of: text)) == text
    }

    /// The same for names of other things: the text itself if there is one of that name.
    package static func name(_ text: String, _ form: Form, among names: [String]) -> String {
        names.contains(text) ? text : bare(text, form)
    }

    /// The text without a form that an option implies, for messages.
    package static func bare(_ text: String, _ form: Form) -> String { own(text, form) ?? text }

    private static func own(_ text: String, _ form: Form) -> String? {
        let handle = Handle(text)
        return handle.form == form ? handle.name : nil
    }

    /// Splits `client.0x1f` at the last separator, if an ID follows it.
    private static func ending(_ text: Substring, after separator: Character) -> (String, id: UInt64)? {
        guard let place = text.lastIndex(of: separator),
            let id = OperationSearch.id(String(text[text.index(after: place)...]))
        else { return nil }
        return (String(text[..<place]), id)
    }

    private static func parts(_ text: String) -> (Form?, Substring) {
        guard let colon = text.firstIndex(of: ":"), let form = Form(rawValue: String(text[..<colon])) else {
            return (nil, text[...])
        }
        return (form, text[text.index(after: colon)...])
    }

    private static func unquoted(_ text: Substring) -> (String, Bool) {
        text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
            ? (String(text.dropFirst().dropLast()), true) : (String(text), false)
    }
}
