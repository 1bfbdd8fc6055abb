import TestTraces
import Testing

@testable import InspectorText

@Suite("A cell of comma-separated values")
struct CSVTextTests {
    @Test("a cell is quoted if needed, and its quotes are doubled")
    func quotes() {
        #expect(CSVText.cell("plain text") == "plain text")
        #expect(CSVText.cell("a,b") == "\"a,b\"")
        #expect(CSVText.cell("say \"a\"\r\n") == "\"say \"\"a\"\"\r\n\"")
    }

    @Test("a cell has no zero byte, at which some readers stop")
    func zero() { #expect(CSVText.cell("a\0b") == "\"a\u{FFFD}b\"") }

    @Test("a cell is never a formula")
    func formulas() {
        #expect(CSVText.inert("=1+1") == "'=1+1" && CSVText.inert("@a") == "'@a")
        for start in ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "＝", "＋", "－", "＠"] {
            #expect(CSVText.inert(start + "1+1") == "'" + start + "1+1", "\(start)")
        }
        #expect(CSVText.inert("") == "" && CSVText.inert("1=1") == "1=1")
    }
}
