import EventLog

/// What a file of OpenTelemetry says of its spans and processes beyond what becomes of them as operations, so
/// that an export of the trace does not change it. Values are the JSON of the file, as numbers of the trace's
/// texts.
package struct SpanOrigins: Sendable {
    package typealias Member = (key: InternedTexts.Number, value: InternedTexts.Number)

    package struct Span: Sendable {
        package var identifiers: TraceContext.Span
        /// 0 if it has no parent.
        package var parent: UInt64
        /// Whether another program recorded it. Of other spans, only the identifiers are kept.
        package var isOfAnotherProgram: Bool
        fileprivate var members: Range<Int>
        fileprivate var attributes: Range<Int>
    }

    private var spans: [Span] = []
    private var members: [Member] = []
    /// The attributes of each process.
    private var processes: [[(key: String, value: String)]] = []

    var isEmpty: Bool { spans.isEmpty }

    // MARK: Reading

    /// Adds a span, whose members and attributes follow.
    mutating func add(_ identifiers: TraceContext.Span, parent: UInt64, isOfAnotherProgram: Bool) {
        let end = members.count..<members.count
        spans.append(
            Span(
                identifiers: identifiers, parent: parent, isOfAnotherProgram: isOfAnotherProgram,
                members: end,
                attributes: end))
    }

    /// Adds an attribute of the last span. Attributes come before other members.
    mutating func add(attribute: Member) {
        members.append(attribute)
        spans[spans.count - 1].attributes = spans[spans.count - 1].attributes.lowerBound..<members.count
        spans[spans.count - 1].members = members.count..<members.count
    }

    mutating func add(member: Member) {
        members.append(member)
        spans[spans.count - 1].members = spans[spans.count - 1].members.lowerBound..<members.count
    }

    mutating func take(_ resources: [SpanResource]) { processes = resources.map(\.written) }

    // MARK: Looking up

    /// - Parameter identifier: that of the operation.
    package subscript(identifier: UInt64) -> Span? {
        let index = Int(clamping: identifier) - 1
        return spans.indices.contains(index) ? spans[index] : nil
    }

    package func attributes(of span: Span) -> ArraySlice<Member> { members[span.attributes] }

    package func members(of span: Span) -> ArraySlice<Member> { members[span.members] }

    package func attributes(ofProcess index: Int) -> [(key: String, value: String)] {
        processes.indices.contains(index) ? processes[index] : []
    }
}
