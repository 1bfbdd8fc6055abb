import Testing

@testable import opviz

@Suite("Progress")
struct ProgressTests {
    @Test("progress is one line, however long the name and narrow the terminal")
    func text() {
        #expect(
            Progress.text("reading trace.json", seconds: 3, columns: 80) == "opviz: reading trace.json, 3 s")
        let narrow = Progress.text("reading a-long-name.json", seconds: 12, columns: 24)
        #expect(narrow == "opviz: reading a…, 12 s")
        #expect(Progress.text("reading \u{1b}[31m.json", seconds: 1, columns: 80).contains(#"\u{1b}"#))
    }
}
