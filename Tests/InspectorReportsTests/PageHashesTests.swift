import Foundation
import InspectorPageAssets
import TestTraces
import Testing

@testable import InspectorReports

@Suite("PageHashes")
struct PageHashesTests {
    @Test(
        "the recorded hashes match the page's script and style",
        .enabled(if: FileManager.default.isExecutableFile(atPath: Self.program), "there is no sha256sum"))
    func areCurrent() throws {
        let script = try Self.hash(PageAssets.script)
        let style = try Self.hash(PageAssets.style)
        if ProcessInfo.processInfo.environment["OPVIZ_RECORD_GOLDENS"] == "1" {
            try Self.record(["script": script, "style": style])
            return
        }
        #expect(PageHashes.script == script, "record them again as PageHashes.swift says")
        #expect(PageHashes.style == style, "record them again as PageHashes.swift says")
    }

    @Test("neither the page's script nor its style can end its element")
    func noEnds() {
        for asset in [PageAssets.script, PageAssets.style] {
            let text = String(decoding: asset, as: UTF8.self).lowercased()
            #expect(!text.contains("</script") && !text.contains("</style") && !text.contains("<!--"))
            #expect(!text.contains("innerhtml") && !text.contains("eval("))
        }
    }

    private static let program = "/usr/bin/sha256sum"

    private static func hash(_ bytes: [UInt8]) throws -> String {
        let file = URL(filePath: NSTemporaryDirectory()).appending(path: "opviz-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = [file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let digits = Array(text.prefix(64))
        let digest = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0..<$0 + 2]), radix: 16)
        }
        return PageColumn.base64(digest)
    }

    private static func record(_ hashes: [String: String]) throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Inspector/PageAssets/PageHashes.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let changed = lines.map { line -> String in
            for (name, hash) in hashes where line.hasPrefix("    package static let \(name) = ") {
                return "    package static let \(name) = \"\(hash)\""
            }
            return String(line)
        }
        try Data(changed.joined(separator: "\n").utf8).write(to: source)
    }
}
