import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorTraces

@Suite("A Chrome trace that another program wrote")
struct ChromeTraceReaderTests {
    // MARK: Real ones

    @Test("a Chrome trace of clang has its passes, one within the other, and not its sums")
    func clang() throws {
        let trace = try sample("clang")
        #expect(trace.header.process == "clang-21" && trace.header.processID == 28178)
        #expect(trace.queues.map(\.name) == ["clang++", "Source"])
        let frontend = try #require(trace.operations.first { $0.kind == "Frontend" })
        #expect(frontend.parent.map { trace.operations[$0].kind } == "ExecuteCompiler")
        let source = try #require(trace.operations.first { $0.kind == "Source" })
        #expect(source.name?.hasSuffix("numeric") == true)
        #expect(!trace.operations.contains { $0.kind.hasPrefix("Total ") })
        #expect(trace.notes.contains { $0.hasPrefix("not used: 136 sums of slices") }, "\(trace.notes)")
        // What clang says of its beginning, and the first slice.
        #expect(trace.header.start / 1_000_000_000 == 1_795_276_689)
    }

    @Test("a Chrome trace of Node has its promises, timers and file requests, each under what began it")
    func node() throws {
        let trace = try sample("node")
        #expect(trace.header.process == "node")
        #expect(trace.operations.contains { $0.kind == "FSREQPROMISE" && $0.outcome == .succeeded })
        #expect(trace.marks.isEmpty)
        let unfinished = trace.operations.count { $0.finished == nil }
        #expect(trace.notes.contains("\(unfinished) slices did not end before the trace did"))
        #expect(trace.isOfAnotherProgram)
        let report = UnfinishedReport(TraceAnalysis(trace))
        #expect(report.line == "the trace ends in the middle of work: 64 operations were executing")
        #expect(report.reasons.isEmpty && !report.isStandingStill)
    }

    @Test("a Chrome trace stored in any form of a log ends as before, because another program wrote it")
    func stored() throws {
        let contents = try TraceReader(path: try #require(Self.samplePath("node"))).events()
        var binary = BinaryLogEncoder(header: contents.header)
        var compact = CompactLogEncoder(header: contents.header)
        var json = JSONLogEncoder(header: contents.header)
        for event in contents.events {
            binary.encode(event)
            compact.encode(event)
            json.encode(event)
        }
        let text = contents.header.jsonPrologue() + json.takeBytes() + JSONLogEncoder.epilogue
        for bytes in [binary.finish(), compact.finish(), text] {
            let trace = try readFile(bytes)
            #expect(trace.isOfAnotherProgram)
            let report = UnfinishedReport(TraceAnalysis(trace))
            #expect(report.line == "the trace ends in the middle of work: 64 operations were executing")
            #expect(trace.losses == [])
        }
    }

    @Test("a Chrome trace of viztracer has its functions, by thread, one within the other")
    func viztracer() throws {
        let trace = try sample("viztracer")
        #expect(Set(trace.queues.map(\.name)) == ["MainThread", "worker 0", "worker 1"])
        let calls = trace.operations.filter { $0.kind == "fib (fib.py:4)" }
        // fib(3) calls fib 4 times, twice.
        #expect(calls.count == 10)
        let within = calls.filter { $0.parent.map { trace.operations[$0].kind } == "fib (fib.py:4)" }
        #expect(within.count == 8)
        #expect(trace.losses.isEmpty && trace.notes.count == 1, "\(trace.losses) \(trace.notes)")
    }

    // MARK: What each event means

    @Test("complete slices and pairs become operations, in the queue of their thread; the first is the start")
    func slices() throws {
        let trace = try read(
            #"{"ph":"B","pid":1,"tid":7,"ts":1000.5,"name":"a"},"#,
            #"{"ph":"X","pid":1,"tid":7,"ts":1002,"dur":1.25,"name":"b","args":{"detail":"of b"}},"#,
            #"{"ph":"E","pid":1,"tid":7,"ts":1010}"#)
        #expect(trace.operations.map(\.kind) == ["a", "b"])
        let (a, b) = (trace.operations[0], trace.operations[1])
        #expect(a.enqueued == TraceMoment(0) && a.executing == TraceMoment(0))
        #expect(a.finished == TraceMoment(9_500) && a.outcome == .succeeded && a.thread == 7)
        #expect(b.finished == TraceMoment(2_750) && b.parent == 0 && b.name == "of b")
        #expect(trace.queues.map(\.name) == ["thread 7"])
    }

    @Test("a complete slice without a duration was open at the end; one with an unusable one is left out")
    func durations() throws {
        let trace = try read(
            #"{"ph":"X","pid":1,"tid":1,"ts":0,"name":"open"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"within"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":2,"dur":-1,"name":"negative"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":"soon","dur":1,"name":"text"}"#)
        #expect(trace.operations.map(\.kind) == ["open", "within"])
        #expect(trace.operations.map { $0.finished?.notAfter } == [nil, 3_000])
        #expect(trace.operations[1].parent == 0)
        #expect(trace.losses.count == 1)
        let loss = try #require(trace.losses.first)
        #expect(loss.contains("1 event with a time that is not a number (at byte"), "\(loss)")
        #expect(loss.contains("1 slice with a duration that is negative or not a number (at byte"), "\(loss)")
        #expect(!loss.contains("without a time"))
    }

    @Test("a thread's earlier slice is before the next one on the critical path, also after a gap")
    func threads() throws {
        let trace = try read(
            #"{"ph":"X","pid":1,"tid":1,"ts":0,"dur":4,"name":"a"},"#,
            #"{"ph":"X","pid":1,"tid":2,"ts":0,"dur":9,"name":"other"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":4,"dur":3,"name":"b"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":5,"dur":1,"name":"within b"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":9,"dur":2,"name":"c"}"#)
        let chain = DelayChains(TraceAnalysis(trace)).ofRun
        #expect(
            chain.steps.map { "\($0.reason) \(trace.operations[$0.operation].kind)" } == [
                "added a", "thread b", "added within b", "child b", "thread c",
            ])
        #expect(chain.steps.map(\.start) == [0, 4_000, 5_000, 6_000, 7_000] && chain.length == 11_000)
        #expect(chain.steps.map(\.beforeEnqueue) == [0, 0, 0, 0, 2_000])
        #expect(
            chain.steps.map(\.waits)
                == [4_000, 1_000, 1_000, 1_000, 2_000].map { [.execution: $0] })
    }

    @Test("asynchronous slices that overlap do not follow one another")
    func overlappingCategories() throws {
        let trace = try read(
            #"{"ph":"b","pid":1,"tid":1,"ts":0,"cat":"net","id":"0x1","name":"a"},"#,
            #"{"ph":"b","pid":1,"tid":1,"ts":1,"cat":"net","id":"0x2","name":"b"},"#,
            #"{"ph":"e","pid":1,"tid":1,"ts":3,"cat":"net","id":"0x1","name":"a"},"#,
            #"{"ph":"e","pid":1,"tid":1,"ts":4,"cat":"net","id":"0x2","name":"b"},"#,
            #"{"ph":"b","pid":1,"tid":1,"ts":5,"cat":"net","id":"0x3","name":"c"},"#,
            #"{"ph":"e","pid":1,"tid":1,"ts":6,"cat":"net","id":"0x3","name":"c"}"#)
        let chain = DelayChains(TraceAnalysis(trace)).ofRun
        #expect(chain.steps.map { "\($0.reason) \(trace.operations[$0.operation].kind)" } == ["added c"])
    }

    @Test("asynchronous slices nest by their identifier, and are in the queue of their category")
    func asynchronous() throws {
        let trace = try read(
            #"{"ph":"b","pid":1,"tid":1,"ts":0,"cat":"net","id":"0x1","name":"request"},"#,
            #"{"ph":"b","pid":1,"tid":1,"ts":1,"cat":"net","id":"0x2","name":"request"},"#,
            #"{"ph":"b","pid":1,"tid":1,"ts":2,"cat":"net","id":"0x1","name":"connect"},"#,
            #"{"ph":"e","pid":1,"tid":2,"ts":3,"cat":"net","id":"0x1","name":"connect"},"#,
            #"{"ph":"e","pid":1,"tid":2,"ts":4,"cat":"net","id":"0x1","name":"request"},"#,
            #"{"ph":"S","pid":1,"tid":1,"ts":5,"cat":"disk","id":3,"name":"write"},"#,
            #"{"ph":"F","pid":1,"tid":1,"ts":6,"cat":"disk","id":3,"name":"write"}"#)
        #expect(trace.operations.map(\.kind) == ["request", "request", "connect", "write"])
        #expect(trace.operations.map(\.parent) == [nil, nil, 0, nil])
        #expect(trace.operations.map { $0.finished?.notAfter } == [4_000, nil, 3_000, 6_000])
        #expect(trace.queues.map(\.name) == ["net", "disk"])
        #expect(trace.notes.contains("1 slice did not end before the trace did"))
    }

    @Test("a flow from an ended slice is a dependency; from an open one, the parent")
    func flows() throws {
        let trace = try read(
            #"{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},"#,
            #"{"ph":"s","pid":1,"tid":1,"ts":5,"id":1,"cat":"c","name":"f"},"#,
            #"{"ph":"t","pid":1,"tid":2,"ts":12,"id":1,"cat":"c","name":"f","bp":"e"},"#,
            #"{"ph":"X","pid":1,"tid":2,"ts":12,"dur":10,"name":"b"},"#,
            #"{"ph":"f","pid":1,"tid":3,"ts":13,"id":1,"cat":"c","name":"f"},"#,
            #"{"ph":"X","pid":1,"tid":3,"ts":14,"dur":1,"name":"c"},"#,
            #"{"ph":"f","pid":1,"tid":9,"ts":99,"id":1,"cat":"c","name":"f"}"#)
        #expect(trace.operations.map(\.kind) == ["a", "b", "c"])
        #expect(trace.edges == [Trace.Edge(predecessor: 0, successor: 1)])
        #expect(trace.operations.map(\.parent) == [nil, nil, 1])
        #expect(trace.losses.contains("left out: 1 flow event at no slice"))
    }

    @Test("a flow through a slice without other events is a dependency")
    func boundFlows() throws {
        let trace = try read(
            #"{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a","bind_id":"0x9","flow_out":true},"#,
            #"{"ph":"X","pid":1,"tid":2,"ts":12,"dur":10,"name":"b","bind_id":"0x9","flow_in":true}"#)
        #expect(trace.edges == [Trace.Edge(predecessor: 0, successor: 1)])
    }

    @Test("instants become marks, of the slice around them; counters and samples are counted")
    func instants() throws {
        let trace = try read(
            #"{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},"#,
            #"{"ph":"i","pid":1,"tid":1,"ts":5,"s":"t","name":"here"},"#,
            #"{"ph":"C","pid":1,"ts":5,"name":"memory","args":{"bytes":5}},"#,
            #"{"ph":"C","pid":1,"ts":6,"name":"memory","args":{"bytes":6}},"#,
            #"{"ph":"E","pid":1,"tid":1,"ts":11},"#, #"{"ph":"X","pid":1,"tid":1,"name":"when?","dur":1}"#)
        #expect(trace.marks.map(\.text) == ["here"] && trace.marks.map(\.operation) == [0])
        #expect(
            trace.losses.count == 1
                && trace.losses[0].wholeMatch(
                    of: /left out: 1 end without a beginning, 1 event without a time \(at byte \d+\)/)
                    != nil,
            "\(trace.losses)")
        #expect(trace.notes.contains("not used: 2 counters (C)"))
    }

    @Test(
        "threads have the names that the trace gives, by process, and numbers of their own"
    )
    func names() throws {
        let trace = try read(
            #"{"ph":"X","pid":1,"tid":"ui","ts":0,"dur":10,"name":"a"},"#,
            #"{"ph":"X","pid":2,"tid":-5,"ts":0,"dur":10,"name":"b"},"#,
            #"{"ph":"M","pid":1,"name":"process_name","args":{"name":"app"}},"#,
            #"{"ph":"M","pid":2,"tid":-5,"name":"thread_name","args":{"name":"main"}}"#)
        #expect(trace.queues.map(\.name) == ["thread ui", "main"])
        #expect(trace.queues.map(\.displayName) == ["thread ui in app", "main in process"])
        #expect(trace.operations.map(\.thread) == [1, 2])
    }

    @Test("a process whose pid is a text has that name, also if it is alone", arguments: [true, false])
    func textsForProcesses(isAlone: Bool) throws {
        let one = #"{"ph":"X","pid":"GPU","tid":1,"ts":0,"dur":10,"name":"a"}"#
        let other = #",{"ph":"X","pid":"CPU 1","tid":1,"ts":0,"dur":10,"name":"b"}"#
        let trace = try read(isAlone ? one : one + other)
        #expect(trace.processes.map(\.process) == (isAlone ? ["GPU"] : ["GPU", "CPU 1"]))
        #expect(ProcessNames(trace).titles == (isAlone ? ["GPU"] : ["GPU", "CPU 1"]))
        #expect(ProcessNames.programs(trace.processes) { $0 } == (isAlone ? ["GPU"] : ["GPU", "CPU 1"]))
    }

    // MARK: What a file may be

    @Test(
        "a Chrome trace may be a list, closed or not, with a comma at its end",
        arguments: [
            #"[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"}]"#,
            "[\n" + #"{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},"# + "\n",
            #"[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},]"#,
            #"{"otherData":{"version":"x"},"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1e1,"#
                + #""name":"a"}]}"#,
        ])
    func lists(_ json: String) throws {
        let trace = try readFile(json)
        #expect(trace.operations.map(\.kind) == ["a"])
        #expect(trace.operations.first?.finished == TraceMoment(10_000))
        #expect(trace.losses.isEmpty && trace.header.start == 0, "\(trace.losses)")
    }

    @Test(
        "a Chrome trace cut off within an event has the events before that, and says so",
        arguments: [#"{"ph":"X","pid":1,"#, "{", #"{"ph":"X","name":"a"#])
    func cut(_ rest: String) throws {
        let whole = #"[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},"# + "\n"
        let trace = try readFile(whole + rest)
        #expect(trace.operations.map(\.kind) == ["a"])
        let end = (whole + rest).utf8.count
        #expect(
            trace.losses == [
                "the file is cut off at byte \(Prose.grouped(end)), within one of its events; the events "
                    + "before that were kept"
            ])
    }

    @Test("a Chrome trace is refused if it is compressed with gzip, with what to do about it")
    func compressed() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "imported-\(UUID().uuidString).json.gz")
        try Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = #expect(throws: TraceError.self) { try TraceReader(path: file.path).read() }
        #expect(error?.code == .notATrace)
        #expect(
            error?.description
                == "\(file.path): is compressed with gzip: decompress it with gunzip, and read the result")
    }

    @Test("a Chrome trace is refused if it is other JSON, or without slices")
    func none() {
        for json in ["[]", "[1, 2]", #"{"a": 1}"#, #"{"traceEvents": [{"ph": "M"}]}"#] {
            let error = #expect(throws: TraceError.self) { try readFile(json) }
            #expect(error?.code == .notATrace, "\(json)")
        }
    }

    @Test("a Chrome trace with absurd times and brackets is read all the same")
    func absurd() throws {
        let trace = try read(
            #"{"ph":"X","pid":1,"tid":1,"ts":-99999999999999999999,"dur":99999999999999999999,"name":"a"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":1e300,"dur":1e300,"name":"b"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":5,"dur":-1,"name":"c"},"#,
            #"{"ph":"X","pid":{"a":[1]},"tid":[],"ts":5,"dur":1,"name":{"x":1},"args":[3],"id2":7},"#,
            #"{"ph":"f","pid":1,"tid":1,"ts":5},"#, #"{"ph":["X"],"ts":5},"#, #"{"ph":"X","ts":true,"dur":1}"#
        )
        #expect(trace.operations.count == 3)
        _ = TraceAnalysis(trace)
    }

    @Test("a Chrome trace with slices that overlap is read, and says so")
    func overlapping() throws {
        let trace = try read(
            #"{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":5,"dur":10,"name":"b"},"#,
            #"{"ph":"X","pid":1,"tid":1,"ts":6,"dur":1,"name":"c"}"#)
        #expect(trace.operations.map(\.parent) == [nil, nil, 1])
        #expect(trace.notes.contains { $0.hasPrefix("1 slice began within another on the same thread") })
    }

    @Test("a Chrome trace of a hundred thousand slices within each other is read in linear time")
    func deep() throws {
        let count = 100_000
        let events = (0..<count).map { #"{"ph":"B","pid":1,"tid":1,"ts":\#($0),"name":"a"}"# }
        let trace = try read(events.joined(separator: ",\n"))
        #expect(trace.operations.last?.parent == count - 2)
    }

    @Test("a Chrome trace becomes a log of ours, which says the same")
    func converted() throws {
        let path = try #require(Self.samplePath("clang"))
        let reader = TraceReader(path: path)
        let (trace, again) = (try reader.read(), Trace(try reader.events()))
        #expect(again.operations.map(\.kind) == trace.operations.map(\.kind))
        #expect(again.operations.map(\.finished) == trace.operations.map(\.finished))
        #expect(again.edges == trace.edges)
    }

    // MARK: Help

    private static func samplePath(_ name: String, file: String = #filePath) -> String? {
        URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("Imported/\(name).json")
            .path
    }

    private func sample(_ name: String) throws -> Trace {
        try TraceReader(path: try #require(Self.samplePath(name))).read()
    }

    private func read(_ events: String...) throws -> Trace {
        try readFile(#"{"traceEvents":["# + events.joined() + "]}")
    }

    private func readFile(_ json: String) throws -> Trace { try readFile(Array(json.utf8)) }

    private func readFile(_ bytes: [UInt8]) throws -> Trace {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "imported-\(UUID().uuidString).json")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try TraceReader(path: file.path).read()
    }
}
