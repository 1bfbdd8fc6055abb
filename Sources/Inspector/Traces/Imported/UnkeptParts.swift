import CTraceJSON

/// What the spans of another program have that an event log has no place for. It is reported, because a trace
/// that is exported again lacks it.
struct UnkeptParts {
    private var kinds = 0
    private var attributes = 0

    mutating func take(kind: trace_text) {
        // What an export writes, or nothing.
        let isKept = ["", "0", "1", "SPAN_KIND_UNSPECIFIED", "SPAN_KIND_INTERNAL"].contains(kind.string ?? "")
        if !isKept { kinds += 1 }
    }

    mutating func addAttributes(_ count: Int) { attributes += count }

    /// `not kept: the identifiers of 21 traces and their spans, 40 attributes; an export to OpenTelemetry is
    /// one trace with new identifiers`
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
        return "not kept: \(parts.joined(separator: ", ")); an export to OpenTelemetry is one trace with new "
            + "identifiers"
    }
}
