import InspectorHazards
import TestTraces
import Testing

@Suite("Hazards in a trace that was cut off")
struct HazardCutOffTests {
    /// The log of a program that was ended by SIGINT; killed, or still running, without a signal.
    private func cut(_ trace: Trace, by signal: Int32? = 2) -> Trace {
        trace.with {
            $0.header.isClosed = false
            $0.header.endingSignal = signal
        }
    }

    /// A queue at work, in which A had executed for so long when the log ended.
    private func atWork(for time: Int64) -> Trace {
        trace(limit: 2, lastAlive: time + ms(1)) {
            op("A", ready: 0, start: ms(1))
            op("B", ready: 0, start: ms(1))
            op("C").after("A")
        }
    }

    @Test("an operation that had just started when Control-C came is a note, with how long it had executed")
    func justStarted() {
        let found = HazardReport(cut(atWork(for: 1_000))).groups.flatMap(\.findings)
        #expect(found.map(\.severity) == [.note, .note])
        #expect(
            found.map(\.summary) == [
                "A was executing when the program was ended by SIGINT, 1.00 µs after its start; waiting for "
                    + "it: 1 operation (C)",
                "B was executing when the program was ended by SIGINT, 1.00 µs after its start",
            ])
        #expect(found.first?.evidence.last?.text == "the program was ended by SIGINT")
        let killed = HazardReport(cut(atWork(for: 1_000), by: nil)).groups.flatMap(\.findings)
        #expect(killed.map(\.severity) == [.note, .note])
        #expect(killed.last?.summary == "B was executing when the log was cut off, 1.00 µs after its start")
    }

    @Test("an operation that was open at the end of another program's trace is a note, however long it took")
    func otherProgram() {
        let closed = trace(lastAlive: ms(60_001)) {
            op("A", ready: 0, start: ms(1))
            op("B", ready: 0, start: ms(1), finish: ms(2)).inside("A")
        }
        #expect(HazardReport(closed).groups.flatMap(\.findings).map(\.severity) == [.error])
        let found = HazardReport(closed.with { $0.header.isOfAnotherProgram = true }).groups.flatMap(
            \.findings)
        #expect(found.map(\.severity) == [.note])
        #expect(found.map(\.summary) == ["A was executing when the trace ended, 1 min 0 s after its start"])
        #expect(found.first?.evidence.last?.text == "the trace ends")
    }

    @Test("an operation cut off after a long execution is an error where others wait for it, else a warning")
    func long() {
        let found = findings("never-finished", in: cut(atWork(for: ms(5_000))))
        #expect(found.map(\.severity) == [.error, .warning])
        #expect(found.first?.summary.hasPrefix("A is still executing, after 5.00 s") == true)
        #expect(findings("never-finished", in: atWork(for: 1_000)).map(\.severity) == [.error, .error])
    }

    @Test("a ready operation, for which there may have been no thread, is a note")
    func ready() {
        let run = trace(lastAlive: ms(900)) {
            op("A", ready: 0, start: ms(899))
            op("B", ready: 0)
        }
        let found = HazardReport(cut(run)).groups.flatMap(\.findings)
        #expect(found.map(\.severity) == [.note, .note])
        #expect(
            found.last?.summary
                == "B was ready, but not started, when the program was ended by SIGINT, 900 ms after it was "
                + "added")
    }

    @Test("a dependency that was never added is reported, with how long others waited for it")
    func neverAdded() {
        let run = trace(lastAlive: ms(900)) {
            op("lost", enqueued: nil)
            op("B", enqueued: ms(100)).after("lost")
        }
        let found = findings("never-finished", in: cut(run))
        #expect(found.map(\.summary) == ["lost was never added to a queue; waiting for it: 1 operation (B)"])
        #expect(found.map(\.cost) == [ms(800)])
        #expect(findings("never-finished", in: cut(run.with { $0.header.lastAlive = ms(150) })).isEmpty)
    }

    @Test("in a merged trace, an operation had executed until the end of its own process's log")
    func merged() {
        var run = atWork(for: ms(60_000))
        run.header.processes = [false, true].map { isClosed in
            var process = run.processes[0]
            process.isClosed = isClosed
            process.lastAlive = isClosed ? ms(60_001) : ms(50)
            return process
        }
        let found = findings("never-finished", in: run)
        #expect(found.map(\.severity) == [.note, .note])
        #expect(found.first?.summary.contains("49.0 ms after its start") == true)
    }

    @Test("an operation cancelled before its start has a moment in which its queue may finish it")
    func cancelled() {
        func run(cancelledAt time: Int64) -> Trace {
            cut(trace(limit: 1, lastAlive: ms(900)) { op("A", enqueued: 0) }.cancelling("A", at: time))
        }
        #expect(findings("never-finished", in: run(cancelledAt: ms(899))).isEmpty)
        #expect(findings("never-finished", in: run(cancelledAt: ms(100))).map(\.severity) == [.error])
    }

    @Test("a deadlock stays an error in a trace that was cut off")
    func deadlock() {
        let circle = trace(lastAlive: 1_000) {
            op("A").after("B")
            op("B").after("A")
        }
        #expect(HazardReport(cut(circle)).groups.map(\.severity) == [.error])
        let wait = trace(limit: 1, lastAlive: 1_000) {
            op("outer", ready: 0, start: 1)
            op("inner", ready: 2)
        }.waiting("outer", for: "inner", from: 3)
        #expect(HazardReport(cut(wait)).groups.map(\.rule) == ["self-wait-deadlock"])
        #expect(HazardReport(cut(wait)).groups.map(\.severity) == [.error])
    }

    @Test("a finding names operations of one name with their IDs, others without")
    func names() {
        let stuck = trace(limit: 1, lastAlive: ms(500)) {
            op("holder", ready: 0, start: ms(1))
            op("x", ready: 0)
            op("y", ready: 0)
        }.withDrafts {
            for index in 1...2 { $0[index].name = "BlockOperation" }
        }
        #expect(
            findings("never-finished", in: stuck).first?.summary.hasSuffix(
                "; stuck behind it: 2 operations (BlockOperation 0x2, BlockOperation 0x3)") == true)
        let alone = stuck.withDrafts { $0[0].name = "BlockOperation" }
        #expect(
            findings("never-finished", in: alone).first?.summary.hasPrefix("BlockOperation 0x1 is still")
                == true)
    }
}
