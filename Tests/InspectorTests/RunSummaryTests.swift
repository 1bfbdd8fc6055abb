import EventLog
import Inspector
import Testing

@Suite struct RunSummaryTests {
    private func firstLine(_ trace: Trace) -> String {
        String(RunSummary(TraceAnalysis(trace)).text.prefix { $0 != "\n" })
    }

    @Test("the summary is as it was")
    func golden() throws {
        try Golden("summary.txt").expect(RunSummary(TraceAnalysis(quotes())).text)
    }

    @Test("a trace without operations has a summary")
    func empty() throws {
        try Golden("summary-empty.txt").expect(RunSummary(TraceAnalysis(trace {})).text)
    }

    @Test("what never finished comes first, with what it waits for")
    func neverFinished() {
        let hung = trace(lastAlive: 5_000_000_000) {
            op("store").after("parse")
            op("parse").after("page")
            op("page", ready: 0, start: 0)
        }
        #expect(
            firstLine(hung)
                == "never finished  store waits, 2 dependencies deep, for page, which is still executing, after 5.00 s on thread 12; 2 more never finished"
        )
    }

    @Test("a dependency that was never enqueued is named")
    func neverEnqueued() {
        let hung = trace {
            op("store").after("lost")
            op("lost", enqueued: nil)
        }
        #expect(
            firstLine(hung) == "never finished  store waits for lost, which was never added to a queue")
    }

    @Test("a circle of dependencies is named as one")
    func circle() {
        let hung = trace {
            op("A").after("B")
            op("B").after("A")
        }
        #expect(firstLine(hung).hasPrefix("never finished  A waits in a circle of dependencies"))
    }

    @Test("a suspended queue and taken slots are named")
    func queues() {
        let suspended = trace(suspensions: [0..<100]) { op("A", ready: 0) }
        #expect(firstLine(suspended) == "never finished  A is ready, but its queue main is suspended")
        let full = trace(limit: 1, lastAlive: 9) {
            op("waiting", ready: 0)
            op("running", ready: 0, start: 0)
        }
        #expect(
            firstLine(full)
                == "never finished  waiting is ready, but every slot of its queue main is taken (limit 1); 1 more never finished"
        )
    }

    @Test("a parent that still executes waits for its child")
    func child() {
        let hung = trace(lastAlive: 100) {
            op("group", ready: 0, start: 0)
            op("child", ready: 0, start: 0).inside("group")
        }
        #expect(firstLine(hung).hasPrefix("never finished  group waits for child, which is still executing"))
    }

    @Test("a hostile name stays within its line")
    func hostile() {
        let text = RunSummary(
            TraceAnalysis(trace { op("a\n\u{1B}]0;x\u{7}", ready: 0, start: 0, finish: 5) })
        ).text
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains("a\\n\\u{1b}]0;x"))
    }
}
