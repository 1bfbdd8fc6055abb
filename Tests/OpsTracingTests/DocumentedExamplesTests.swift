import Foundation
import Testing

@Suite("The examples of the documentation")
struct DocumentedExamplesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    private static func lines(of path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("the examples are code that compiles", arguments: ["Bridges.md", "UseOtherTools.md"])
    func compile(page: String) throws {
        let compiled = try Self.lines(of: "Tests/OpsTracingTests/DocumentedExamples.swift").joined(
            separator: "\n")
        var blocks: [[String]] = []
        var isInside = false
        for line in try Self.lines(of: "Documentation/\(page)") {
            if line.hasPrefix("```") {
                isInside = line == "```swift"
                if isInside { blocks.append([]) }
            } else if isInside {
                blocks[blocks.count - 1].append(line)
            }
        }
        let own = blocks.map { $0.joined(separator: "\n") }
        #expect(!own.isEmpty)
        for block in own {
            for part in block.components(separatedBy: "\n\n") {
                #expect(compiled.contains(part))
            }
        }
    }
}
