import InspectorText
import TestTraces
import Testing

@Suite struct MarkdownTextTests {
    @Test("nothing in a name is Markdown or HTML")
    func escapes() {
        #expect(MarkdownText.escaped("a|b`c`<script>&amp;") == "a\\|b\\`c\\`&lt;script&gt;&amp;amp;")
        #expect(MarkdownText.escaped("[x](y) *b* _i_ \\") == "\\[x\\](y) \\*b\\* \\_i\\_ \\\\")
        #expect(MarkdownText.escaped("two\nlines") == "two\\\\nlines")
    }

    @Test("a name never mentions a user or links to an issue")
    func mentions() {
        #expect(MarkdownText.escaped("fetch @octocat #12") == "fetch @<!-- -->octocat #<!-- -->12")
        #expect(MarkdownText.escaped("a @ b # c") == "a @ b # c")
    }
}
