import EventLog
import Foundation
import InspectorPageAssets
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("ReportPage")
struct ReportPageTests {
    private let run = trace(limit: 1) {
        op("A", kind: "First", enqueued: 0, ready: 0, start: 10, finish: 30)
        op("B", enqueued: 5, ready: 30, start: 40, finish: 90, outcome: .failed(message: "no <b>disk</b>"))
            .after("A")
        op("C", enqueued: 5, ready: 5, start: 90).inside("A")
    }

    @Test("a page contains every operation, with the times of the trace")
    func columns() throws {
        let page = try Self.data(of: run)
        #expect(page["count"] as? Int == 3)
        let operations = try #require(page["operations"] as? [String: Any])
        func column(_ name: String) throws -> [Int64] {
            try PageColumnTests.numbers(try #require(operations[name] as? [String: Any]), count: 3)
        }
        #expect(try column("enqueued") == [0, 5, 5])
        #expect(try column("dependency") == [0, 25, 0])
        #expect(try column("execution") == [20, 50, 0])
        #expect(try column("parent") == [0, 0, 1])
        #expect(try column("lastDependency") == [0, 1, 0])
        #expect(try column("ending") == [0, 1, 3])
        let names = try #require(page["names"] as? [String])
        #expect(try column("name").map { names[Int($0)] } == ["A", "B", "C"])
        #expect(try names[Int(column("message")[1]) - 1] == "no <b>disk</b>")
    }

    @Test("the policy lets nothing in but what is in it")
    func policy() {
        let html = Self.html(run)
        let policy =
            "default-src 'none'; script-src 'sha256-\(PageHashes.script)'; style-src "
            + "'sha256-\(PageHashes.style)'; img-src data:; base-uri 'none'; form-action 'none'"
        #expect(html.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"))
        for attribute in [" src=", " style=", " onclick=", "<link", "@import", "http://", "https://"] {
            #expect(!html.contains(attribute), "\(attribute)")
        }
    }

    @Test("hostile names stay within the block of data, and in the title they are text")
    func hostileNames() throws {
        var hostile = run
        hostile.header.process = "</title><script>alert(1)</script>"
        hostile.changeOperations {
            $0[0].name = "</script><img src=x onerror=alert(2)>"
            $0[1].name = "\u{202E}abc\u{1B}[31m"
            $0[2].name = String(repeating: "x", count: 10_000)
        }
        let html = Self.html(hostile)
        #expect(html.components(separatedBy: "<script").count == 3)
        #expect(html.components(separatedBy: "</script>").count == 3)
        #expect(html.contains("<title>&lt;/title&gt;"))
        let names = try #require(try Self.data(of: hostile)["names"] as? [String])
        #expect(names[0] == "</script><img src=x onerror=alert(2)>")
        #expect(names[1] == "\\u{202e}abc\\u{1b}[31m")
        #expect(names[2].count == 200 && names[2].hasSuffix("…"))
    }

    @Test("the same trace gives the same bytes")
    func deterministic() {
        var generator = SplitMix64(seed: 3)
        let graph = Self.random(operations: 400, &generator)
        #expect(Self.html(graph) == Self.html(graph))
    }

    @Test("an empty trace, and a nonsensical one, give a page")
    func oddTraces() throws {
        #expect(try Self.data(of: trace {})["count"] as? Int == 0)
        var odd = trace {
            op("A", enqueued: .max, ready: .min, start: 5, finish: .min).after("B").inside("A")
            op("B", enqueued: nil).after("A")
            op("C", enqueued: .min, start: .max, finish: .max).after("C")
        }
        odd.edges.append(Trace.Edge(predecessor: 7, successor: -1))
        #expect(try Self.data(of: odd)["count"] as? Int == 3)
    }

    @Test("a page says that slots bound a queue, also if the trace does not say when threads ran")
    func boundBySlots() throws {
        func bound(limit: Int) throws -> [String?] {
            let data = try Self.data(
                of: trace(limit: limit) {
                    for number in 0..<4 {
                        let start = Int64(number) * (limit == 1 ? 1_000 : 0)
                        op("\(number)", ready: 0, start: start, finish: start + 1_000)
                    }
                })
            return try #require(data["queueTable"] as? [[String: Any]]).map { $0["boundBy"] as? String }
        }
        #expect(try bound(limit: 1) == ["slots"])
        #expect(try bound(limit: 4) == [nil])
    }

    @Test("a page accounts for the whole makespan, also for what came before the first step")
    func lead() throws {
        let data = try Self.data(
            of: trace {
                op("first", ready: 0, start: 0, finish: 10)
                op("second", enqueued: 90, ready: 90, start: 90, finish: 100)
            })
        let delayed = try #require(data["delayedBy"] as? String)
        #expect(delayed.hasPrefix("10 ns in 1 step: "))
        #expect(
            delayed.hasSuffix(
                ", and 90 ns of unknown cause before the chain's first operation was added "
                    + "(first had finished 80 ns before that)"))
    }

    @Test("a page of a run that lasted until its last operation was added says that instead")
    func additions() throws {
        let data = try Self.data(
            of: trace {
                op("first", ready: 0, start: 0, finish: 10)
                op("second", enqueued: 9_990, ready: 9_990, start: 9_990, finish: 10_000)
            })
        #expect(
            data["delayedBy"] as? String
                == "operations were added until 9.99 µs; second then took 10 ns")
    }

    @Test("a page has waits for slots and for suspended queues in columns of their own")
    func groupWaits() throws {
        let page = try Self.data(
            of: trace(limit: 1, suspensions: [10..<30]) {
                op("A", ready: 0, start: 0, finish: 40)
                op("B", ready: 0, start: 40, finish: 50)
            })
        for table in ["kindTable", "queueTable"] {
            let row = try #require((page[table] as? [[String: Any]])?.first)
            #expect(row["slot"] as? Int == 10 && row["suspended"] as? Int == 10, "\(table)")
        }
    }

    @Test("a page says of a deadlock that the run had not finished, not that nothing delayed it")
    func deadlock() throws {
        let page = try Self.data(
            of: trace(lastAlive: 1_000) {
                op("A").after("B")
                op("B").after("A")
            })
        #expect(page["delayedBy"] == nil)
        #expect(
            page["withoutDelays"] as? String
                == "The run had not finished: its last operations wait for each other.")
    }

    @Test("a page has the names of queues that its table leaves out, because stories name them")
    func laterQueues() throws {
        var run = trace { op("A", start: 0, finish: 10) }
        run.queues = (1...1400).map { TracedQueue(id: QueueID($0), name: $0 == 1400 ? "" : "queue \($0)'s") }
        let page = try Self.data(of: run)
        #expect((page["queueTable"] as? [Any])?.count == 1000)
        let names = try #require(page["laterQueues"] as? [[String: Any]])
        #expect(names.count == 400)
        #expect(names[0]["name"] as? String == "queue 1001's" && names[0]["isNameless"] == nil)
        #expect(
            names[399]["name"] as? String == "queue \(QueueID(1400))" && names[399]["isNameless"] as? Int == 1
        )
    }

    @Test("a page contains the most important of too many operations, and says so")
    func bounded() throws {
        var generator = SplitMix64(seed: 4)
        let graph = Self.random(operations: 200, &generator)
        let page = ReportPage(TraceAnalysis(graph), mostOperations: 50)
        let omission = try #require(page.omission)
        #expect(omission.hasPrefix("the page shows 50 of 200 operations: those of findings"))
        let data = try Self.data(in: String(decoding: page.html, as: UTF8.self))
        #expect(data["count"] as? Int == 50)
        #expect(data["omission"] as? String == omission)
        #expect(ReportPage(TraceAnalysis(graph)).omission == nil)
    }

    private static func random(operations count: Int, _ generator: inout SplitMix64) -> Trace {
        var starts: [Int64] = []
        for index in 0..<count {
            starts.append(Int64(index) * 10 + Int64.random(in: 0..<10, using: &generator))
        }
        return trace {
            for index in 0..<count {
                op(
                    "op \(index)", enqueued: 0, ready: starts[index], start: starts[index],
                    finish: starts[index] + 25
                )
                .after(index > 2 ? "op \(index - 3)" : "none")
            }
        }
    }

    private static func html(_ trace: Trace) -> String {
        String(decoding: ReportPage(TraceAnalysis(trace)).html, as: UTF8.self)
    }

    static func data(of trace: Trace) throws -> [String: Any] { try data(in: html(trace)) }

    static func data(in html: String, block: String = "trace") throws -> [String: Any] {
        let start = try #require(html.range(of: "<script type=\"application/json\" id=\"\(block)\">"))
        let end = try #require(html.range(of: "</script>", range: start.upperBound..<html.endIndex))
        let json = Data(html[start.upperBound..<end.lowerBound].utf8)
        return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }
}
