import Foundation
import InspectorRegression
import TestTraces
import Testing

@Suite("Budgets: files that mean harm")
struct BudgetsYAMLTests {
    private func error(_ yaml: String) -> String {
        do {
            _ = try Budgets(yaml: yaml, named: "b.yml")
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test(arguments: ["[", "{a: ", "- ", "{? ", "[[{a: "])
    func `nesting does not overflow the stack`(opening: String) {
        for count in [500, 900, 50_000] {
            let sentence = error(String(repeating: opening, count: count) + "x")
            #expect(sentence.hasPrefix("b.yml"), "\(sentence)")
        }
        #expect(
            error(String(repeating: "[", count: 900) + String(repeating: "]", count: 900)).contains(
                "nested deeper"))
    }

    @Test func `lists of aliases of lists are refused before they are counted out`() {
        var bomb = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...40 {
            let alias = "*a\(level - 1)"
            bomb += "- &a\(level) [\(Array(repeating: alias, count: 10).joined(separator: ", "))]\n"
        }
        #expect(error(bomb).contains("b.yml"))
        // As a key, Yams would compare it.
        #expect(error(bomb + "- {*a40 : 1, *a39 : 2}\n") == "b.yml:42: a key must be a string")
        #expect(error(bomb + "- ? *a40\n  : 1\n") == "b.yml:42: a key must be a string")
        #expect(error(bomb + "- {?*a40, b: c}\n") == "b.yml:42: a key must be a string")
        #expect(error(bomb + "- [*a40]: 1\n") == "b.yml:42: a key must be a string")
        #expect(error(bomb + "- 'a': 'it''s\n  ', [*a40]: 1\n") == "b.yml:43: a key must be a string")
    }

    @Test func `a thousand limits are read, and not many more`() throws {
        let entries = (0..<2000).map { _ in "- makespan: 1s\n" }
        #expect(try Budgets(yaml: entries.prefix(1000).joined()).all.count == 1000)
        #expect(error(entries.joined()) == "b.yml:1001: there are more than 1,000 limits")
        let aliases =
            "- &a {" + Budget.Statistic.allCases.map { "\($0.rawValue) lifetime: 1s" }.joined(separator: ", ")
            + "}\n"
        #expect(
            error(aliases + String(repeating: "- *a\n", count: 30_000)).contains("holds more than 20,000"))
    }

    @Test func `bytes that are not text are reported`() {
        #expect(error("- makespan: \u{0}") == "b.yml:1: is not YAML: control characters are not allowed")
        #expect(error("- kind: \"\\0\"\n  count: 1") == "no error")
        #expect(error("a: 'x\nb: 3").hasPrefix("b.yml:"))
        #expect(error("- makespan: 1s\n---\n- makespan: 2s").contains("another document"))
        #expect(error("%YAML 9.9\n---\n- makespan: 1s").hasPrefix("b.yml"))
    }

    @Test func `damage anywhere gives a budget or a sentence`() {
        let whole = Array(
            """
            - makespan: 2s
            - kind: "Parse \\u0041"
              p95 execution: &x 20ms
              max slot wait: *x
            - no hazards: {at least: note, except: [dead-air, 'late-edge']}
            - !!str no failures

            """.utf8)
        var generator = SplitMix64(seed: 7)
        let marks = Array("[]{}&*!?:-'\"#|>%@`,\n\t \0\u{7F}é\\<".utf8)
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = marks.randomElement(using: &generator)!
                case 1: bytes.remove(at: place)
                default: bytes.insert(marks.randomElement(using: &generator)!, at: place)
                }
            }
            let sentence = error(String(decoding: bytes, as: UTF8.self))
            #expect(sentence == "no error" || sentence.hasPrefix("b.yml"))
            #expect(!sentence.contains("\n"))
        }
    }
}
