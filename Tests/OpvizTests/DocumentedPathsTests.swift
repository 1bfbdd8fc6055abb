import Foundation
import Testing

@Suite("Documents for contributors")
struct DocumentedPathsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    /// The names of all files below `folder`.
    private static func names(below folder: String) -> Set<String> {
        let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return Set((files?.allObjects as? [String] ?? []).map { ($0 as NSString).lastPathComponent })
    }

    /// The file names and paths between backticks.
    private static func paths(in document: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
        let names = text.matches(of: /`([A-Za-z0-9_.\/-]+)`/).map { String($0.output.1) }
        return names.filter { name in
            name.contains("/") && !name.hasPrefix(".build") && !name.hasPrefix("demo")
                || name.contains(/\.(swift|c|h|cpp|hpp|js|css|md|sh|py)$/)
        }
    }

    @Test(
        "documents for contributors name only files and folders that exist",
        arguments: ["Documentation/Architecture.md", "CONTRIBUTING.md"])
    func exist(document: String) throws {
        let paths = try Self.paths(in: document)
        #expect(paths.count >= 5)
        let sources = Self.names(below: "Sources")
        let missing = paths.filter { path in
            // A name alone is that of some source.
            let isThere = ["", "Sources", "Benchmarks"].contains { folder in
                FileManager.default.fileExists(atPath: Self.root.appending(path: "\(folder)/\(path)").path)
            }
            return !isThere && !sources.contains(path)
        }
        #expect(missing == [], "\(document): a file that is named there does not exist")
    }
}
