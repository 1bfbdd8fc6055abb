import EventLog
import Testing

@testable import Inspector

@Suite("What all wait for in a running program")
struct LiveFindingsTests {
    @Test("is the deadlock first, then what has the most behind it")
    func origins() {
        let origins = LiveRun.inTrouble().findings().origins()
        #expect(
            origins.map(\.sentence) == [
                "deadlock: outer blocks its thread until inner finishes, inner needs a slot of queue serial (limit 1), and outer has it",
                "fetch index is still executing, after 11.1 s on thread 20",
                "picture 1 is still executing, after 9.00 s on thread 11",
                "queue mail is suspended, for 12.0 s",
            ])
        #expect(origins.map(\.waiting) == [1, 3, 2, 1])
        #expect(origins.map(\.isDeadlock) == [true, false, false, false])
    }

    @Test("is nothing where nothing waits")
    func nothing() {
        #expect(LiveRun().findings().origins().isEmpty)
        let run = LiveRun(
            at(0, .opened(1, "main")), at(0, .enqueued(1, "a")), at(0, .ready(1)), at(1, .executing(1)))
        #expect(run.findings().origins().isEmpty && run.findings().hazards().isEmpty)
    }

    @Test("goes through a group to the child that it waits for")
    func group() {
        let run = LiveRun(
            at(0, .opened(1, "main")), at(0, .opened(2, "inside")), at(0, .enqueued(1, "group")),
            at(0, .ready(1)),
            at(1, .executing(1)), at(2, .enqueued(2, "child", on: 2, parent: 1)), at(2, .ready(2)),
            at(3, thread: 9, .executing(2)), at(3, .enqueued(3, "after", after: [1])),
            at(1_003, .marked("", by: nil)))
        #expect(
            run.findings().origins().map(\.sentence) == ["child is still executing, after 1.00 s on thread 9"]
        )
        #expect(run.findings().origins().map(\.waiting) == [2])
    }

    @Test("has the hazards that are certain while it runs")
    func hazards() {
        var run = LiveRun.inTrouble()
        #expect(run.findings().hazards().map(\.rule) == ["self-wait-deadlock"])
        run.take(
            at(13_000, .enqueued(50, "source")), at(13_000, .ready(50)), at(13_001, .executing(50)),
            at(13_002, .enqueued(51, "sink", after: [50])), at(13_003, .finished(50, .failed(message: "no"))),
            at(13_003, .ready(51)), at(13_004, .executing(51)), at(13_005, .finished(51)))
        #expect(
            run.findings().hazards().map(\.rule).sorted() == [
                "ran-after-failed-dependency", "self-wait-deadlock",
            ])
    }

    @Test("says nothing of what may be among events that were missed")
    func missed() {
        #expect(LiveRun.inTrouble().findings(missed: 5).hazards().isEmpty)
    }

    @Test("tells each hazard once, and keeps what it says up to date")
    func once() {
        func hazard(_ operation: UInt64, _ summary: String) -> LiveFindings.Hazard {
            LiveFindings.Hazard(rule: "limbo", severity: .error, summary: summary, operation: operation)
        }
        var hazards = LiveHazards()
        hazards.take([hazard(1, "for 1 s")])
        hazards.take([hazard(1, "for 2 s"), hazard(2, "for 1 s")])
        #expect(hazards.newest.map(\.summary) == ["for 1 s", "for 2 s"] && hazards.count == 2)
    }
}
