import InspectorText
import TestTraces
import Testing

@Suite struct TextWidthTests {
    @Test(
        "wide characters take two columns, combining ones zero",
        arguments: [
            ("abc", 3), ("µ", 1), ("ä", 1), ("a\u{308}", 1), ("日本", 4), ("한국", 4), ("Ａ", 2), ("🚀", 2),
            ("👩‍🚀", 2), ("🇨🇭", 2), ("❤️", 2), ("❤", 1), ("\u{200B}", 0), ("…", 1), ("→", 1), ("", 0),
        ])
    func columns(text: String, expected: Int) {
        #expect(TextWidth.columns(of: text) == expected)
    }
}
