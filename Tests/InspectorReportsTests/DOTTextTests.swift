import TestTraces
import Testing

@testable import InspectorReports

@Suite("Text in DOT")
struct DOTTextTests {
    @Test(
        "text in DOT stays inside its quotes",
        arguments: [
            ("plain", #""plain""#),
            (#"a"b"#, #""a\"b""#),
            (#"\N\"#, #""\\N\\""#),
            ("a\nb", #""a\nb""#.replacing(#"\n"#, with: #"\\n"#)),
            ("\u{ffff}", "\"\u{fffd}\""),
        ])
    func quoted(text: String, expected: String) {
        #expect(DOTText.quoted(text) == expected)
    }

    @Test(
        "text in DOT is never markup within an HTML-like label, nor an escape of Graphviz",
        arguments: [
            ("plain", "plain"),
            ("<script>", "&lt;script&gt;"),
            (#"&amp; "x""#, "&amp;amp; &quot;x&quot;"),
            (#"\N"#, "&#92;&#92;N"),
            ("\u{1b}[31m", "&#92;&#92;u{1b}[31m"),
            ("🧑‍🚀 é 文", "🧑‍🚀 é 文"),
        ])
    func markup(text: String, expected: String) {
        #expect(DOTText.markup(text) == expected)
    }
}
