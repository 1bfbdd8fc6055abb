import Foundation
import InspectorReports
import TestTraces
import Testing

@Suite("What the rules found, as text, JSON and annotations")
struct HazardReportTests {
    /// A run in which much went wrong, with names that would command a terminal.
    private var troubled: Trace {
        trace(limit: 2, lastAlive: ms(600)) {
            op(
                "login\u{1b}[31m", kind: "Login", ready: 0, start: ms(1), finish: ms(20),
                outcome: .failed(message: "500"))
            op("fetch 100%\n, \"all\"", kind: "Fetch", ready: ms(20), start: ms(21), finish: ms(30))
                .after("login\u{1b}[31m")
            for index in 0..<6 {
                op("page \(index)", kind: "Page", ready: ms(30), start: ms(60), finish: ms(70))
            }
            op("store", kind: "Store", ready: ms(70), start: ms(71))
        }.withDrafts {
            for index in 2..<8 { $0[index].cancelled = TraceMoment(ms(31)) }
        }
    }

    @Test("the text has each finding with its evidence, its cost and what to change")
    func text() throws {
        try Golden("lint.txt").expect(HazardText(HazardReport(troubled)).text())
    }

    @Test("the JSON is valid for any names")
    func json() throws {
        let text = HazardJSON(HazardReport(troubled)).text
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(json["format"] as? String == "opviz-hazards")
        #expect((json["findings"] as? [Any])?.count == 5)
        #expect((json["rules"] as? [String])?.count == HazardReport.allRules.count)
        try Golden("lint.json").expect(text)
    }

    @Test("each annotation is one line, and no name ends it")
    func annotations() throws {
        let text = HazardAnnotations(HazardReport(troubled)).text
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("::") })
        #expect(text.contains("100%25"))
        try Golden("lint.github.txt").expect(text)
    }

    @Test("findings below a severity are left out")
    func severity() {
        let report = HazardReport(troubled, atLeast: .error)
        #expect(report.groups.allSatisfy { $0.severity == .error })
        #expect(report.count(.warning) == 0)
        #expect(HazardReport(troubled).count(.warning) == 1)
    }

    @Test("what a severity hides is counted, in each form, and is not called absent")
    func hidden() throws {
        let slow = trace(limit: 1, lastAlive: ms(9000)) {
            op("first", ready: 0, start: ms(1), finish: ms(400))
            op("second", ready: ms(1), start: ms(401), finish: ms(800))
        }
        let notes = HazardReport(slow).count(.note)
        #expect(notes > 0)
        let report = HazardReport(slow, atLeast: .error)
        #expect(report.hidden == [.note: notes])
        let hidden = "\(Prose.counted(notes, "note")) hidden by --severity"
        #expect(
            HazardText(report).text(width: 200).hasPrefix(
                "No errors or warnings in 2 operations; \(hidden) ("))
        #expect(HazardAnnotations(report).text.contains(hidden))
        #expect(
            HazardJSON(report).text.contains(
                "\"hidden\": [\n  {\"severity\": \"note\", \"count\": \(notes)}]"))
    }

    @Test("rules about processors are not counted as checked where the log says nothing of processors")
    func undecidedProcessors() {
        let long = trace(lastAlive: ms(900)) { op("a", ready: 0, start: ms(1), finish: ms(400)) }
        let report = HazardReport(long)
        #expect(
            report.undecided.map(\.rule) == ["blocked-slot", "more-slots-than-processors", "busy-machine"])
        #expect(report.decidedRules == HazardReport.allRules.count - 3)
        let text = HazardText(report).text(width: 200)
        #expect(
            text.hasPrefix(
                "No problems found in 1 operation (\(report.decidedRules) rules checked, 3 could not"))
        // Nothing that took so little time is reported by them.
        let short = trace(lastAlive: ms(900)) { op("a", ready: 0, start: ms(1), finish: ms(40)) }
        #expect(HazardReport(short).undecided.isEmpty)
    }

    @Test("a report without findings says which operations never finished")
    func unfinished() {
        let report = HazardReport(troubled, rules: ["late-edge"])
        #expect(
            HazardText(report).text(width: 200)
                == "No problems found in 9 operations, of which 1 never finished (1 rule checked).\n")
    }

    @Test("three of many findings of a kind are shown and the others counted, with what they cost together")
    func summedUp() throws {
        let group = try #require(
            HazardReport(troubled).groups.first { $0.rule == "ran-while-cancelled" && $0.kind == "Page" })
        #expect(group.findings.count == 3)
        #expect(group.omitted == 3)
        #expect(group.cost == ms(60))
        #expect(
            HazardText(HazardReport(troubled)).text().contains("and 3 more of Page (ran-while-cancelled)"))
    }

    @Test("a report of a trace with as many kinds as operations does not distinguish every kind")
    func manyKinds() throws {
        let groups = HazardReport(
            trace {
                for index in 0..<60 {
                    op("\(index)", kind: "Kind \(index)", ready: 0, start: ms(30), finish: ms(40))
                }
            }.withDrafts { for index in $0.indices { $0[index].cancelled = TraceMoment(ms(1)) } },
            rules: ["ran-while-cancelled"]
        ).groups
        #expect(groups.count == 51)
        #expect(groups.last?.kind == "other kinds")
        #expect(groups.map(\.count).reduce(0, +) == 60)
    }

    @Test("unfinished operations come first, before worse findings")
    func stuckFirst() {
        let suspended = trace(suspensions: [0..<ms(500)], lastAlive: ms(500)) {
            op("A", ready: 0, finish: 50, outcome: .cancelled)
            op("B", ready: 0)
        }
        let found = HazardReport(suspended).groups
        #expect(found.map(\.rule) == ["never-finished", "finished-before-start"])
        #expect(found.map(\.severity) == [.warning, .error])
    }

    @Test("a report says in one line that nothing was found")
    func nothing() {
        let report = HazardReport(trace { op("A", ready: 0, start: 1, finish: 2) }, rules: ["never-finished"])
        #expect(HazardText(report).text() == "No problems found in 1 operation (1 rule checked).\n")
        #expect(HazardAnnotations(report).text == "")
    }

    @Test("rules have unique names, and each has a meaning")
    func rules() {
        let rules = HazardReport.allRules
        #expect(Set(rules.map(\.name)).count == rules.count)
        #expect(rules.allSatisfy { !$0.meaning.isEmpty })
    }

    @Test("any trace gives an answer, and the same each time", arguments: 0..<20)
    func hostile(block: Int) {
        for seed in block * 40..<(block + 1) * 40 {
            var generator = SplitMix64(seed: UInt64(seed))
            let trace = senseless(&generator)
            let text = HazardText(HazardReport(trace)).text()
            #expect(text == HazardText(HazardReport(trace)).text(), "seed \(seed)")
        }
    }

    /// Operations, edges, waits and queues with any numbers at all.
    private func senseless(_ generator: inout SplitMix64) -> Trace {
        let count = Int.random(in: 0...9, using: &generator)
        func time() -> Int64 {
            let extremes = [Int64.min, -1, 0, ms(1), ms(300), ms(5000), .max]
            return extremes[Int.random(in: 0..<extremes.count, using: &generator)]
        }
        func moment() -> TraceMoment? {
            Bool.random(using: &generator) ? TraceMoment(notBefore: time(), notAfter: time()) : nil
        }
        func index() -> Int { Int.random(in: -1...count + 1, using: &generator) }
        var result = trace { for index in 0..<count { op("\(index)", enqueued: 0) } }
        result.queues.append(TracedQueue(id: QueueID(2), name: ""))
        for queue in 0..<2 {
            result.queues[queue].limits = [(time(), Int.random(in: -1...2, using: &generator)), (time(), 1)]
            result.queues[queue].cancellations = [time()]
            let ends = (time(), time())
            result.queues[queue].suspensions = [min(ends.0, ends.1)..<max(ends.0, ends.1)]
        }
        result = result.withDrafts { drafts in
            for index in 0..<count {
                drafts[index].queue = Int.random(in: -1...2, using: &generator)
                drafts[index].parent = Int.random(in: -1...count, using: &generator)
                drafts[index].priority = Int.random(in: -9...9, using: &generator)
                drafts[index].enqueued = moment()
                drafts[index].ready = moment()
                drafts[index].executing = moment()
                drafts[index].bodyEnded = moment()
                drafts[index].cancelled = moment()
                drafts[index].finished = moment()
                drafts[index].outcome =
                    [nil, .succeeded, .cancelled, .failed(message: "")]
                    .randomElement(using: &generator) ?? nil
            }
        }
        for _ in 0..<count {
            result.edges.append(Trace.Edge(predecessor: index(), successor: index()))
            result.blockingWaits.append(
                BlockingWait(
                    target: Bool.random(using: &generator) ? .operation(index()) : .queue(index()),
                    operation: index(), thread: 1, start: time(),
                    end: Bool.random(using: &generator) ? time() : nil))
            result.repeatedTransitions.append(
                .init(transition: .finished, operation: index(), time: time()))
        }
        return result
    }
}
