import EventLog
import TestTraces
import Testing

@testable import InspectorHazards
@testable import InspectorLive

@Suite("What everything is waiting for in a running program")
struct LiveFindingsTests {
    @Test("what everything is waiting for is the deadlock first, then what has the most behind it")
    func origins() {
        let origins = LiveRun.inTrouble().origins()
        #expect(
            origins.map(\.sentence) == [
                "deadlock: outer blocks its thread until inner finishes, inner needs a slot of queue serial "
                    + "(limit 1), and outer has it",
                "fetch index is still executing, after 11.1 s on thread 20",
                "picture 1 is still executing, after 9.00 s on thread 11 (64 others of its kind took at "
                    + "most 0 ns)",
                "queue mail has been suspended for 12.0 s",
            ])
        #expect(origins.map(\.waiting) == [0, 3, 2, 1], "those of a circle are not behind it")
        #expect(origins.map(\.isDeadlock) == [true, false, false, false])
    }

    @Test("what everything is waiting for is empty if nothing waits")
    func nothing() {
        #expect(LiveRun().origins().isEmpty)
        let run = LiveRun(
            at(0, .opened(1, "main")), at(0, .enqueued(1, "a")), at(0, .ready(1)), at(1, .executing(1)))
        #expect(run.origins().isEmpty && run.hazards().isEmpty)
    }

    @Test("what everything is waiting for is found through a group, in the child that it waits for")
    func group() {
        let run = LiveRun(
            at(0, .opened(1, "main")), at(0, .opened(2, "inside")), at(0, .enqueued(1, "group")),
            at(0, .ready(1)),
            at(1, .executing(1)), at(2, .enqueued(2, "child", on: 2, parent: 1)), at(2, .ready(2)),
            at(2, .bodyEnded(1)), at(3, thread: 9, .executing(2)), at(3, .enqueued(3, "after", after: [1])),
            at(1_003, .marked("", by: nil)))
        #expect(
            run.origins().map(\.sentence) == ["child is still executing, after 1.00 s on thread 9"]
        )
        #expect(run.origins().map(\.waiting) == [2])
    }

    @Test("what everything is waiting for includes what a search of the memory found")
    func searched() {
        let run = LiveRun(
            at(0, .opened(1, "main")), at(0, .enqueued(1, "fetch")), at(0, .ready(1)), at(1, .executing(1)),
            at(2, .bodyEnded(1)), at(3, .enqueued(2, "show", after: [1])), at(1_003, .marked("", by: nil)))
        run.state.searches = [
            1: .init(operation: OperationID(1), holder: ""),
            7: .init(operation: OperationID(7), holder: "a closure"),
        ]
        #expect(
            run.origins().map(\.sentence) == [
                "fetch is still executing, 1.00 s after its body returned; nothing in the process can finish "
                    + "it: only its queue leads to it"
            ])
    }

    @Test("what everything is waiting for has the hazards that are certain while it runs")
    func hazards() {
        var run = LiveRun.inTrouble()
        // The download that hangs, and one of the three pictures.
        let stuck = ["never-finished", "never-finished"]
        #expect(run.hazards().map(\.rule) == stuck + ["self-wait-deadlock"])
        run.take(
            at(13_000, .enqueued(50, "source")), at(13_000, .ready(50)), at(13_001, .executing(50)),
            at(13_002, .enqueued(51, "sink", after: [50])), at(13_003, .finished(50, .failed(message: "no"))),
            at(13_003, .ready(51)), at(13_004, .executing(51)), at(13_005, .finished(51)))
        #expect(
            run.hazards().map(\.rule).sorted() == stuck + [
                "ran-after-failed-dependency", "self-wait-deadlock",
            ])
    }

    @Test("what everything is waiting for says nothing of what may be among events that were missed")
    func missed() {
        #expect(LiveRun.inTrouble().hazards(missed: 5).isEmpty)
    }

    @Test("an operation within its usual time is not what everything is waiting for; a longer one is")
    func usual() {
        var run = LiveRun(at(0, .opened(1, "main")), at(0, .opened(2, "others")))
        // Each takes two seconds, and another operation waits for each.
        for id in UInt64(1)...5 {
            let start = Int64(id) * 2_000
            run.take(
                at(start, .enqueued(id, "encode \(id)", kind: "Encode")), at(start, .ready(id)),
                at(start, .executing(id)), at(start + 2_000, .finished(id)))
        }
        run.take(
            at(20_000, .enqueued(9, "encode 9", kind: "Encode")), at(20_000, .ready(9)),
            at(20_000, .executing(9)), at(20_000, .enqueued(10, "upload", on: 2, after: [9])))
        #expect(run.origins(at: 20_000_000_381).isEmpty)
        #expect(run.origins(at: 24_000_000_000).isEmpty)
        #expect(run.hazards(at: 24_000_000_000).isEmpty)
        #expect(
            run.origins(at: 24_000_000_002).map(\.sentence) == [
                "encode 9 is still executing, after 4.00 s on thread 1 (5 others of its kind took at "
                    + "most 2.00 s)"
            ])
    }

    @Test("an operation that waits in a queue that works is not what everything is waiting for")
    func busyQueue() {
        var run = LiveRun(at(0, .opened(1, "resize", limit: 4)))
        for id in UInt64(1)...900 {
            run.take(at(0, .enqueued(id, "resize \(id)")), at(0, .ready(id)))
        }
        run.take(at(0, .opened(2, "others")), at(0, .enqueued(1000, "report", on: 2, after: [900])))
        for id in UInt64(1)...800 {
            run.take(at(Int64(id) * 10, .executing(id)), at(Int64(id) * 10 + 9, .finished(id)))
        }
        #expect(run.origins(at: 8_010_000_000).isEmpty)
        #expect(run.hazards(at: 8_010_000_000).isEmpty)
        // Nothing happens any more, with slots free.
        #expect(run.origins(at: 9_100_000_000).map(\.sentence.isEmpty) == [false])
        // Operations whose events were missed may have them.
        #expect(run.findings(at: 9_100_000_000, missed: 1).origins().isEmpty)
        // Four slots are free, and a hundred operations ready.
        let screen = LiveScreen(run.picture(at: 8_010_000_000))
        #expect(screen.lines(width: 100, height: 40, isColored: false).contains { $0.contains("100 slot") })
    }

    @Test("what everything is waiting for never shows an operation that just began, of any kind and state")
    func moments() {
        let run = LiveRun(
            at(0, .opened(1, "main")), at(0, .enqueued(1, "first")), at(0, .ready(1)),
            at(0, .enqueued(2, "second", after: [1])),
            at(0, .sighted(OperationID(99), kind: "Work", name: "lost")),
            at(0, .enqueued(3, "third", after: [99])))
        #expect(run.origins(at: 381).isEmpty)
        #expect(
            run.origins(at: 1_000_000_000).map(\.sentence).sorted() == [
                "first is ready, but nothing has started it",
                "lost was never added to a queue",
            ])
    }

    @Test("a stuck operation is listed as a hazard if and only if lint reports an error")
    func stuck() {
        var run = LiveRun(at(0, .opened(1, "main")))
        for id in UInt64(1)...5 {
            let start = Int64(id) * 10
            run.take(
                at(start, .enqueued(id, "", kind: "Resize")), at(start, .ready(id)),
                at(start, .executing(id)),
                at(start + 5, .finished(id)))
        }
        run.take(
            at(100, .enqueued(9, "resize 9", kind: "Resize")), at(100, .ready(9)), at(100, .executing(9)),
            at(100, .enqueued(10, "upload", kind: "Upload")), at(100, .ready(10)), at(100, .executing(10)))
        #expect(run.hazards(at: 5_000_000_000).isEmpty)
        let hazards = run.hazards(at: 8_100_000_000)
        #expect(hazards.map(\.rule) == ["never-finished", "never-finished"])
        #expect(hazards.map(\.severity) == [.error, .warning], "no other Upload has finished")
        #expect(hazards.map(\.operation) == [9, 10])
        #expect(
            hazards.first?.summary
                == "resize 9 is still executing, after 8.00 s on thread 1 (5 others of its kind took at "
                + "most 5.00 ms)"
        )
        #expect(run.origins(at: 8_100_000_000).isEmpty, "nothing waits for them")
    }

    @Test("each hazard is listed once, kept up to date, and past ones are distinguished from current ones")
    func once() {
        func hazard(_ operation: UInt64, _ summary: String) -> LiveFindings.Hazard {
            LiveFindings.Hazard(rule: "limbo", severity: .error, summary: summary, operation: operation)
        }
        var hazards = LiveHazards()
        hazards.take([hazard(1, "for 1 s")], at: 1)
        hazards.take([hazard(1, "for 2 s"), hazard(2, "for 1 s")], at: 2)
        #expect(hazards.entries.map(\.hazard.summary) == ["for 1 s", "for 2 s"] && hazards.count == 2)
        hazards.take([hazard(1, "for 3 s")], at: 3)
        #expect(hazards.entries.map(\.hazard.operation) == [1, 2] && hazards.count == 2)
        #expect(hazards.entries.map(\.isPresent) == [true, false] && hazards.entries.map(\.time) == [3, 2])
    }
}
