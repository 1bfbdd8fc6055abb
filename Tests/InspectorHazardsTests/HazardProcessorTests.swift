import EventLog
import InspectorHazards
import InspectorTraces
import TestTraces
import Testing

@Suite("Hazards of processors")
struct HazardProcessorTests {
    /// An operation that executes on its own thread, and what that thread does meanwhile, in milliseconds.
    private struct Work {
        var start: Int64
        var finish: Int64
        var kind = "Work"
        /// Alternately on a processor and off it, from the start on: how long.
        var stretches: [Int64]
        var departure = LogEvent.Departure.blocked
    }

    private func log(
        slots: Int, processors: Int = 0, quota: Int = 0, _ works: [Work], others: [LogEvent] = []
    ) -> Trace {
        let queue = QueueID(1)
        var events = [
            LogEvent(
                time: 0, thread: 1, .queueOpened(queue, name: "pictures", limit: slots, isSuspended: false))
        ]
        for (number, work) in works.enumerated() {
            let (id, thread) = (OperationID(UInt64(number + 1)), UInt64(10 + number))
            events += [
                LogEvent(
                    time: 0, thread: 1,
                    .enqueued(LogEvent.Enqueue(operation: id, kind: work.kind, queue: queue))),
                LogEvent(time: 0, thread: 1, .ready(id)),
                LogEvent(time: ms(work.start), thread: thread, .executing(id)),
                LogEvent(time: ms(work.finish), thread: thread, .finished(id, .succeeded)),
            ]
            var time = work.start
            for (place, stretch) in work.stretches.enumerated() {
                time += stretch
                guard place.isMultiple(of: 2) else { continue }
                events.append(
                    LogEvent(
                        time: ms(time), thread: thread,
                        .leftCPU(afterNanoseconds: ms(stretch), work.departure)))
            }
        }
        let sorted = (events + others).enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        let end = works.map(\.finish).max() ?? 0
        var header = LogHeader(
            process: "app", processID: 1, host: "host", start: 0, isClosed: true, lastAlive: ms(end))
        header.processors = ProcessorCount(online: processors, usable: processors, quota: quota, later: 0)
        return Trace(EventLogContents(header: header, events: sorted.map(\.element)))
    }

    @Test("blocked-slot does not count the time in which another thread calculates for the operation")
    func givesWorkAway() {
        func found(_ calculated: Int64, by thread: UInt64) -> [HazardFinding] {
            let helper = LogEvent(
                time: ms(380), thread: thread, .leftCPU(afterNanoseconds: ms(calculated), .blocked))
            return findings(
                "blocked-slot",
                in: log(
                    slots: 1,
                    [
                        Work(start: 0, finish: 400, stretches: [20, 360, 20]),
                        Work(start: 400, finish: 500, stretches: [100]),
                    ], others: [helper]))
        }
        #expect(found(360, by: 99).isEmpty)
        #expect(found(60, by: 99).map(\.cost) == [ms(300)])
        // The main thread works for nobody.
        #expect(found(360, by: 1).map(\.cost) == [ms(360)])
    }

    @Test("blocked-slot is found where an operation is blocked, and others wait for its slot")
    func blockedSlot() {
        func pair(_ stretches: [Int64], second: Int64 = 400) -> Trace {
            log(
                slots: 1,
                [
                    Work(start: 0, finish: 400, stretches: stretches),
                    Work(start: second, finish: second + 100, stretches: [100]),
                ])
        }
        let found = findings("blocked-slot", in: pair([20, 360, 20]))
        #expect(found.map(\.cost) == [ms(360)])
        #expect(
            found.first?.summary.hasSuffix("was blocked for 360 ms, while others waited for its only slot")
                == true)
        // It calculates for most of the time.
        #expect(findings("blocked-slot", in: pair([130, 270, 0])).count == 1)
        #expect(findings("blocked-slot", in: pair([250, 140, 10])).isEmpty)
        // Nobody waits for a slot.
        #expect(
            findings(
                "blocked-slot", in: log(slots: 2, [Work(start: 0, finish: 400, stretches: [20, 360, 20])])
            ).isEmpty)
        // The log does not say what its thread did.
        #expect(findings("blocked-slot", in: pair([])).isEmpty)
    }

    @Test("blocked-slot counts only the time that was certainly blocked while others waited")
    func blockedWhileNobodyWaits() {
        // Two slots; the third waits for the last 100 ms of the first.
        func three(_ ready: Int64) -> Trace {
            log(
                slots: 2,
                [
                    Work(start: 0, finish: 1_000, kind: "Wait", stretches: [10, 990]),
                    Work(start: 0, finish: 1_000, stretches: [1_000]),
                    Work(start: 1_000, finish: 1_100, stretches: [100]),
                ]
            ).readying(3, at: ms(ready))
        }
        #expect(findings("blocked-slot", in: three(0)).map(\.cost) == [ms(495)])
        #expect(findings("blocked-slot", in: three(800)).isEmpty)
    }

    /// Operations that calculate for 300 ms each on two processors, two at a time.
    private func crowd(slots: Int, processors: Int = 0, quota: Int = 0, _ count: Int = 4) -> Trace {
        log(
            slots: slots, processors: processors, quota: quota,
            (0..<Int64(count)).map { number in
                let before = number / 2 * 300
                return Work(
                    start: 0, finish: Int64(count + 1) / 2 * 300,
                    stretches: [0, before, 300, Int64(count + 1) / 2 * 300 - before - 300, 0],
                    departure: .preempted)
            })
    }

    @Test("more-slots-than-processors is found where operations wait for each other's processors")
    func moreSlots() {
        let found = findings("more-slots-than-processors", in: crowd(slots: 4))
        #expect(found.count == 1)
        #expect(found.first?.summary.contains(" at once could run, and more had slots") == true)
        #expect(findings("more-slots-than-processors", in: crowd(slots: -1)).count == 1)
        #expect(findings("more-slots-than-processors", in: crowd(slots: 2)).isEmpty)
        #expect(findings("busy-machine", in: crowd(slots: 4)).isEmpty)
        // One more than there seem to be: something else may have had one all the time.
        #expect(findings("more-slots-than-processors", in: crowd(slots: 3, 3)).isEmpty)
    }

    @Test("two threads that overlap for a thousandth of the time are not counted as two processors")
    func overlap() {
        // One processor, alternately for four operations; the first two seem to overlap when one takes over.
        func alternating(overlap: Int64) -> Trace {
            var works = (0..<4).map { number in
                Work(
                    start: 0, finish: 4_000, stretches: [0, number * 1_000, 1_000, 3_000 - number * 1_000],
                    departure: .preempted)
            }
            works[0].stretches = [0, 0, 1_000 + overlap, 3_000 - overlap]
            return log(slots: 4, works)
        }
        #expect(findings("more-slots-than-processors", in: alternating(overlap: 100)).count == 1)
        #expect(findings("more-slots-than-processors", in: alternating(overlap: 2)).isEmpty)
    }

    @Test("the processors in the log decide whether operations waited for each other or for something else")
    func recordedProcessors() {
        let two = crowd(slots: 3, processors: 2, 3)
        #expect(findings("more-slots-than-processors", in: two).count == 1)
        #expect(findings("busy-machine", in: crowd(slots: 4, processors: 2)).isEmpty)
        let eight = crowd(slots: 4, processors: 8)
        #expect(findings("more-slots-than-processors", in: eight).isEmpty)
        #expect(findings("busy-machine", in: eight).count == 1)
        // All threads wait when the quota is used up.
        let limited = crowd(slots: 4, processors: 8, quota: 1_500)
        #expect(findings("busy-machine", in: limited).isEmpty)
        let found = findings("more-slots-than-processors", in: limited)
        #expect(found.first?.advice.contains("to its quota of CPU time, 1.5 CPUs:") == true)
    }

    @Test("busy-machine is found where operations wait for a processor that none of them has")
    func busyMachine() {
        func pair(away: Int64) -> Trace {
            log(
                slots: 4,
                [
                    Work(start: 0, finish: 200 + away, stretches: [100, away, 100], departure: .preempted),
                    Work(start: 0, finish: 200 + away, stretches: [100, away, 100], departure: .preempted),
                ])
        }
        let found = findings("busy-machine", in: pair(away: 200))
        #expect(found.count == 1)
        let sentence = "had the CPUs: operations waited for one for 400 ms, 50.0 % of their executions"
        #expect(found.first?.summary.hasSuffix(sentence) == true)
        #expect(findings("more-slots-than-processors", in: pair(away: 200)).isEmpty)
        #expect(findings("busy-machine", in: pair(away: 20)).isEmpty)
    }

    @Test("without the kernel's records, rules about processors say that they cannot decide")
    func unknown() {
        let silent = log(slots: 4, [Work(start: 0, finish: 900, stretches: [])])
        for rule in ["blocked-slot", "more-slots-than-processors", "busy-machine"] {
            #expect(findings(rule, in: silent).isEmpty)
            #expect(isUndecided(rule, in: silent))
        }
    }
}

extension Trace {
    /// The same run; that operation became ready at this time.
    fileprivate func readying(_ number: Int, at time: Int64) -> Trace {
        withDrafts { $0[number - 1].ready = TraceMoment(time) }
    }
}
