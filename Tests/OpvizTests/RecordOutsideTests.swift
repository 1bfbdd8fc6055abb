import EventLog
import Foundation
import Inspector
import Testing

@Suite("opviz record logs what a program passes to its own recorder", .needsRecording)
struct RecordOutsideTests {
    private static let cause = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let victim =
        CommandRun.program.deletingLastPathComponent().appending(path: "RecordingVictim").path

    /// Every operation of a trace: its kind, its name, and those of its parent. As text, to be sorted.
    private static func operations(of trace: Trace) -> [String] {
        trace.operations.map { operation in
            let family = [operation, operation.parent.map { trace.operations[$0] }].compactMap(\.self)
            let queue = operation.queue.flatMap { trace.queues[$0].name } ?? "no name"
            return family.map { "\($0.kind) '\($0.name ?? "")'" }.joined(separator: " in ") + " on \(queue)"
        }.sorted()
    }

    @Test("opviz record logs the same kinds and names as the program's own log")
    func kinds() throws {
        let folder = try Folder()
        let alone = try ProgramRun(
            [Self.victim, "kinds"], in: folder, environment: ["OPVIZ_TRACE": folder.path("own.json")])
        try #require(alone.status == 0, "\(alone.error)")
        let own = try Self.operations(of: TraceReader(path: folder.path("own.json")).read())
        let recorded = try RecordedRun([Self.victim, "kinds"]).trace()
        #expect(Self.operations(of: recorded).joined(separator: "\n") == own.joined(separator: "\n"))
        let expected = ["GET /quotes": 2, "PUT /quotes": 1, "Small": 1, "Large": 1, "Ask": 1, "Parse": 1]
        let counts = Dictionary(grouping: recorded.operations, by: \.kind).mapValues(\.count)
        #expect(counts.filter { expected[$0.key] != nil } == expected)
    }

    @Test("opviz record logs marks, and what caused an operation")
    func marksAndCauses() throws {
        let run = try RecordedRun(
            [Self.victim, "cause"],
            environment: ["CAUSE_OF_SPAWN": Self.cause, "OPVIZ_TRACE": "ignored.json"])
        let trace = try #require(run.traces.values.first { $0.operations.contains { $0.name == "spawn" } })
        let spawn = try trace.operation("spawn")
        #expect(trace.marks.map(\.text) == ["spawning"])
        #expect(trace.marks.map(\.operation) == [spawn.index])
        #expect(trace.receivedContexts.map(\.context.traceparent) == [Self.cause])
        #expect(trace.receivedContexts.map(\.operation) == [spawn.index])
        #expect(spawn.enqueued != nil && trace.operations.count == 1 && trace.losses == [])
    }

    @Test("opviz record logs edges to child processes, also if the program continues another trace")
    func edges() throws {
        for cause in ["", Self.cause] {
            let folder = try Folder()
            let run = try ProgramRun(
                [CommandRun.program.path, "record", "-q", "-o", "logs/", "--", Self.victim, "cause"],
                in: folder, environment: ["TRACEPARENT": cause])
            try #require(run.status == 0, "\(run.error)")
            let merge = try CommandRun("merge", "logs", in: folder)
            #expect(merge.text.contains("1,000 operations caused by another process"), "\(merge)")
            let trace = try TraceReader(path: folder.path("merged.json")).read()
            let spawn = try trace.operation("spawn")
            let children = trace.operations.filter { $0.process != spawn.process }
            #expect(children.count == 1_000 && children.allSatisfy { $0.parent == spawn.index })
        }
    }

    @Test("opviz record logs failures with their messages, and what an operation says of itself")
    func failures() throws {
        let service = try WatchedService(wrapper: [CommandRun.program.path, "record", "-q", "--"])
        try service.tell(
            "add net fetch", "add net parse fetch", "regardless net clean fetch", "fail fetch",
            "finish clean", "drain net")
        try service.end()
        let trace = try TraceReader(path: service.folder.path("trace.json")).read()
        #expect(try trace.operation("fetch").outcome == .failed(message: "told to fail"))
        let failure = "fetch failed: told to fail"
        #expect(try trace.operation("parse").outcome == .failed(message: failure))
        let clean = try trace.operation("clean")
        #expect(clean.outcome == .succeeded)
        #expect(trace.marks.map(\.text) == ["runs regardless: \(failure)"])
        #expect(trace.marks.map(\.operation) == [clean.index])
    }

    @Test("opviz record logs the group of operations, also if another thread adds them")
    func groups() throws {
        let service = try WatchedService(wrapper: [CommandRun.program.path, "record", "-q", "--"])
        try service.tell("retry net fetch", "drain net")
        try service.end()
        let trace = try TraceReader(path: service.folder.path("trace.json")).read()
        let fetch = try trace.operation("fetch")
        #expect(try trace.operation("attempt 1").outcome == .failed(message: "told to fail"))
        #expect(try trace.operation("attempt 2").outcome == .succeeded)
        let children = trace.operations.filter { $0.index != fetch.index }
        #expect(children.count == 3 && children.allSatisfy { $0.parent == fetch.index })
    }
}
