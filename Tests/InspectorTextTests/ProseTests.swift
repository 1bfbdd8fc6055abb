import TestTraces
import Testing

@testable import InspectorText

@Suite struct ProseTests {
    @Test("breaks at spaces so that lines fit, counts wide characters as two, and leaves a long word whole")
    func wrapped() {
        #expect(Prose.wrapped("one two three", to: 7) == "one two\nthree")
        #expect(Prose.wrapped("one two three", to: 6) == "one\ntwo\nthree")
        #expect(Prose.wrapped("頁 頁 頁", to: 5) == "頁 頁\n頁")
        #expect(Prose.wrapped("a waitUntilFinished b", to: 5) == "a\nwaitUntilFinished\nb")
        #expect(Prose.wrapped("one two three", to: nil) == "one two three")
        #expect(Prose.wrapped("", to: 5) == "")
    }
}
