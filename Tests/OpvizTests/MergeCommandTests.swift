import Foundation
import Inspector
import Testing

@Suite("opviz merge")
struct MergeCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try FileManager.default.createDirectory(
            atPath: folder.path("logs"), withIntermediateDirectories: true)
        try log("client", pid: 100, start: 0, enqueuedAt: 1_000) { client in
            client.append(LogEvent(time: 1_500, thread: 1, .contextSent(OperationID(1))))
        }
        try log("server", pid: 200, start: 500, enqueuedAt: 2_000) { server in
            server.insert(
                LogEvent(
                    time: 1_900, thread: 1,
                    .contextReceived(OperationID(1), traceparent: traceparent(of: "client", pid: 100))), at: 1
            )
        }
    }

    private static let hour: Int64 = 1_795_000_000_000_000_000

    private func traceparent(of process: String, pid: Int32) -> String {
        let identifiers = SpanIdentifiers(host: "h", process: process, processID: pid, start: Self.hour)
        return TraceContext(identifiers.span(1)).traceparent
    }

    /// Writes a log with an operation that takes 5 ms.
    private func log(
        _ process: String, pid: Int32, start: Int64, enqueuedAt time: Int64,
        _ change: (inout [LogEvent]) -> Void = { _ in }
    ) throws {
        let header = LogHeader(
            process: process, processID: pid, host: "h", start: Self.hour + start, isClosed: true,
            lastAlive: time + 5_000_000)
        let operation = OperationID(1)
        var events = [
            LogEvent(
                time: 0, thread: 1, .queueOpened(QueueID(1), name: "main", limit: 1, isSuspended: false)),
            LogEvent(
                time: time, thread: 1,
                .enqueued(.init(operation: operation, kind: "Work", name: process, queue: QueueID(1)))),
            LogEvent(time: time, thread: 1, .ready(operation)),
            LogEvent(time: time, thread: 1, .executing(operation)),
        ]
        change(&events)
        events.append(LogEvent(time: time + 5_000_000, thread: 1, .finished(operation, .succeeded)))
        try folder.write(EventLogContents(header: header, events: events), to: "logs/\(process).json")
    }

    @Test("opviz merge makes one trace of a folder of logs, which all else reads")
    func wholeFolder() throws {
        let run = try CommandRun("merge", "logs", in: folder)
        #expect(run.status == 0)
        #expect(run.text == "merged.json: 2 processes, 12 events, 1 operation caused by another process\n")
        #expect(run.error.hasPrefix("opviz: note: the logs have 2 clocks"), "\(run.error)")
        let graph = try CommandRun("merged.json", "-o", "-", "--format", "dot", in: folder)
        let dot =
            graph.status == 0 ? graph.text : try CommandRun("merged.json", "-o", "x.dot", in: folder).text
        #expect(dot.contains("client"), "\(graph.error)")
        let table = try CommandRun("table", "merged.json", "--by", "process", in: folder)
        #expect(table.text.contains("client") && table.text.contains("server"))
        for command in ["timeline", "lint", "critical-path", "whatif", "table"] {
            let run = try CommandRun(command, "merged.json", in: folder)
            #expect(run.status == 0 && run.error == "", "\(command): \(run.error)")
        }
        #expect(try CommandRun("explain", "merged.json", "server", in: folder).text.contains("client"))
        #expect(try CommandRun("diff", "merged.json", "merged.json", in: folder).status == 0)
        #expect(try CommandRun("report", "merged.json", in: folder).status == 0)
    }

    @Test("opviz merge converts between forms and back, and the trace is the same")
    func forms() throws {
        #expect(try CommandRun("merge", "logs", "-o", "m.json", in: folder).status == 0)
        #expect(try CommandRun("merge", "logs", "-o", "m.optrace", in: folder).status == 0)
        #expect(try CommandRun("convert", "m.optrace", "-o", "again.json", in: folder).status == 0)
        #expect(try folder.read("again.json") == folder.read("m.json"))
        #expect(try CommandRun("compact", "m.optrace", "-o", "c.optrace", in: folder).status == 0)
        #expect(try CommandRun("convert", "c.optrace", "-o", "third.json", in: folder).status == 0)
        #expect(try folder.read("third.json") == folder.read("m.json"))
    }

    @Test("opviz merge skips other files and merged traces in a folder, and says so")
    func others() throws {
        try folder.write("{}", to: "logs/package.json")
        try folder.write("", to: "logs/empty.optrace")
        #expect(try CommandRun("merge", "logs", "-o", "logs/merged.json", in: folder).status == 0)
        let again = try CommandRun("merge", "logs", "-o", "logs/merged.json", in: folder)
        #expect(again.status == 0 && again.text.hasPrefix("logs/merged.json: 2 processes"), "\(again.error)")
        #expect(
            again.error.contains("warning: logs/package.json: is JSON, but not a trace"), "\(again.error)")
        #expect(
            again.error.contains("warning: logs/empty.optrace: is empty; it is left out"), "\(again.error)")
        let elsewhere = try CommandRun("merge", "logs", "-o", "x.json", in: folder)
        #expect(elsewhere.error.contains("logs/merged.json: is already merged, and is left out"))
    }

    @Test("opviz merge does not wait for a pipe in a folder", .timeLimit(.minutes(1)))
    func pipe() throws {
        #expect(mkfifo(folder.path("logs/pipe.json"), 0o600) == 0)
        try FileManager.default.createDirectory(
            atPath: folder.path("logs/deep.optrace"), withIntermediateDirectories: true)
        for command in [
            ["merge"], ["baseline", "-o", "b.json"], ["export", "--format", "csv", "-o", "tables"],
        ] {
            let run = try CommandRun(command + ["logs"], in: folder)
            #expect(run.status == 0, "\(run.error)")
            for warning in ["pipe.json: is not a regular file", "deep.optrace: is a directory, not a trace"] {
                let parts = run.error.components(separatedBy: "warning: logs/\(warning); it is left out")
                #expect(parts.count == 2, "\(run.error)")
            }
        }
    }

    @Test("opviz merge refuses with one sentence what cannot be merged, and leaves no file")
    func refusals() throws {
        try folder.write("{}", to: "other.json")
        try FileManager.default.createDirectory(
            atPath: folder.path("none"), withIntermediateDirectories: true)
        let cases: [([String], Int32, String)] = [
            (["none"], 66, "none: contains no .optrace or .json files"),
            (["missing.json"], 66, "missing.json: no such file"),
            (["logs", "other.json"], 65, "other.json: is JSON, but not a trace"),
            (
                ["logs/client.json", "logs/client.json"], 65,
                "logs/client.json: is the log of the same process and the same start as logs/client.json"
            ),
            (
                ["logs/client.json", "-o", "logs/client.json"], 64,
                "logs/client.json: would overwrite the trace"
            ),
            (["logs", "-o", "other.json/x.json"], 73, "other.json/x.json: cannot be created"),
        ]
        for (arguments, status, sentence) in cases {
            let run = try CommandRun(["merge"] + arguments, in: folder)
            #expect(run.status == status && run.error.contains("opviz: " + sentence), "\(run.error)")
        }
        #expect(try folder.names == ["logs", "none", "other.json"])
    }

    @Test("opviz merge reads a log that was cut, and says what it lacks")
    func cut() throws {
        let bytes = try folder.read("logs/server.json")
        try bytes.prefix(bytes.count - 200).write(to: URL(filePath: folder.path("logs/server.json")))
        let run = try CommandRun("merge", "logs", in: folder)
        #expect(
            run.status == 0 && run.error.contains("warning: logs/server.json: the file is cut off"),
            "\(run.error)")
    }

    @Test("opviz merge explains itself")
    func help() throws {
        let help = try CommandRun("merge", "--help", in: folder)
        #expect(help.status == 0)
        for word in ["traceparent", "TRACEPARENT", "OPVIZ_TRACE=traces/", "merged.json"] {
            #expect(help.text.contains(word))
        }
    }
}
