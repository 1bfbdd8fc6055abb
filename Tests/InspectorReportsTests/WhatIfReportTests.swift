import InspectorReports
import TestTraces
import Testing

@Suite struct WhatIfReportTests {
    private func deadlock() -> Trace {
        trace(limit: 1, lastAlive: ms(900)) {
            op("outer", ready: 0, start: ms(1))
            op("inner", enqueued: ms(2), ready: ms(2)).inside("outer")
        }.waiting("outer", for: "inner", from: ms(3))
    }

    @Test("whatif of Swift tasks predicts other numbers of threads, faster kinds and other actors")
    func tasks() throws {
        let report = WhatIfReport(TraceAnalysis(MixedTrace.untouched))
        try Golden("mixed-whatif.txt").expect(report.text(width: 80))
        try Golden("mixed-whatif.json").expect(String(decoding: report.json, as: UTF8.self))
        var scenario = TaskReplayScenario()
        scenario.pool = .limited(1)
        let asked = WhatIfReport(TraceAnalysis(MixedTrace.untouched), [], tasks: [scenario])
        #expect(!asked.text(width: 80).contains("slots"))
    }

    @Test("whatif predicts what awaiting at once would gain for tasks that await one after the other")
    func functions() throws {
        let analysis = TraceAnalysis(AwaitsInTurn.trace)
        let report = WhatIfReport(analysis)
        try Golden("awaits-whatif.txt").expect(report.text(width: 80))
        try Golden("awaits-whatif.json").expect(String(decoding: report.json, as: UTF8.self))
        var scenario = TaskReplayScenario()
        scenario.parallelFunctions = Set(AwaitPlaces(analysis.trace.tasks).all.map(\.texts))
        let text = WhatIfReport(analysis, [], tasks: [scenario]).text(width: 80)
        #expect(text.contains("With these changes") && text.contains("-38.5 %"))
    }

    @Test("whatif of more than ten kinds says how many were not replayed, and how to ask for one")
    func otherKinds() {
        let run = trace(limit: 1) {
            for number in 0..<12 {
                let start = ms(Int64(number) * 10)
                op(
                    "op \(number)", kind: "Kind\(number)", enqueued: start, ready: start, start: start,
                    finish: start + ms(9))
            }
        }
        let report = WhatIfReport(TraceAnalysis(run))
        #expect(
            report.text().hasSuffix("\n2 more kinds: --scale KIND=0.5\n"))
        #expect(String(decoding: report.json, as: UTF8.self).contains(#""omittedKinds": 2"#))
    }

    @Test("whatif predicts something for tasks longer than any integer, and timelines draw them")
    func longTasks() {
        let analysis = TraceAnalysis(AwaitsInTurn.longTrace)
        let report = WhatIfReport(analysis)
        #expect(!report.text().isEmpty && !report.json.isEmpty)
        #expect(TimelineText(analysis).text().contains("\ntasks: 12\n"))
        #expect(TimelinePicture(analysis).svg.contains("pool"))
    }

    @Test("whatif of a deadlock says first that the run did not finish, and predicts nothing")
    func deadlocked() {
        for scenarios in [[], [ReplayScenario(slots: .limited(4))]] {
            let text = WhatIfReport(TraceAnalysis(deadlock()), scenarios).text(width: nil)
            #expect(
                text.hasPrefix(
                    "The run did not finish: deadlock: outer blocks its thread until inner finishes"))
            #expect(
                text.hasSuffix(
                    "It is not known when it would have, so nothing can be predicted of more slots or faster "
                        + "operations.\n"))
            #expect(!text.contains("gain at most"))
        }
    }

    @Test("whatif predicts nothing for a run that was cut off, unless under 1 % of it did not finish")
    func unfinished() {
        func text(secondStarts start: Int64) -> String {
            let run = trace(limit: 1, lastAlive: ms(1_000)) {
                op("first", ready: 0, start: 0, finish: ms(start))
                op("second", enqueued: ms(start), ready: ms(start), start: ms(start))
            }
            return WhatIfReport(TraceAnalysis(run)).text(width: nil)
        }
        let early = text(secondStarts: 600)
        #expect(early.hasPrefix("The run did not finish: second is still executing, after 400 ms"))
        #expect(early.hasSuffix(" Record it until every operation has finished.\n"))
        let late = text(secondStarts: 995)
        #expect(late.contains("With other numbers of slots in every queue"))
        #expect(late.contains("1 operation had not finished when the trace ended"))
        #expect(!late.contains("gain at most"))
    }

    @Test("the row with the recorded slots is the recorded run, also if their number is not a usual one")
    func recorded() {
        func rows(limit: Int) -> [String] {
            let run = trace(limit: limit) {
                for number in 0..<12 {
                    let start = Int64(number / limit) * 100
                    op("\(number)", ready: 0, start: start, finish: start + 100)
                }
            }
            let lines = WhatIfReport(TraceAnalysis(run)).text(width: nil).split(separator: "\n")
            return lines.filter { $0.contains("(recorded)") }.map {
                $0.split(separator: " ").joined(separator: " ")
            }
        }
        #expect(rows(limit: 2) == ["2 (recorded) 600 ns 0 ns 0.0 %"])
        #expect(rows(limit: 3) == ["3 (recorded) 400 ns 0 ns 0.0 %"])
    }
}
