import TestTraces
import Testing

@testable import InspectorText

@Suite struct MarkupTextTests {
    @Test func `nothing of a hostile name is markup`() {
        #expect(MarkupText.escaped("<img src=x onerror='a()'>") == "&lt;img src=x onerror=&#39;a()&#39;&gt;")
        #expect(MarkupText.escaped("\"&amp;") == "&quot;&amp;amp;")
    }

    @Test func `characters that XML cannot contain are replaced visibly`() {
        #expect(MarkupText.escaped("a\u{0}b\u{202E}c\u{FFFE}") == "a\\u{0}b\\u{202e}c\u{FFFD}")
    }
}
