import InspectorText
import TestTraces
import Testing

@Suite struct TerminalTextTests {
    @Test("nothing in a name acts on the terminal")
    func escapes() {
        #expect(TerminalText.escaped("a\u{1B}[31mb\nc\r\n\td\u{9B}") == "a\\u{1b}[31mb\\nc\\r\\n\\td\\u{9b}")
        #expect(TerminalText.escaped("\u{202E}evil\u{2066}\u{2028}") == "\\u{202e}evil\\u{2066}\\u{2028}")
    }

    @Test("ordinary text stays as it is", arguments: ["Grüße", "日本", "👩‍🚀", "a \"b\" <c>"])
    func ordinary(text: String) {
        #expect(TerminalText.escaped(text) == text)
    }

    @Test("a text that is too wide ends in an ellipsis, within the columns")
    func shortens() {
        #expect(TerminalText.shortened("abcdef", toColumns: 6) == "abcdef")
        #expect(TerminalText.shortened("abcdef", toColumns: 5) == "abcd…")
        #expect(TerminalText.shortened("日本語", toColumns: 4) == "日…")
        #expect(TerminalText.shortened("日本語", toColumns: 5) == "日本…")
        #expect(TerminalText.shortened("abc", toColumns: 1) == "…")
        #expect(TerminalText.shortened("abc", toColumns: 0) == "")
        #expect(TerminalText.shortened("abc", toColumns: -1) == "")
    }

    @Test("marks piled on a character are cut off")
    func piles() {
        let pile = "a" + String(repeating: "\u{301}", count: 10_000)
        #expect(TerminalText.escaped(pile).unicodeScalars.count == 16)
        let joiners = String(repeating: "\u{115F}\u{200D}", count: 10_000)
        #expect(TerminalText.shortened(joiners, toColumns: 20).unicodeScalars.count < 1000)
    }
}
