import EventLog
import Foundation
import TestTraces
import Testing

@Suite struct JSONTextTests {
    @Test(
        "JSON escapes text that acts on a terminal, and reads it back as it was",
        arguments: [
            "\u{1B}[31m", "\u{9B}2J", "\u{202E}abc", "\u{2066}", "\u{7F}\u{0}\n", "é 😀 a\u{200D}b", "\"\\",
        ])
    func escaped(text: String) throws {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        let written = String(decoding: bytes, as: UTF8.self)
        #expect(
            written.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control && !(0x202A...0x202E).contains($0.value)
                    && !(0x2066...0x2069).contains($0.value)
            })
        #expect(try JSONDecoder().decode([String].self, from: Data("[\(written)]".utf8)) == [text])
    }
}
