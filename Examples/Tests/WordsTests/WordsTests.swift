import Foundation
import Inspector
import Ops
import Testing

@testable import words

@Suite struct WordsTests {
    private let folder = URL(fileURLWithPath: NSTemporaryDirectory() + "words-\(UUID().uuidString)")

    private func text(_ name: String, _ content: String) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(name)
        try Data(content.utf8).write(to: file)
        return file
    }

    @Test func `Words are counted without regard to case, and short ones are left out`() throws {
        let file = try text("a.md", "Queue queue, the QUEUE; a trace's traces")
        #expect(try Texts.counts(of: file) == ["queue": 3, "trace": 1, "traces": 1])
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `The longest texts come first, and others than Markdown do not come`() throws {
        let files = [
            try text("a.md", "1"), try text("b.md", "333"), try text("c.md", "22"), try text("d.txt", "4444"),
        ]
        #expect(try Texts.longest(2, in: folder).map(\.lastPathComponent) == ["b.md", "c.md"])
        #expect(try Texts.bytes(of: files) == 10)
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `A helper that fails makes the operation fail`() async throws {
        let texts = SynchronousOperation<[URL]>(name: "none") { [] }
        let count = CountInHelper(
            texts, program: URL(fileURLWithPath: "/bin/false"), logs: "/nonexistent/", recorder: Recorder())
        let queue = OperationQueue()
        for operation in [texts, count] as [Operation] { queue.addOperation(operation) }
        await count.finished()
        guard case .failure(let failure as CountInHelper.Failure)? = count.output else {
            Issue.record("it ended with \(String(describing: count.output))")
            return
        }
        #expect(failure.description == "the helper ended with status 1")
    }
}
