import EventLog
import InspectorAnalysis
import InspectorHazards
import InspectorTraces
import TestTraces
import Testing

@Suite("Handles")
struct HandleTests {
    private let analysis = TraceAnalysis(quotes())

    private func names(_ text: String, in analysis: TraceAnalysis? = nil) throws -> [String] {
        let analysis = analysis ?? self.analysis
        return try HandleSearch(text, in: analysis).matches.map {
            analysis.withTasks.trace.operations[$0].displayName
        }
    }

    private func sentence(_ text: String, in analysis: TraceAnalysis? = nil) -> String {
        do {
            return "matches: \(try names(text, in: analysis))"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "each form of a handle names its operations, the longest lifetime first",
        arguments: [
            ("0x2", ["page 1"]), ("quotes.0x2", ["page 1"]), ("page 1", ["page 1"]),
            ("page 1 0x2", ["page 1"]), ("page 1 0x2 in quotes", ["page 1"]), ("pages…", []),
            ("0x2 in quotes", ["page 1"]),
            ("\"page 1\"", ["page 1"]), ("Parse", ["parse 2", "parse 1"]),
            ("kind:Parse", ["parse 2", "parse 1"]),
            ("kind:\"Parse\"", ["parse 2", "parse 1"]), ("outcome:failed", ["parse 2"]),
            ("outcome:cancelled", ["store 2"]), ("step:1", ["all pages"]), ("step:2", ["page 1"]),
            ("all pa…", ["all pages"]), ("kind:Downl…", ["page 2", "page 1"]),
        ] as [(String, [String])])
    func forms(text: String, expected: [String]) throws {
        if expected.isEmpty {
            #expect(throws: UnknownHandle.self) { try names(text) }
        } else {
            #expect(try names(text) == expected)
        }
    }

    @Test("a queue is named by its name or its ID")
    func queue() throws {
        #expect(try names("queue:main").count == 7)
        #expect(try names("queue:main") == names("queue:0x1"))
        #expect(try names("queue:main").first == "all pages")
    }

    @Test("a finding's handle is its number among all findings, and names its operations in order")
    func findings() throws {
        let stuck = trace(limit: 1, lastAlive: ms(900)) {
            op("A", ready: 0, start: ms(1))
            op("B").after("A")
            op("C", ready: 0)
            op("D", kind: "Late", ready: ms(1), start: ms(2), finish: ms(3)).after("C")
        }
        let analysis = TraceAnalysis(stuck)
        let report = HazardReport(analysis)
        let all = report.groups.flatMap(\.findings)
        try #require(all.count > 1)
        for (index, finding) in all.enumerated() where !finding.operations.isEmpty {
            #expect(finding.number == index + 1)
            #expect(try HandleSearch("finding:\(index + 1)", in: analysis).matches == finding.operations)
        }
        let notes = report.only(atLeast: .warning)
        #expect(
            notes.groups.flatMap(\.findings).allSatisfy { all[($0.number ?? 0) - 1].summary == $0.summary })
    }

    @Test("Swift tasks are named like operations, and by their executors")
    func tasks() throws {
        let mixed = TraceAnalysis(MixedTrace.untouched)
        #expect(try names("executor:Cache", in: mixed).sorted() == ["load()", "other()"])
        #expect(try names("kind:load()", in: mixed) == ["load()"])
        #expect(try names("\(MixedTrace.load)", in: mixed) == ["load()"])
        #expect(sentence("executor:Cahce", in: mixed).contains("did you mean 'Cache'?"))
        #expect(sentence("Cache", in: mixed) == "no operation named 'Cache'; did you mean 'executor:Cache'?")
    }

    @Test(
        "a handle that names nothing gives one sentence with the nearest names",
        arguments: [
            ("kind:Prase", "no operation of kind 'Prase'; did you mean 'Parse'?"),
            ("queue:mian", "no queue named 'mian'; did you mean 'main'?"),
            ("outcome:faild", "no outcome 'faild'; did you mean 'failed'?"),
            ("outcome:unfinished", "no operation has the outcome 'never finished'"),
            ("step:99", "no step '99'; the steps are step:1 to step:8"),
            (
                "step:0",
                "no step '0': expected a number from 1 on, as in step:1; opviz critical-path numbers them"
            ),
            (
                "finding:x",
                "no finding 'x': expected a number from 1 on, as in finding:1; opviz lint numbers them"
            ),
            ("main", "no operation named 'main'; did you mean 'queue:main'?"),
            ("failed", "no operation named 'failed'; did you mean 'outcome:failed'?"),
            ("knd:Parse", "no operation named 'knd:Parse'; did you mean 'kind:Parse'?"),
            ("\"kind:Parse\"", "no operation named 'kind:Parse'; did you mean 'kind:Parse'?"),
            ("0xff", "no operation has the ID 0xff; the IDs are 0x1 to 0x7"),
            ("pgae 1", "no operation named 'pgae 1'; did you mean 'page 1'?"),
        ])
    func unknown(text: String, expected: String) { #expect(sentence(text) == expected) }

    @Test(
        "a hostile handle gives a result or one line",
        arguments: [
            "", ":", "kind:", "queue:", "executor:", "outcome:", "finding:", "step:", "finding:-1", "step:+1",
            "step:99999999999999999999", "finding:1:2", "\"", "\"\"", "kind:\"", "kind:\"\"", "0x", "0xg",
            "0x-1",
            ".0x1", "a.b.0x1", " 0x1", " in ", "0x1 in ", "…", "kind:…", "kind:kind:Parse", "queue:0x",
            "a\nb", "kind:a\u{1B}[31m", "finding:٣", String(repeating: "kind:", count: 2_000),
        ])
    func hostile(text: String) {
        let said = sentence(text)
        #expect(!said.contains("\n") && !said.contains("\u{1B}") && said.utf8.count < 400, "\(said)")
    }

    @Test("an operation whose name looks like a handle is found, unless the handle names something")
    func likeHandles() throws {
        let names = ["kind:Work", "kind:None", "step:99", "\"x\"", "0xg", "a: b", "finding:1", "page.0x1"]
        let odd = TraceAnalysis(
            trace {
                op(names[0], ready: 0, start: 1, finish: 2)
                for name in names.dropFirst() { op(name, kind: "Odd", ready: 0, start: 1, finish: 2) }
            })
        for name in names.dropFirst() {
            #expect(try self.names(name, in: odd) == [name])
            #expect(try self.names("\"\(name)\"", in: odd) == [name])
        }
        #expect(try self.names("kind:Work", in: odd) == ["kind:Work"])
        #expect(try self.names("kind:Odd", in: odd).count == names.count - 1)
    }

    @Test("options of kinds and queues understand the names of operations' handles, in the same order")
    func options() {
        let kinds = ["kind:Work", "Work", "Retry a download", "tab\tkind"]
        #expect(Handle.kind("kind:Work", in: kinds) == 1)
        #expect(Handle.kind("Work", in: kinds) == 1)
        #expect(Handle.kind("kind:kind:Work", in: kinds) == 0)
        #expect(Handle.kind("kind:Retry…", in: kinds) == 2)
        #expect(Handle.kind("Retry…", in: kinds) == 2)
        #expect(Handle.kind("tab\\tkind", in: kinds) == 3)
        #expect(Handle.kind("kind:None", in: kinds) == nil)
        let queues = analysis.trace.queues
        let first = queues[0].displayName
        #expect(Handle.queues("queue:\(first)", in: queues) == queues.map { $0.displayName == first })
        #expect(Handle.queues(first, in: queues) == queues.map { $0.displayName == first })
        #expect(Handle.queues("queue:\(queues[0].id)", in: queues).first == true)
        #expect(!Handle.queues("none", in: queues).contains(true))
    }
}
