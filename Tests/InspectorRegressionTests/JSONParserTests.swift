import TestTraces
import Testing

@testable import InspectorRegression

@Suite struct JSONParserTests {
    private func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

    @Test("values are read with their places, whole numbers without loss")
    func values() throws {
        let value = try parse(
            #" {"a": [1, -2.5e1, true, null, "x\u00e9\ud83d\ude00\n"], "b": 9223372036854775807}"#)
        #expect(value.offset == 1)
        #expect(try value["b"].integer() == .max)
        let list = try value["a"].list()
        #expect(list.map(\.offset) == [8, 11, 19, 25, 31])
        #expect(try list[4].text() == "xé😀\n")
        #expect(try list[2].bool())
        guard case .number(let number) = list[1].content else {
            Issue.record("no number")
            return
        }
        #expect(number == -25)
    }

    @Test(
        "the parser reports invalid JSON with its position",
        arguments: [
            ("", 0), ("{", 1), ("{\"a\" 1}", 5), ("[1,]", 3), ("[1 2]", 3), ("\"abc", 0), ("nul", 0),
            ("1 1", 2), ("[1e999]", 1), ("-", 0), ("[\"\\x\"]", 2), ("[\"\\u12\"]", 2), ("{a: 1}", 1),
            ("[01]", 2), ("[1.]", 1), ("[.5]", 1), ("[1e]", 1), ("[\u{0B}1]", 1), ("\"a\u{01}\"", 2),
        ])
    func problems(text: String, offset: Int) {
        let problem = #expect(throws: JSONValue.Problem.self) { try parse(text) }
        #expect(problem?.offset == offset, "\(text)")
    }

    @Test("the parser rejects half a surrogate pair, and deep nesting without a stack overflow")
    func edges() throws {
        #expect(try parse(#""\ud83d""#).text() == "\u{FFFD}")
        #expect(try parse(#""\ud83dx\ude00""#).text() == "\u{FFFD}x\u{FFFD}")
        #expect(throws: JSONValue.Problem.self) { try parse(String(repeating: "[", count: 1_000_000)) }
    }
}
