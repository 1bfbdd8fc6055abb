import Foundation
import Ops

/// Counts the words of a folder's longest texts in a second process, and prints the most frequent ones. A
/// text that crashes the parser then ends only the helper.
///
///     words [FOLDER]            the texts of FOLDER; without one, those of this project's Documentation
///     words --count TEXT…       what the helper does: it writes the counts as JSON
///
/// Both processes record themselves, into the folder `logs`; in the end these are merged into `words.json`,
/// and drawn. With `OPVIZ_TRACE=traces/` they record there, and `opviz merge traces/` does the rest.
@main
struct Words {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--count" {
            // As the trace calls it, since both processes run one program.
            ProcessInfo.processInfo.processName = "word-counter"
            try await count(arguments.dropFirst().map { URL(fileURLWithPath: $0) })
        } else {
            try await show(arguments.first.map { URL(fileURLWithPath: $0) } ?? documentation)
        }
    }

    private static var documentation: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Documentation").standardizedFileURL
    }

    /// Where this program is.
    private static var program: URL {
        let linux = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return linux.path == "/proc/self/exe" ? Bundle.main.executableURL ?? linux : linux
    }

    private static func show(_ folder: URL) async throws {
        let logs = Recorder.shared.isRecording ? nil : try LogFolder("logs")
        if let logs { try Recorder.shared.start(writingTo: logs.path + "words.optrace") }
        let texts = SynchronousOperation(name: "find texts", kind: "FindTexts") {
            try Texts.longest(4, in: folder)
        }
        let counts = CountInHelper(texts, program: program, logs: logs?.path)
        let lengths = texts.thenSynchronously(name: "measure", kind: "Measure") { try Texts.bytes(of: $0) }
        let ranking = counts.then(with: lengths, name: "rank", kind: "Rank") { counts, bytes in
            (words: Array(Texts.ranked(counts).prefix(5)), bytes: bytes)
        }
        let queue = InstrumentedQueue()
        queue.name = "words"
        for operation in [texts, counts, lengths, ranking] as [Operation] { queue.addOperation(operation) }
        await ranking.finished()
        try Recorder.shared.stop()
        try logs?.merge(into: "words.json")
        switch Result(catching: { try ranking.get() }) {
        case .success(let found):
            let words = found.words.map { "\($0.word) (\($0.count))" }.joined(separator: ", ")
            print("most frequent in \(found.bytes) bytes: \(words)")
        case .failure(let error):
            FileHandle.standardError.write(Data("words: \(error)\n".utf8))
            exit(1)
        }
    }

    /// In the helper: each text is an operation.
    private static func count(_ texts: [URL]) async throws {
        let queue = InstrumentedQueue()
        queue.name = "counting"
        let each = GatherOperation(
            texts, name: "count \(texts.count) texts", maxConcurrentOperationCount: 2
        ) { text in
            SynchronousOperation(name: text.lastPathComponent, kind: "CountWords") {
                try Texts.counts(of: text)
            }
        }
        let sum = each.thenSynchronously(name: "sum up", kind: "SumUp") { counts in
            counts.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        for operation in [each, sum] as [Operation] { queue.addOperation(operation) }
        await sum.finished()
        FileHandle.standardOutput.write(try JSONEncoder().encode(sum.get()))
    }
}
