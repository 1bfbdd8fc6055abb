import Foundation
import Testing

/// What people read at once, whatever the size of the trace.
@Suite("Without --all, texts are short and say what they leave out", .needs("python3"))
struct OutputLengthTests {
    private static let most = 6_000
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.makeTrace("random", 20_000, to: "trace.json")
    }

    @Test(
        "in each command that prints a text",
        arguments: [
            ["why"], ["lint"], ["table"], ["table", "--by", "operation"], ["table", "--by", "queue"],
            ["table", "--by", "operation", "-f", "markdown"], ["critical-path"], ["explain"], ["whatif"],
            ["timeline"], ["diff"], ["graph", "-o", "picture.svg"],
        ])
    func short(arguments: [String]) throws {
        let traces = Array(repeating: "trace.json", count: arguments == ["diff"] ? 2 : 1)
        let run = try CommandRun(arguments.prefix(1) + traces + arguments.dropFirst(), in: folder)
        #expect(run.text.utf8.count <= Self.most, "\(run.text.utf8.count) bytes")
        #expect(!run.text.isEmpty)
    }

    @Test(
        "and --all prints the rest",
        arguments: [
            ["lint", "--all prints those of each rule and kind"],
            ["table", "more operations; --all prints all"],
        ])
    func all(command: [String]) throws {
        let rows = command[0] == "table" ? ["--by", "operation"] : []
        let short = try CommandRun([command[0], "trace.json"] + rows, in: folder)
        #expect(short.text.contains(command[1]), "\(short.text.suffix(300))")
        let whole = try CommandRun([command[0], "trace.json", "--all"] + rows, in: folder)
        #expect(whole.text.utf8.count > Self.most)
        #expect(!whole.text.contains(command[1]))
    }
}
