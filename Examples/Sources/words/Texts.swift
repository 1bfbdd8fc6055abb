import Foundation

/// Texts in a folder, and the words in them.
enum Texts {
    /// Words that do not characterize a text are usually shorter.
    private static let shortestWord = 5

    /// The longest Markdown files, the longest first; of equal ones by name.
    static func longest(_ count: Int, in folder: URL) throws -> [URL] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".md") }.map { folder.appendingPathComponent($0) }
        let sizes = try files.map { (file: $0, bytes: try bytes(of: [$0])) }
        return sizes.sorted { ($1.bytes, $0.file.path) < ($0.bytes, $1.file.path) }.prefix(count).map(\.file)
    }

    static func bytes(of texts: [URL]) throws -> Int {
        try texts.reduce(0) { $0 + (try Data(contentsOf: $1).count) }
    }

    /// How often each word of a text is in it, in lower case.
    static func counts(of text: URL) throws -> [String: Int] {
        let content = try String(contentsOf: text, encoding: .utf8)
        return content.lowercased().split { !$0.isLetter }
            .reduce(into: [:]) { if $1.count >= shortestWord { $0[String($1), default: 0] += 1 } }
    }

    /// The most frequent first; of equal ones in the order of the alphabet.
    static func ranked(_ counts: [String: Int]) -> [(word: String, count: Int)] {
        counts.map { (word: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.word) < ($0.count, $1.word) }
    }
}
