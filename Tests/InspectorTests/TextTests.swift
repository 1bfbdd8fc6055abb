import Inspector
import Testing

@Suite struct DurationFormatTests {
    @Test(
        "durations have three significant digits and the unit that fits",
        arguments: [
            (0, "0 ns"), (850, "850 ns"), (999, "999 ns"), (1000, "1.00 µs"), (12_345, "12.3 µs"),
            (12_350, "12.4 µs"), (999_499, "999 µs"), (999_500, "1.00 ms"), (4_560_000, "4.56 ms"),
            (1_234_000_000, "1.23 s"), (9_995_000_000, "10.0 s"), (59_940_000_000, "59.9 s"),
            (59_960_000_000, "1 min 0 s"), (123_000_000_000, "2 min 3 s"), (3_599_600_000_000, "1 h 0 min"),
            (3_900_000_000_000, "1 h 5 min"), (-1500, "-1.50 µs"),
        ] as [(Int64, String)])
    func text(nanoseconds: Int64, expected: String) {
        #expect(DurationFormat.text(nanoseconds: nanoseconds) == expected)
    }

    @Test("the largest and smallest numbers, and no number, are written too")
    func extremes() {
        #expect(DurationFormat.text(nanoseconds: Int64.max) == "2562047 h 47 min")
        #expect(DurationFormat.text(nanoseconds: Int64.min) == "-2562047 h 47 min")
        #expect(DurationFormat.text(nanoseconds: Double.infinity) == "2562047 h 47 min")
        #expect(DurationFormat.text(nanoseconds: Double.nan) == "0 ns")
    }
}

@Suite struct TextWidthTests {
    @Test(
        "wide characters take two columns, combining ones none",
        arguments: [
            ("abc", 3), ("µ", 1), ("ä", 1), ("a\u{308}", 1), ("日本", 4), ("한국", 4), ("Ａ", 2), ("🚀", 2),
            ("👩‍🚀", 2), ("🇨🇭", 2), ("❤️", 2), ("❤", 1), ("\u{200B}", 0), ("…", 1), ("→", 1), ("", 0),
        ])
    func columns(text: String, expected: Int) {
        #expect(TextWidth.columns(of: text) == expected)
    }
}

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

@Suite struct MarkdownTextTests {
    @Test("nothing in a name is Markdown or HTML")
    func escapes() {
        #expect(MarkdownText.escaped("a|b`c`<script>&amp;") == "a\\|b\\`c\\`&lt;script&gt;&amp;amp;")
        #expect(MarkdownText.escaped("[x](y) *b* _i_ \\") == "\\[x\\](y) \\*b\\* \\_i\\_ \\\\")
        #expect(MarkdownText.escaped("two\nlines") == "two\\\\nlines")
    }
}
