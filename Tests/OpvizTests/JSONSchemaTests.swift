import EventLog
import Foundation
import Inspector
import TestTraces
import Testing

@Suite("Schemas of JSON")
struct JSONSchemaTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// Writes the output of a command into a file of that name.
    private func run(_ name: String, _ arguments: String...) throws {
        let run = try CommandRun(arguments, in: folder)
        #expect(!run.output.isEmpty, "\(arguments): \(run.error)")
        try run.output.write(to: URL(filePath: folder.path("out/\(name).json")))
    }

    /// Copies files of the repository into the folder.
    private func copy(_ names: [String], of path: String) throws {
        for name in names {
            let source = Repository.url.appending(path: path).appending(path: name)
            try FileManager.default.copyItem(atPath: source.path, toPath: folder.path(name))
        }
    }

    /// What is written of one trace.
    private func commandsOfTraces() throws {
        try copy(["before.json", "after.json", "tasks.json", "stuck.json"], of: "Documentation/traces")
        try run("why", "why", "tasks.json", "-f", "json")
        try run("lint", "lint", "stuck.json", "--severity", "error", "-f", "json")
        let graph = try CommandRun(
            "before.json", "-o", "out/graph.json", "--focus", "kind:Download", "--color-by", "slack",
            in: folder)
        #expect(graph.status == 0, "\(graph.error)")
        try run("table", "table", "before.json", "-f", "json")
        try run("explain", "explain", "before.json", "-f", "json")
        try run("critical-path", "critical-path", "before.json", "-f", "json")
        try run("diff", "diff", "before.json", "after.json", "-f", "json")
        try run("whatif", "whatif", "before.json", "--slots", "1,unlimited", "-f", "json")
        try run("cpus", "whatif", "tasks.json", "--cpus", "1,unlimited", "-f", "json")
        try run("slots", "whatif", "before.json", "--slots", "network=4", "-f", "json")
        try run("threads", "whatif", "tasks.json", "--pool", "4", "-f", "json")
        try run("pool", "whatif", "tasks.json", "--slots", "pool=1,unlimited", "-f", "json")
        try run("scaled", "whatif", "before.json", "--scale", "Download=0.5", "-f", "json")
        try run("doctor", "doctor", "/bin/sh", "-f", "json")
    }

    private func commandsOfManyRuns() throws {
        try SimulatedRuns().write(5, seed: 1, to: "old", in: folder)
        try SimulatedRuns(parse: 1.4, second: 10).write(5, seed: 3, to: "slow", in: folder)
        try SimulatedRuns(host: "far", last: "Upload").write(2, seed: 5, to: "far", in: folder)
        try folder.write(
            "- makespan: 1ms\n- failures: 2\n- kind: Parse\n  p95 execution: 1s\n  slot wait: 10%\n"
                + "- queue: main\n  concurrency: 1\n",
            to: "b.yml")
        try run("check", "check", "slow", "--baseline", "old", "--interleaved", "-f", "json")
        try run("check-far", "check", "far", "--baseline", "old", "-f", "json")
        try run("check-budgets", "check", "slow", "--baseline", "old", "--budgets", "b.yml", "-f", "json")
        try folder.write("- executor: global executor\n  concurrency: 1\n", to: "t.yml")
        try run("budgets", "check", "slow", "--budgets", "b.yml", "-f", "json")
        try run("budgets-tasks", "check", "tasks.json", "--budgets", "t.yml", "-f", "json")
        let saved = try CommandRun("baseline", "old", "-o", "out/b.json", "--label", "v1", in: folder)
        let added = try CommandRun(
            "history", "add", "old", "--file", "out/h.jsonl", "--label", "v1", in: folder)
        #expect(saved.status == 0 && added.status == 0)
        try run("check-saved", "check", "slow", "--baseline", "out/b.json", "-f", "json")
    }

    /// What `watch` writes of logs that it can follow: those of one process, as a program writes them.
    private func watched() throws {
        let faults = ["circle.optrace", "suspended.optrace", "semaphore.optrace"]
        try copy(faults, of: "Tests/OpvizTests/Traces/faults")
        for fault in faults { try convert(fault, to: fault + ".json") }
        let events = MixedTrace.events
        for (index, count) in [events.count / 3, events.count / 2, events.count * 2 / 3].enumerated() {
            try folder.write(
                EventLogContents(header: MixedTrace.header, events: Array(events.prefix(count))),
                to: "mixed\(index).json")
        }
        let logs = faults.map { $0 + ".json" } + ["stuck.json", "tasks.json", "mixed0.json", "mixed1.json"]
        for log in logs + ["mixed2.json"] {
            try convert(log, to: "watched.\(log).optrace")
            try run("watch-\(log)", "watch", "--once", "-f", "json", "watched.\(log).optrace")
        }
    }

    private func convert(_ trace: String, to converted: String) throws {
        let run = try CommandRun("convert", trace, "-o", converted, in: folder)
        #expect(run.status == 0, "\(run.error)")
    }

    /// The goldens that are JSON of this package and not of other tools, and baselines that were committed.
    private func goldens() throws -> [String] {
        try ["Tests/Goldens", "Documentation/traces"].flatMap { path in
            let folder = Repository.url.appending(path: path)
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .map { folder.appending(path: $0) }
                .filter { $0.pathExtension == "json" }
                .filter { try Data(contentsOf: $0).starts(with: Data(#"{"format": "opviz-"#.utf8)) }
                .map(\.path)
        }
    }

    @Test(
        "each output of each command is as its schema says, and each has what the other names",
        .enabled(if: Self.hasValidator, "needs Python's jsonschema"))
    func documents() throws {
        try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
        try commandsOfTraces()
        try commandsOfManyRuns()
        try watched()
        for (name, text) in [("process", nil), ("process-unseen", "it uses io_uring")] {
            try OutsideViewTests.json(unseen: text, unsearched: text).write(
                to: URL(filePath: folder.path("out/\(name).json")))
        }
        for (trace, read) in try SchemaTraces.all() {
            for document in try WrittenJSON.all(of: read) {
                let name = folder.path("out/\(trace)-\(document.name).json")
                try Data(document.bytes).write(to: URL(filePath: name))
            }
        }
        let goldens = try goldens()
        #expect(goldens.count > 10)
        let outputs = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
            .sorted().map { folder.path("out/" + $0) }
        let checked = try ProgramRun(
            [
                Self.python, Repository.url.appending(path: "Tests/json_schemas.py").path,
                Repository.url.appending(path: "Documentation/schemas").path,
            ] + outputs + goldens)
        #expect(checked.status == 0, "\(checked.error)")
        #expect(checked.output == "\n", "\(checked.output)")
    }

    /// The Python that has jsonschema: the one of the system, for which `make setup` installs it, if the
    /// first in the path does not have it.
    private static let python: String = {
        let found = try? ProgramRun(["python3", "-c", "import jsonschema"])
        return found?.status == 0 ? "python3" : "/usr/bin/python3"
    }()

    /// On Linux `make setup` installs it, so that a test without it fails.
    private static var hasValidator: Bool {
        #if os(Linux)
            true
        #else
            (try? ProgramRun([python, "-c", "import jsonschema"]))?.status == 0
        #endif
    }
}
