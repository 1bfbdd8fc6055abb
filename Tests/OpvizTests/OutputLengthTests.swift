import Foundation
import Testing

/// What people read at once, whatever the size of the trace.
@Suite("Without --all, texts are short and say what they leave out", .needs("python3"))
struct OutputLengthTests {
    private static let most = 6_144
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Traces of this repository, and made ones.
    private static let shapes =
        [
            "Documentation/traces/stuck.json", "Documentation/traces/tasks.json",
            "Tests/OpvizTests/Traces/quotes.json",
        ] + ["random 10", "random \(large)", "random 1000 stuck", "chain 1000"]
    /// Longer traces take minutes without optimization.
    private static let large = ProcessInfo.processInfo.environment["OPVIZ_OPERATIONS"] ?? "3000"

    private static let crowdedRuns: [(name: String, run: CrowdedRun)] = [
        ("many kinds", CrowdedRun(operations: 1300, kinds: 650, nameLength: 60)),
        ("many queues", CrowdedRun(kinds: 10, queues: 300, nameLength: 20)),
        ("many tasks", CrowdedRun(operations: 50, tasks: 1000)),
        ("a few tasks", CrowdedRun(operations: 40, kinds: 40, tasks: 40, nameLength: 200)),
        ("long names", CrowdedRun(operations: 500, kinds: 40, queues: 40, nameLength: 200, functions: 300)),
        ("rows", CrowdedRun(operations: 40, functions: 40)),
    ]

    /// Those that print a text or Markdown of one trace. The last argument is the name of the output, if it
    /// is a file.
    private static let commands = [
        ["why"], ["lint"], ["lint", "finding:1"], ["critical-path"], ["explain"], ["explain", "step:2"],
        ["whatif"], ["timeline"], ["flame"], ["flame", "--blocked"],
        ["table"], ["table", "-f", "markdown"], ["table", "--by", "operation"],
        ["table", "--by", "operation", "-f", "markdown"], ["table", "--by", "queue"],
        ["table", "--by", "queue", "-f", "markdown"], ["table", "--by", "thread"], ["table", "--by", "task"],
        ["table", "--by", "task-kind"], ["table", "--by", "executor"], ["table", "--by", "process"],
        ["graph", "-o", "picture.dot"], ["graph", "-o", "picture.md"],
        ["diff", "other.json"], ["diff", "other.json", "-f", "markdown"], ["diff", "other.json", "--flame"],
        ["check", "--baseline", "other.json"], ["check", "--baseline", "other.json", "-f", "markdown"],
        ["check", "--budgets", "budgets.yml"], ["check", "--budgets", "budgets.yml", "-f", "markdown"],
    ]

    private func expectShort(_ trace: String) async throws {
        let budgets = (1...300).map { "- makespan: \($0)ms\n- failures: \($0)\n" }.joined()
        try folder.write(budgets, to: "budgets.yml")
        try await withThrowingTaskGroup { group in
            for command in Self.commands {
                group.addTask { [folder] in try Self.expectShort(command, trace, in: folder) }
            }
            try await group.waitForAll()
        }
    }

    private static func expectShort(_ command: [String], _ trace: String, in folder: Folder) throws {
        let run = try CommandRun(command.prefix(1) + [trace] + command.dropFirst(), in: folder)
        var text = run.text
        // The graph is a picture, whose text nobody reads.
        if command.last == "picture.md", run.status == 0 {
            text = String(decoding: try folder.read("picture.md"), as: UTF8.self)
            let graph = try #require(text.firstRange(of: "```mermaid"))
            text = String(text[..<graph.lowerBound])
        }
        #expect(
            text.utf8.count <= Self.most && run.error.utf8.count <= Self.most,
            "\(command) \(trace): \(text.utf8.count) and \(run.error.utf8.count) bytes")
        #expect(!text.isEmpty || !run.error.isEmpty, "\(command) \(trace)")
    }

    @Test("texts about a trace of any size are short, and say what they leave out", arguments: shapes)
    func traces(_ name: String) async throws {
        let words = name.split(separator: " ").map(String.init)
        if words.count == 1 {
            let source = Repository.url.appending(path: name).path
            try FileManager.default.copyItem(atPath: source, toPath: folder.path("trace.json"))
            try FileManager.default.copyItem(atPath: source, toPath: folder.path("other.json"))
        } else {
            let count = try #require(Int(words[1]))
            try folder.makeTrace(words[0], count, to: "trace.json", isStuck: words.count == 3)
            try folder.makeTrace("queues", min(count, 1000), to: "other.json")
        }
        try await expectShort("trace.json")
    }

    @Test(
        "texts are short for many kinds, queues, tasks and functions, and for long names",
        arguments: crowdedRuns.map(\.name))
    func crowds(_ name: String) async throws {
        let run = try #require(Self.crowdedRuns.first { $0.name == name }?.run)
        try folder.write(run.contents, to: "trace.json")
        var other = run
        (other.operations, other.failures, other.functions) = (run.operations * 3 / 4, 9, run.functions / 3)
        try folder.write(other.contents, to: "other.json")
        try await expectShort("trace.json")
    }

    @Test(
        "a text with --all prints the rest",
        arguments: [
            ["lint", "--all prints those of each rule and kind"],
            ["table", "more operations; --all prints all"],
            ["critical-path", "more steps (see them with --all)"],
            ["timeline", "; --all prints all"],
            ["diff", "more kinds; --all prints all"],
            ["flame", "more functions; --all prints all"],
        ])
    func all(command: [String]) throws {
        var run = CrowdedRun(operations: 300, kinds: 100, functions: 300)
        try folder.write(run.contents, to: "trace.json")
        (run.operations, run.failures) = (250, 9)
        try folder.write(run.contents, to: "other.json")
        let rest = ["table": ["--by", "operation"], "diff": ["other.json"]][command[0]] ?? []
        let short = try CommandRun([command[0], "trace.json"] + rest, in: folder)
        #expect(short.text.contains(command[1]), "\(short.text.suffix(300))")
        let whole = try CommandRun([command[0], "trace.json", "--all"] + rest, in: folder)
        #expect(whole.text.utf8.count > short.text.utf8.count)
        #expect(!whole.text.contains(command[1]))
    }
}
