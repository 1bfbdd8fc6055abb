import EventLog
import InspectorAnalysis
import InspectorReports
import InspectorTraces
import TestTraces
import Testing

@Suite("A replay on processors")
struct ReplayProcessorsTests {
    private enum Piece {
        case calculates(Int64)
        case blocks(Int64)
        case isPreempted(Int64)

        var length: Int64 {
            switch self {
            case .calculates(let length), .blocks(let length), .isPreempted(let length): length
            }
        }
    }

    private struct Work {
        var thread: UInt64
        var start: Int64 = 0
        var pieces: [Piece]
        var queue: UInt64 = 1
        var added: Int64 = 0
        var parent: Int?
        var isMeasured = true

        var end: Int64 { pieces.reduce(start) { $0 + $1.length } }

        var switches: [LogEvent] {
            var (time, events) = (start, [LogEvent]())
            for (piece, next) in zip(pieces, pieces.dropFirst().map { $0 as Piece? } + [nil]) {
                time += piece.length
                guard case .calculates(let length) = piece else { continue }
                let departure: LogEvent.Departure =
                    switch next {
                    case .isPreempted: .preempted
                    default: .blocked
                    }
                events.append(
                    LogEvent(time: time, thread: thread, .leftCPU(afterNanoseconds: length, departure)))
            }
            return events
        }
    }

    private func analysis(
        _ works: [Work], slots: [Int] = [-1], extra: [LogEvent] = [], processors: ProcessorCount? = nil
    ) -> TraceAnalysis {
        var events = slots.enumerated().map { number, limit in
            LogEvent(
                time: 0, thread: 1,
                .queueOpened(
                    QueueID(UInt64(number + 1)), name: "queue \(number)", limit: limit, isSuspended: false))
        }
        for (number, work) in works.enumerated() {
            let id = OperationID(UInt64(number + 1))
            var enqueue = LogEvent.Enqueue(operation: id, kind: "Work \(number)", queue: QueueID(work.queue))
            enqueue.parent = work.parent.map { OperationID(UInt64($0 + 1)) }
            events.append(LogEvent(time: work.added, thread: 1, .enqueued(enqueue)))
            events.append(LogEvent(time: work.added, thread: 1, .ready(id)))
            events.append(LogEvent(time: work.start, thread: work.thread, .executing(id)))
            if work.isMeasured { events += work.switches }
            events.append(LogEvent(time: work.end, thread: work.thread, .finished(id, .succeeded)))
        }
        events = (events + extra).enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        var header = LogHeader(
            process: "app", processID: 1, host: "host", start: 0, isClosed: true,
            lastAlive: works.map(\.end).max() ?? 0)
        header.processors = processors
        return TraceAnalysis(Trace(EventLogContents(header: header, events: events)))
    }

    private func makespan(
        _ replay: Replay, on processors: ReplayProcessors = .recorded, pool: ReplayProcessors = .unlimited,
        _ change: (inout ReplayScenario) -> Void = { _ in }
    ) -> Int64 {
        var scenario = ReplayScenario()
        (scenario.processors, scenario.pool) = (processors, pool)
        change(&scenario)
        let result = replay.run(scenario)
        #expect(result.stuckOperations == 0)
        return result.makespan
    }

    private let calculating = [
        Work(thread: 10, pieces: [.calculates(1_000)]), Work(thread: 11, pieces: [.calculates(1_000)]),
    ]
    private let sleeping = [
        Work(thread: 10, pieces: [.calculates(100), .blocks(800), .calculates(100)]),
        Work(thread: 11, pieces: [.calculates(100), .blocks(800), .calculates(100)]),
    ]

    @Test("two operations that calculate take the sum on one processor")
    func calculates() {
        let replay = Replay(analysis(calculating))
        #expect(replay.recordedProcessors == 2)
        #expect(replay.run().makespan == 1_000)
        #expect(makespan(replay, on: .limited(1)) == 2_000)
        #expect(makespan(replay, on: .limited(4)) == 1_000)
        #expect(makespan(replay, on: .unlimited) == 1_000)
    }

    @Test("a serial queue that calculates takes half the time with 2 slots on the 2 processors in the trace")
    func recordedProcessors() {
        let two = Replay(analysis(serial, slots: [1], processors: ProcessorCount(online: 2, usable: 2)))
        #expect(two.recordedProcessors == 2)
        let range = two.range(ReplayScenario(slots: .limited(2)))
        #expect(range.shortest.makespan == 2_000 && range.longest.makespan == 2_000)
        // Only one of them is usable, as without the count only one is seen.
        for processors in [ProcessorCount(online: 2, usable: 1), nil] {
            let one = Replay(analysis(serial, slots: [1], processors: processors))
            #expect(one.recordedProcessors == 1)
            #expect(one.range(ReplayScenario(slots: .limited(2))).shortest.makespan == 4_000)
        }
    }

    /// Four operations that calculate, one after the other.
    private let serial = (0..<4).map {
        Work(thread: 10, start: Int64($0) * 1_000, pieces: [.calculates(1_000)])
    }

    @Test("slots that would use up a quota of CPU time are not predicted, others are")
    func quota() throws {
        func predictions(_ works: [Work], slots: Int, quota: Int) -> Predictions {
            Predictions(
                analysis(
                    works, slots: [slots],
                    processors: ProcessorCount(online: 8, usable: 8, quota: quota, later: 0)))
        }
        let bound = predictions(serial, slots: 1, quota: 1_500)
        #expect(bound.obstacle == nil && bound.processors == 8)
        func prediction(_ slots: Int) -> Prediction {
            bound.predict(ReplayScenario(slots: .limited(slots)))
        }
        #expect(prediction(1).isRecorded && prediction(1).isKnown)
        #expect(!prediction(2).isKnown && prediction(2).isBoundByQuota)
        // A number of processors that is asked for replaces the quota.
        let scenario = ReplayScenario(slots: .limited(2), processors: .limited(8))
        #expect(bound.predict(scenario).range == 2_000...2_000)
        // Enough for both.
        #expect(
            predictions(serial, slots: 1, quota: 2_000).predict(
                ReplayScenario(slots: .limited(2))
            ).range == 2_000...2_000)
        // Sleeping uses none.
        let sleepers = (0..<4).map {
            Work(
                thread: 10, start: Int64($0) * 1_000,
                pieces: [.calculates(10), .blocks(980), .calculates(10)])
        }
        let asleep = predictions(sleepers, slots: 1, quota: 1_500)
        #expect(asleep.predict(ReplayScenario(slots: .limited(4))).isKnown)
        // Two calculated together: the run may have been stopped.
        #expect(predictions(calculating, slots: 2, quota: 1_500).obstacle == .quota)
        #expect(predictions(calculating, slots: 2, quota: 2_000).obstacle == nil)
        #expect(predictions(serial, slots: 1, quota: 500).obstacle == .quota)
    }

    @Test("the report says what a CPU quota does to predictions")
    func saysQuota() {
        func text(_ works: [Work], slots: Int) -> String {
            WhatIfReport(
                analysis(
                    works, slots: [slots],
                    processors: ProcessorCount(online: 8, usable: 8, quota: 1_500, later: 0))
            ).text(width: nil)
        }
        let open = text(serial, slots: 1)
        #expect(open.contains("4.00 µs on 8 CPUs with a quota of 1.5 CPUs (replay error"), "\(open)")
        #expect(open.contains("not known: limited by the quota of CPU time"))
        #expect(!open.contains("gain at most"))
        #expect(
            text(calculating, slots: 2)
                == "Nothing can be predicted from this trace: a quota of 1.5 CPUs limited the program, and a "
                + "replay cannot tell how much longer the run took. Record it again without the quota.\n")
    }

    @Test("nothing is predicted of a run whose affinity mask changed")
    func changedProcessors() {
        let changed = analysis(
            serial, slots: [1], processors: ProcessorCount(online: 8, usable: 4, quota: 0, later: 1))
        #expect(Predictions(changed).obstacle == .changedProcessors)
        #expect(
            WhatIfReport(changed).text(width: nil)
                == "Nothing can be predicted from this trace: the program could use 4 CPUs at first and 1 "
                + "later. Record it again without a change of its CPU affinity.\n")
    }

    @Test("operations that only sleep have threads for the processors in the trace")
    func sleepersOnRecordedProcessors() {
        let sleepers = (0..<8).map {
            Work(
                thread: 10, start: Int64($0) * 1_000,
                pieces: [.calculates(1), .blocks(998), .calculates(1)])
        }
        let two = Replay(analysis(sleepers, slots: [1], processors: ProcessorCount(online: 2, usable: 2)))
        let range = two.range(ReplayScenario(slots: .limited(2)))
        #expect(range.shortest.makespan == 4_000 && range.longest.makespan == 4_000)
        // A guess from the threads that calculated at once has a thread for one of them.
        let guess = Replay(analysis(sleepers, slots: [1])).range(ReplayScenario(slots: .limited(2)))
        #expect(guess.longest.makespan == 8_000)
    }

    @Test("threads that meet where one leaves and the other arrives do not count as one processor more")
    func switchesTakeTime() {
        let works = [
            Work(thread: 10, pieces: [.calculates(1_000_000)]),
            Work(thread: 11, start: 995_000, pieces: [.calculates(1_000_000)]),
        ]
        #expect(Replay(analysis(works)).recordedProcessors == 1)
    }

    @Test("two operations that sleep overlap on one processor, if both have a thread")
    func sleeps() {
        let replay = Replay(analysis(sleeping))
        // Each calculates at half the speed, twice.
        #expect(makespan(replay, on: .limited(1)) == 1_200)
        #expect(makespan(replay, on: .limited(1), pool: .limited(1)) == 2_000)
        #expect(makespan(replay, on: .limited(2), pool: .limited(1)) == 2_000)
        #expect(makespan(replay, on: .unlimited, pool: .recorded) == 1_000)
    }

    @Test("a prediction is a range where the pool is not known, and not where every slot had a thread")
    func range() {
        var scenario = ReplayScenario()
        scenario.processors = .limited(1)
        let range = Replay(analysis(sleeping)).range(scenario)
        #expect(range.shortest.makespan == 1_200 && range.longest.makespan == 2_000)
        scenario.pool = .limited(1)
        #expect(Replay(analysis(sleeping)).range(scenario).shortest.makespan == 2_000)
        let four =
            sleeping + [12, 13].map { Work(thread: $0, pieces: [.blocks(100), .calculates(100)]) }
        scenario.pool = .recorded
        let threads = Replay(analysis(four)).range(scenario)
        #expect(threads.shortest == threads.longest)
    }

    @Test("an operation that waits for one that it added takes part of the time off, wherever that ran")
    func nested() {
        let works = [
            Work(thread: 10, pieces: [.calculates(100), .blocks(600), .calculates(300)]),
            Work(thread: 11, start: 200, pieces: [.calculates(500)], queue: 2, added: 100, parent: 0),
        ]
        let replay = Replay(analysis(works, slots: [-1, -1]))
        #expect(replay.run().makespan == 1_000)
        #expect(makespan(replay) { $0.scales = ["Work 1": 2] } == 1_500)
        #expect(makespan(replay) { $0.scales = ["Work 1": 0] } == 500)
        #expect(makespan(replay) { $0.scales = ["Work 0": 2] } == 1_400)
    }

    @Test("a pool whose threads all wait for operations without one grows after a second")
    func exhausted() {
        let works = [
            Work(thread: 10, pieces: [.calculates(100), .blocks(600), .calculates(300)]),
            Work(thread: 11, start: 200, pieces: [.calculates(500)], queue: 2, added: 100, parent: 0),
        ]
        let replay = Replay(analysis(works, slots: [-1, -1]))
        #expect(makespan(replay, pool: .limited(1)) == 1_000_001_000)
    }

    @Test("what an operation calculates inside of another one on the same thread counts once")
    func nestedOnOneThread() {
        let works = [
            Work(thread: 10, pieces: [.calculates(1_000)]),
            Work(
                thread: 10, start: 200, pieces: [.calculates(500)], queue: 2, added: 200, parent: 0,
                isMeasured: false),
        ]
        let replay = Replay(analysis(works, slots: [-1, -1]))
        #expect(replay.run().makespan == 1_000)
        #expect(makespan(replay) { $0.scales = ["Work 1": 0] } == 500)
    }

    @Test("a replay of the recorded run repeats what other threads took; other replays can leave it out")
    func taken() {
        let work = Work(thread: 10, pieces: [.calculates(400), .isPreempted(300), .calculates(300)])
        let replay = Replay(analysis([work]))
        #expect(replay.run().makespan == 1_000)
        #expect(makespan(replay) { $0.isAlone = true } == 700)
        // These two took the processor from each other.
        let turns = [
            Work(thread: 10, pieces: [.calculates(400), .isPreempted(400), .calculates(400)]),
            Work(thread: 11, start: 400, pieces: [.calculates(400), .isPreempted(400), .calculates(400)]),
        ]
        let both = Replay(analysis(turns))
        #expect(makespan(both) { $0.isAlone = true } == 1_600)
        #expect(makespan(both, on: .limited(2)) { $0.isAlone = true } == 1_200)
    }

    @Test("unmeasured time takes as long as it did, and no processor")
    func unmeasured() {
        let replay = Replay(
            analysis([
                calculating[0], Work(thread: 11, pieces: [.calculates(1_000)], isMeasured: false),
            ]))
        #expect(makespan(replay, on: .limited(1)) == 1_000)
        #expect(replay.unmeasuredShare == 0.5)
    }

    @Test("slots of one queue leave the others as they were")
    func queueSlots() {
        let works = (0..<4).map { number in
            Work(
                thread: 10 + UInt64(number), pieces: [.calculates(10), .blocks(990)],
                queue: UInt64(number % 2 + 1))
        }
        let replay = Replay(analysis(works, slots: [2, 2]))
        #expect(makespan(replay) { $0.slotsOfQueues = [0: .limited(1)] } == 2_000)
        #expect(makespan(replay, on: .unlimited) { $0.slots = .limited(1) } == 2_000)
        #expect(
            makespan(replay, on: .unlimited) {
                ($0.slots, $0.slotsOfQueues) = (.limited(1), [0: .unlimited, 1: .recorded])
            } == 1_000)
    }

    @Test("a replay says what bounds each queue")
    func bounds() throws {
        func cause(_ works: [Work], slots: Int) throws -> QueueBound.Cause {
            try #require(Replay(analysis(works, slots: [slots])).bounds(of: [0]).first).cause
        }
        // Four operations that calculate took turns on two processors.
        let turns = (0..<4).map { number in
            Work(
                thread: 10 + UInt64(number), start: number < 2 ? 0 : 500,
                pieces: number < 2
                    ? [.calculates(500), .isPreempted(500), .calculates(500)]
                    : [.calculates(500), .isPreempted(500), .calculates(500)])
        }
        #expect(try cause(turns, slots: 4) == .processors)
        let one = (0..<3).map { number in
            Work(
                thread: 10, start: Int64(number) * 1_000, pieces: [.calculates(100), .blocks(900)])
        }
        #expect(try cause(one, slots: 1) == .slots)
        #expect(
            try cause([Work(thread: 10, pieces: [.calculates(100), .blocks(900)])], slots: 4) == .blocking)
        #expect(try cause([calculating[0]], slots: 4) == .work)
    }

    @Test("the report of a replay says how many processors it had, what others took, and queues' bounds")
    func report() {
        func report(preempted time: Int64) -> String {
            let work = Work(
                thread: 10, pieces: [.calculates(400), .isPreempted(time), .calculates(600 - time)])
            return WhatIfReport(analysis([work])).text(width: nil)
        }
        #expect(
            report(preempted: 300)
                == "Nothing can be predicted from this trace: other programs had the CPUs; without them, the "
                + "run would have taken 700 ns instead of 1.00 µs. Record it again on an idle machine.\n")
        let text = report(preempted: 50)
        #expect(
            text.hasPrefix(
                "Predictions are relative to the recorded 1.00 µs on 1 CPU (replay error 0.0 %).\n"
                    + "Without other load, the run would have taken 950 ns; "
                    + "predictions assume the same share of it.\n"))
        #expect(text.contains("\nqueue 0  its own work "))
        let ranges = WhatIfReport(
            analysis(sleeping), [ReplayScenario(processors: .limited(1))]
        ).text(width: nil)
        #expect(ranges.contains("with a thread for each CPU            with a thread for each slot\n"))
        let row = ranges.split(separator: "\n").first { $0.hasPrefix("as recorded") } ?? ""
        #expect(
            row.split(separator: " ").joined(separator: " ")
                == "as recorded 1 2.00 µs +100.0 % 1.20 µs +20.0 %")
        #expect(ranges.contains("For another number of threads: --pool."))
        // No number of slots is enough for both.
        #expect(!ranges.contains("gain at most"))
    }

    @Test("no prediction is made for slots where the number of threads changes the run by more than twice")
    func unknown() {
        let works = (0..<6).map { number in
            Work(thread: 10, start: Int64(number) * 1_000, pieces: [.blocks(900), .calculates(100)])
        }
        let text = WhatIfReport(
            analysis(works, slots: [1]),
            [ReplayScenario(slots: .limited(6)), ReplayScenario(slots: .limited(6), pool: .limited(1))]
        ).text(width: nil)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("6 ") }.map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(rows.first?.hasPrefix("6 - not known: ") == true, "\(text)")
        #expect(rows.last?.hasPrefix("6 6.00 µs 0 ns 0.0 %") == true, "\(text)")
    }

    @Test(
        "a replay on processors ends, and gives the same twice, whatever the log contains", arguments: 0..<80)
    func anything(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let extremes: [Int64] = [.min, -1, 0, 1, 1 << 61, .max]
        func time() -> Int64 {
            Int.random(in: 0..<12, using: &random) == 0
                ? extremes.randomElement(using: &random)! : Int64.random(in: -200...2_000, using: &random)
        }
        let works = (0..<20).map { number in
            Work(
                thread: UInt64.random(in: 0..<5, using: &random), start: abs(time() % 4_000),
                pieces: (0..<Int.random(in: 1..<5, using: &random)).map { _ in
                    let length = Int64.random(in: 0..<500, using: &random)
                    return [.calculates(length), .blocks(length), .isPreempted(length)]
                        .randomElement(using: &random)!
                },
                queue: UInt64.random(in: 1...2, using: &random), added: abs(time() % 4_000),
                parent: number > 0 && Bool.random(using: &random)
                    ? Int.random(in: 0..<20, using: &random) : nil)
        }
        let departures: [LogEvent.Departure] = [.unknown, .preempted, .blocked]
        let extra = (0..<60).map { _ in
            let thread = UInt64.random(in: 0..<5, using: &random)
            let body: LogEvent.Body =
                switch Int.random(in: 0..<6, using: &random) {
                case 0: .waitedForCPU(nanoseconds: time())
                case 1 where seed % 3 == 0: .switchesLost(nanoseconds: time())
                default: .leftCPU(afterNanoseconds: time(), departures.randomElement(using: &random)!)
                }
            return LogEvent(time: time(), thread: thread, body)
        }
        let analysis = analysis(works, slots: [1, 2], extra: extra)
        for processors in [ReplayProcessors.recorded, .limited(1), .unlimited] {
            var scenario = ReplayScenario()
            (scenario.processors, scenario.isAlone) = (processors, seed % 2 == 0)
            scenario.scales = ["Work 3": 1_000]
            let result = Replay(analysis).range(scenario)
            #expect(result.longest.makespan >= 0)
            #expect(result == Replay(analysis).range(scenario))
        }
    }
}
