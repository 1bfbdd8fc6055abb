import TestTraces
import Testing

@testable import InspectorRegression

@Suite struct RunSessionsTests {
    @Test("runs of one host at most half an hour apart are one session, in any order")
    func pauses() {
        let minutes: [Double] = [0, 100, 29, 59, 59.5, 130, 200]
        #expect(
            RunSessions.numbers(minutes.map { timings(minute: $0) }) == [0, 1, 0, 0, 0, 1, 2])
    }

    @Test("a pause lasts from the end of a run to the start of the next, so long runs do not split sessions")
    func longRuns() {
        let runs = [0.0, 40, 80].map { timings(minute: $0, parse: 35 * 60_000) }
        #expect(RunSessions.numbers(runs) == [0, 0, 0])
    }

    @Test("runs of different hosts are never one session")
    func hosts() {
        #expect(RunSessions.numbers([timings(), timings(host: "other"), timings()]) == [0, 1, 0])
        #expect(RunSessions.numbers([]) == [])
    }

    @Test("runs were made alternately if neither side is ever more than two ahead")
    func turns() {
        func runs(_ minutes: Double...) -> [RunTimings] { minutes.map { timings(minute: $0) } }
        #expect(RunSessions.areInTurn(runs(0, 3, 4, 7), runs(1, 2, 5, 6)))
        #expect(!RunSessions.areInTurn(runs(0, 1, 2), runs(3, 4, 5)))
        // Of another day.
        #expect(!RunSessions.areInTurn(runs(0, 3), runs(1001, 1002)))
    }
}
