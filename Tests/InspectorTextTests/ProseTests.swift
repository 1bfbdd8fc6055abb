import TestTraces
import Testing

@testable import InspectorText

@Suite struct ProseTests {
    @Test(
        "prose breaks at spaces so that lines fit, counts wide characters as two, and keeps long words whole")
    func wrapped() {
        #expect(Prose.wrapped("one two three", to: 7) == "one two\nthree")
        #expect(Prose.wrapped("one two three", to: 6) == "one\ntwo\nthree")
        #expect(Prose.wrapped("頁 頁 頁", to: 5) == "頁 頁\n頁")
        #expect(Prose.wrapped("a waitUntilFinished b", to: 5) == "a\nwaitUntilFinished\nb")
        #expect(Prose.wrapped("one two three", to: nil) == "one two three")
        #expect(Prose.wrapped("", to: 5) == "")
    }

    @Test("prose does not break before a percent sign, and keeps every character of the text")
    func percent() {
        #expect(Prose.wrapped("by 20 % a run", to: 5) == "by\n20 %\na run")
        #expect(Prose.wrapped("20\u{A0}% of a", to: 80) == "20\u{A0}% of a")
        #expect(Prose.wrapped("% of a", to: 80) == "% of a")
    }

    @Test("a list in prose has the first words, and counts the others")
    func list() {
        #expect(Prose.list(["a", "b", "c"].prefix(2), of: 3) == "a, b and 1 more")
        #expect(Prose.list(["a"], of: 2_001) == "a and 2,000 more")
        #expect(Prose.list(["a", "b"], of: 2) == "a and b")
        #expect(Prose.list([String](), of: 0) == "")
    }
}
