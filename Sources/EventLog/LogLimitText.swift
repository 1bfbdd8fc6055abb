/// The maximum size of a log, as written in `OPVIZ_TRACE_LIMIT` and `--limit`: `64M`, `2G latest`.
package struct LogLimitText: Sendable {
    /// A log needs some segments to begin with, so smaller numbers count as this.
    package static let smallest: UInt64 = 1 << 20

    /// The number of bytes in the text.
    package let given: UInt64
    /// The number of bytes that the log gets: at least ``smallest``.
    package let bytes: UInt64
    /// Whether the latest events are kept, and not the first.
    package let keepsLatest: Bool

    /// A number of bytes, KiB (`K`), MiB (`M`) or GiB (`G`), and which events to keep. Nil for anything else.
    package init?(_ text: String) {
        let words = text.split(separator: " ")
        guard var digits = words.first, words.count <= 2 else { return nil }
        let shift: UInt64? =
            switch digits.last {
            case "K": 10
            case "M": 20
            case "G": 30
            default: nil
            }
        if shift != nil { digits.removeLast() }
        // A file's size is a signed number.
        guard let number = UInt64(digits), number <= UInt64(Int64.max) >> (shift ?? 0) else { return nil }
        guard words.count == 1 || words[1] == "latest" else { return nil }
        given = number << (shift ?? 0)
        bytes = max(given, Self.smallest)
        keepsLatest = words.count == 2
    }
}
