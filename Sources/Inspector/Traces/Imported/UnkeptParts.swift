import CTraceJSON

/// What the spans of another program have that operations have no place for. An export of the file to
/// OpenTelemetry has it again, except for members outside of spans.
struct UnkeptParts {
    private var kinds = 0
    private var attributes = 0
    /// How many members of each name are not kept at all.
    private var members: [String: Int] = [:]

    mutating func take(kind: trace_text) {
        // What an export writes, or nothing.
        let isUsual = ["", "0", "1", "SPAN_KIND_UNSPECIFIED", "SPAN_KIND_INTERNAL"]
            .contains(kind.string ?? "")
        if !isUsual { kinds += 1 }
    }

    mutating func addAttributes(_ count: Int) { attributes += count }

    mutating func take(member name: trace_text) { members[name.string ?? "", default: 0] += 1 }

    /// `the identifiers of 21 traces and their spans and 40 attributes are kept only for an export of this
    /// file to OpenTelemetry`
    ///
    /// - Parameter traces: the number of traces in the file.
    func note(traces: Int) -> String {
        var parts = [
            "the identifiers of \(Prose.counted(traces, "trace")) and \(traces == 1 ? "its" : "their") spans"
        ]
        if kinds > 0 {
            parts.append("the \(kinds == 1 ? "kind" : "kinds") of \(Prose.counted(kinds, "span"))")
        }
        if attributes > 0 { parts.append(Prose.counted(attributes, "attribute")) }
        let last = parts.removeLast()
        let all = parts.isEmpty ? last : "\(parts.joined(separator: ", ")) and \(last)"
        return "\(all) are kept only for an export of this file to OpenTelemetry"
    }

    /// `not kept: 2 "scope"`; nil if there is nothing.
    var noteOfMembers: String? {
        guard !members.isEmpty else { return nil }
        let list = members.sorted { $0.key < $1.key }.map { "\(Prose.grouped($1)) \"\($0)\"" }
        return "not kept: \(list.joined(separator: ", "))"
    }
}
