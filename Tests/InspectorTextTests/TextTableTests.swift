import InspectorText
import Testing

@Suite("A table of text")
struct TextTableTests {
    private func text(_ name: TextTable.Column, width: Int) -> String {
        var table = TextTable(title: "Times", columns: [.word(""), name, .number("time")])
        table.rows = [["=", "short", "1 ms"], ["?", "execution of ThumbnailOperation", "20 ms"]]
        return table.text(width: width)
    }

    @Test("cuts names that do not fit")
    func shortened() {
        #expect(
            text(.name("metric"), width: 20) == """
                Times

                   metric       time
                =  short        1 ms
                ?  execution…  20 ms

                """)
    }

    @Test("gives a name that is there to be copied a line of its own if it does not fit")
    func whole() {
        #expect(
            text(.wholeName("metric"), width: 20) == """
                Times

                   metric       time
                =  short        1 ms
                ?  execution of ThumbnailOperation
                               20 ms

                """)
        #expect(text(.wholeName("metric"), width: 80) == text(.name("metric"), width: 80))
    }
}
