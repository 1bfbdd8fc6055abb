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

    @Test("of a deadlock it says first that the run did not finish, and predicts nothing")
    func deadlocked() {
        let report = WhatIfReport(TraceAnalysis(deadlock()))
        for text in [
            report.overview(width: nil), report.scenarios([ReplayScenario(slots: .limited(4))], width: nil),
        ] {
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

    @Test("of a run that was cut off it shows figures, after what did not finish, and concludes nothing")
    func unfinished() {
        let run = trace(limit: 1, lastAlive: ms(100)) {
            op("first", ready: 0, start: 0, finish: ms(60))
            op("second", ready: 0, start: ms(60))
        }
        let text = WhatIfReport(TraceAnalysis(run)).overview(width: nil)
        #expect(text.hasPrefix("The run did not finish: second is still executing, after 40.0 ms"))
        #expect(text.contains("With other numbers of slots in every queue"))
        #expect(!text.contains("gain at most"))
    }
}
