import Foundation
import InspectorAnalysis
import Testing

@Suite("The glossary")
struct GlossaryTests {
    @Test("the glossary's document has each word of the page's tooltips, with the same meaning")
    func document() throws {
        let document = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/Glossary.md")
        let lines = try String(contentsOf: document, encoding: .utf8).split(separator: "\n")
        for (word, meaning) in Glossary.entries {
            #expect(lines.contains("| \(word) | \(meaning) |"), "\(word): \(meaning)")
        }
    }

    @Test("no word of the glossary has two meanings")
    func words() {
        let words = Glossary.entries.map(\.word)
        #expect(Set(words).count == words.count)
    }
}
