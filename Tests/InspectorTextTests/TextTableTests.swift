import InspectorText
import Testing

@Suite("A table of text")
struct TextTableTests {
    private func text(_ name: TextTable.Column, width: Int) -> String {
        var table = TextTable(title: "Times", columns: [.word(""), name, .number("time")])
        table.rows = [["=", "short", "1 ms"], ["?", "execution of ThumbnailOperation", "20 ms"]]
        return table.text(width: width)
    }

    @Test("a table cuts names that do not fit")
    func shortened() {
        #expect(
            text(.name("metric"), width: 20) == """
                Times

                   metric       time
                =  short        1 ms
                ?  execution…  20 ms

                """)
    }

    @Test("a table gives a name that is there to be copied a line of its own if it does not fit")
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

    @Test("a table continues a sentence that does not fit below itself, and breaks a word that is too long")
    func wrapped() {
        #expect(
            text(.wrapped("metric"), width: 20) == """
                Times

                   metric       time
                =  short        1 ms
                ?  execution   20 ms
                   of
                   ThumbnailO
                   peration

                """)
    }

    @Test("a table leaves out details one after the other, the highest first, and knows which")
    func details() {
        var table = TextTable(
            title: "Times",
            columns: [
                .word("name"), .number("first").detail(1), .number("second").detail(2), .number("time"),
            ])
        table.rows = [["A", "1 ms", "2 ms", "3 ms"]]
        #expect(table.fitted(to: 80).omittedColumns == [])
        #expect(table.fitted(to: 20).omittedColumns == ["second"])
        #expect(table.fitted(to: 12).omittedColumns == ["first", "second"])
        #expect(table.text(width: 12) == "Times\n\nname  time\nA     3 ms\n")
    }
}
