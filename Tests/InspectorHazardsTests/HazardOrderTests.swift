import InspectorHazards
import TestTraces
import Testing

@Suite("Hazards of order, of slots and of threads")
struct HazardOrderTests {
    @Test("work-before-start is found where a child ran before its parent")
    func workBeforeStart() {
        func group(start: Int64) -> Trace {
            trace {
                op("group", ready: 0, start: start, finish: ms(100))
                op("step", ready: 0, start: ms(10), finish: ms(20)).inside("group")
            }
        }
        #expect(findings("work-before-start", in: group(start: ms(30))).map(\.operations) == [[0, 1]])
        #expect(findings("work-before-start", in: group(start: ms(5))).isEmpty)
    }

    @Test("work-before-start takes what children depend on in a group's own queue for the group's work")
    func workBeforeStartInInit() {
        let group = trace {
            op("group", ready: ms(30), start: ms(30), finish: ms(60))
            op("step", ready: 0, start: ms(10), finish: ms(20))
            op("finisher", enqueued: ms(40), ready: ms(40), start: ms(41), finish: ms(50)).inside("group")
                .after("step")
        }.with {
            $0.queues.append(TracedQueue(id: QueueID(2), name: "inner"))
        }.withDrafts {
            for index in 1...2 { $0[index].queue = 1 }
        }
        #expect(findings("work-before-start", in: group).map(\.operations) == [[0, 1]])
        let waited = group.with { $0.edges.append(Trace.Edge(predecessor: 1, successor: 0)) }
        #expect(findings("work-before-start", in: waited).isEmpty)
    }

    @Test("ran-after-failed-dependency is found where an operation ran although no dependency succeeded")
    func ranAfterFailure() {
        func after(_ first: Outcome, _ second: Outcome, _ own: Outcome = .succeeded) -> Trace {
            trace {
                op("A", ready: 0, start: 1, finish: 10, outcome: first)
                op("B", ready: 0, start: 1, finish: 10, outcome: second)
                op("C", ready: 10, start: 11, finish: 20, outcome: own).after("A", "B")
            }
        }
        let failure = Outcome.failed(message: "500")
        #expect(findings("ran-after-failed-dependency", in: after(failure, .cancelled)).map(\.cost) == [9])
        #expect(findings("ran-after-failed-dependency", in: after(.succeeded, .succeeded)).isEmpty)
        #expect(findings("ran-after-failed-dependency", in: after(failure, failure, failure)).isEmpty)
        #expect(findings("ran-after-failed-dependency", in: after(failure, .succeeded)).isEmpty)
        #expect(isUndecided("ran-after-failed-dependency", in: after(failure, .succeeded)))

        var meant = after(failure, failure)
        meant.marks = [TraceMark(time: 11, thread: 12, text: "runs regardless: A failed: 500", operation: 2)]
        #expect(findings("ran-after-failed-dependency", in: meant).isEmpty)
    }

    @Test("late-edge is found where the dependent started before its dependency had finished")
    func lateEdge() {
        func dependent(start: Int64) -> Trace {
            trace {
                op("A", ready: 0, start: ms(1), finish: ms(50))
                op("B", ready: 0, start: start, finish: ms(80)).after("A")
            }
        }
        #expect(findings("late-edge", in: dependent(start: ms(20))).map(\.operations) == [[1, 0]])
        #expect(findings("late-edge", in: dependent(start: ms(50))).isEmpty)
        #expect(findings("late-edge", in: dependent(start: ms(20)).cancelling("B", at: ms(10))).isEmpty)
    }

    @Test("started-early is found where an operation started before its dependencies had finished")
    func startedEarly() {
        func dependent(_ kind: String, ready: TraceMoment, start: Int64 = ms(20)) -> Trace {
            trace {
                op("A", ready: 0, start: ms(1), finish: ms(50))
                op("B", ready: 0, start: ms(1), finish: ms(60))
                op("C", kind: kind, ready: 0, start: start, finish: ms(80)).after("A", "B")
            }.with("C") { $0.ready = ready }
        }
        let unseen = TraceMoment(notBefore: 0, notAfter: ms(20))
        for kind in ["Barrier", "BlockOperation"] {
            let early = dependent(kind, ready: unseen)
            #expect(findings("started-early", in: early).map(\.operations) == [[2, 0, 1]])
            #expect(findings("late-edge", in: early).isEmpty)
            #expect(findings("started-early", in: early.cancelling("C", at: ms(10))).isEmpty)
            #expect(findings("started-early", in: dependent(kind, ready: unseen, start: ms(60))).isEmpty)
            // The edge came after it had been ready, and had started.
            #expect(findings("started-early", in: dependent(kind, ready: TraceMoment(ms(10)))).isEmpty)
            #expect(findings("late-edge", in: dependent(kind, ready: TraceMoment(ms(10)))).count == 2)
        }
        // It may be otherwise: the class may have an isReady of its own.
        let other = findings("started-early", in: dependent("Work", ready: unseen))
        #expect(other.map(\.operations) == [[2, 0, 1]])
        #expect(other.first?.summary.contains("Foundation may have used") == true)
        let outside = dependent("Work", ready: unseen).with("C") {
            $0.executing = TraceMoment(notBefore: 0, notAfter: ms(20))
        }
        #expect(findings("started-early", in: outside).isEmpty)
        #expect(findings("late-edge", in: outside).count == 2)
    }

    @Test("ready-not-started is found where an operation started only when its queue got another one")
    func forgotten() {
        func waking(at time: Int64, finish: Int64 = ms(1), start: Int64 = ms(501)) -> Trace {
            trace {
                op("A", ready: 0, start: 0, finish: finish)
                op("B", kind: "BlockOperation", ready: ms(1), start: start, finish: ms(502)).after("A")
                op("C", enqueued: time, ready: time, start: ms(501), finish: ms(503))
            }
        }
        let found = findings("ready-not-started", in: waking(at: ms(500)))
        #expect(found.map(\.operations) == [[1]] && found.first?.severity == .warning)
        #expect(found.first?.advice.hasPrefix("Foundation on Linux forgets") == true)
        // Nothing had happened to the queue, or a thread had become free.
        #expect(findings("ready-not-started", in: waking(at: ms(300))).isEmpty)
        #expect(findings("ready-not-started", in: waking(at: ms(500), finish: ms(499))).isEmpty)
        #expect(findings("ready-not-started", in: waking(at: ms(500), start: ms(50))).isEmpty)
    }

    @Test("ready-not-started needs more than a short wait, unless another operation freed a thread meanwhile")
    func busyMachine() {
        func page(kind: String = "Page", others: Int64...) -> Trace {
            trace {
                op("page 1", kind: kind, ready: 0, start: ms(122), finish: ms(125))
                op("page 2", enqueued: ms(121), ready: ms(121), start: ms(122), finish: ms(126))
                for finish in others { op("other", ready: 0, start: 0, finish: finish) }
            }
        }
        for quiet in [page(), page(others: ms(5)), page(others: ms(115))] {
            #expect(findings("ready-not-started", in: quiet).isEmpty)
        }
        #expect(isUndecided("ready-not-started", in: page()))
        #expect(findings("ready-not-started", in: page(others: ms(60))).map(\.operations) == [[0]])
        // It had no dependency whose finish its queue could have missed.
        #expect(findings("ready-not-started", in: page(kind: "BlockOperation", others: ms(60))).isEmpty)
        #expect(!isUndecided("ready-not-started", in: page(kind: "BlockOperation")))
    }

    @Test("ready-not-started finds nothing by threads of another process")
    func busyProcess() {
        let merged = trace {
            op("page 1", kind: "Page", ready: 0, start: ms(122), finish: ms(125))
            op("page 2", enqueued: ms(121), ready: ms(121), start: ms(122), finish: ms(126))
            op("other", ready: 0, start: 0, finish: ms(60))
        }.with { $0.header.processes = [$0.processes[0], $0.processes[0]] }.with("other") { $0.process = 1 }
        #expect(findings("ready-not-started", in: merged).isEmpty)
    }

    @Test("thread-starvation is found where an operation has a slot, and waiting operations all threads")
    func threadStarvation() {
        let starved = trace {
            op("A", ready: 0, start: 1, finish: ms(900))
            op("B", ready: 0, start: 1, finish: ms(900))
            op("C", ready: 0, start: ms(800), finish: ms(900))
        }
        #expect(findings("thread-starvation", in: starved).isEmpty)
        let blocked = starved.waiting("A", for: "C", from: 2, to: ms(900)).waiting(
            "B", for: "C", from: 2, to: ms(900))
        #expect(findings("thread-starvation", in: blocked).map(\.operations) == [[2]])
        let one = starved.waiting("A", for: "C", from: 2, to: ms(900))
        #expect(findings("thread-starvation", in: one).isEmpty)
        let short = starved.waiting("A", for: "C", from: 2, to: ms(100)).waiting(
            "B", for: "C", from: 2, to: ms(100))
        #expect(findings("thread-starvation", in: short).isEmpty)
    }

    @Test("priority-inversion is found where lower priorities have every slot, for it or its dependency")
    func priorityInversion() {
        func urgent(_ priority: Int) -> Trace {
            trace(limit: 1) {
                op("long", ready: 0, start: 0, finish: ms(500))
                op("urgent", ready: 1, start: ms(500), finish: ms(600))
            }.with("urgent") { $0.priority = priority }
        }
        #expect(findings("priority-inversion", in: urgent(8)).map(\.operations) == [[1]])
        #expect(findings("priority-inversion", in: urgent(-8)).isEmpty)
        let behind = trace(limit: 1) {
            op("long", ready: 0, start: 0, finish: ms(500))
            op("first", ready: 1, start: ms(500), finish: ms(600))
            op("urgent", ready: ms(600), start: ms(600), finish: ms(700)).after("first")
        }.with("urgent") { $0.priority = 8 }
        #expect(findings("priority-inversion", in: behind).map(\.operations) == [[2, 1]])
    }

    @Test("priority-inversion is a warning if it cost a quarter of the run, otherwise a note")
    func severityOfInversion() {
        func urgent(end: Int64) -> Trace {
            trace(limit: 1) {
                op("long", ready: 0, start: 0, finish: ms(230))
                op("urgent", ready: ms(1), start: ms(230), finish: ms(end))
            }.with("urgent") { $0.priority = 8 }
        }
        #expect(findings("priority-inversion", in: urgent(end: 246)).map(\.severity) == [.warning])
        #expect(findings("priority-inversion", in: urgent(end: 1_500)).map(\.severity) == [.note])
    }

    @Test("priority-inversion does not charge the time in which equal priorities had the slot")
    func equalPriorities() {
        let mostlyEqual = trace(limit: 1) {
            op("low", ready: 0, start: 0, finish: ms(9))
            for index in 0..<39 {
                let time = ms(9 + Int64(index) * 10)
                op("equal \(index)", ready: 0, start: time, finish: time + ms(10))
            }
            op("urgent", ready: ms(1), start: ms(400), finish: ms(401))
        }.withDrafts { for index in $0.indices.dropFirst() { $0[index].priority = 8 } }
        #expect(findings("priority-inversion", in: mostlyEqual).isEmpty)
    }

    @Test("priority-inversion says for how much of the wait lower priorities had every slot")
    func chargedPart() throws {
        let partly = trace(limit: 2) {
            op("short", ready: 0, start: 0, finish: ms(300))
            op("long", ready: 0, start: 0, finish: ms(600))
            op("equal", ready: 0, start: ms(300), finish: ms(500))
            op("urgent", ready: ms(1), start: ms(500), finish: ms(600))
        }.withDrafts { for index in 2...3 { $0[index].priority = 8 } }
        let finding = try #require(findings("priority-inversion", in: partly).last)
        #expect(finding.operations == [3])
        #expect(finding.cost == ms(299))
        #expect(
            finding.summary
                == "urgent (priority 8) waited 499 ms for a slot of queue main; for 299 ms of it, lower "
                + "priorities had every slot")
    }

    @Test("priority-inversion charges only the part of a dependency's wait that delayed the dependent")
    func inversionBehind() throws {
        func behind(enqueued: Int64 = 0, otherFinish: Int64 = ms(400)) -> [HazardFinding] {
            let behind = trace(limit: 1) {
                op("long", ready: 0, start: 0, finish: ms(300))
                op("equal", ready: 0, start: ms(300), finish: ms(500))
                op("first", ready: ms(1), start: ms(500), finish: ms(510))
                op("other", ready: ms(1), start: ms(2), finish: otherFinish)
                op("urgent", enqueued: enqueued, ready: ms(510), start: ms(510), finish: ms(520))
                    .after("first", "other")
            }.withDrafts {
                $0[1].priority = 8
                $0[4].priority = 8
                $0[3].queue = 1
            }.with { $0.queues.append(TracedQueue(id: QueueID(2), name: "others")) }
            return findings("priority-inversion", in: behind).filter { $0.operations.contains(4) }
        }
        let finding = try #require(behind().first)
        #expect(finding.operations == [4, 2])
        #expect(finding.cost == ms(299))
        #expect(
            finding.summary
                == "urgent (priority 8) depends on first (priority 0), which waited 499 ms for a slot of "
                + "queue main; for 299 ms of it, urgent waited for it, and priorities below 8 had every "
                + "slot")
        #expect(behind(enqueued: ms(250)).isEmpty)
        #expect(behind(otherFinish: ms(511)).isEmpty)
    }

    /// One of low priority, and one of high priority ready every 10 ms, for 380 ms. A slot is taken at once
    /// by the next.
    private func starvation(priority: Int, slots: Int = 1) -> Trace {
        var starved = trace(limit: slots) {
            op("first", ready: 0, start: 0, finish: ms(10))
            op("low", ready: ms(1), start: ms(380), finish: ms(387))
            for index in 1..<38 {
                let time = ms(Int64(index) * 10)
                op(
                    "high \(index)", enqueued: time - ms(5), ready: time - ms(5), start: time,
                    finish: time + ms(10))
            }
        }
        for index in 1..<38 { starved = starved.with("high \(index)") { $0.priority = priority } }
        return starved
    }

    @Test("priority-starvation is found where higher priorities that become ready later always start first")
    func starved() throws {
        let found = findings("priority-starvation", in: starvation(priority: 4))
        let finding = try #require(found.first)
        #expect(found.map(\.operations) == [[1]])
        #expect(finding.severity == .warning)
        #expect(finding.cost ?? 0 >= ms(360))
        #expect(
            finding.summary
                == "low (priority 0) waited 379 ms for a slot of queue main, while 37 operations of higher "
                + "priority that became ready later were started"
        )
    }

    @Test("priority-starvation is not found for equal priorities, earlier ready ones, or a slot left free")
    func notStarved() {
        #expect(findings("priority-starvation", in: starvation(priority: 0)).isEmpty)
        #expect(findings("priority-starvation", in: starvation(priority: -4)).isEmpty)
        #expect(findings("priority-starvation", in: starvation(priority: 4, slots: 4)).isEmpty)
        let earlier = trace(limit: 1) {
            for index in 0..<38 {
                let time = ms(Int64(index) * 10)
                op("high \(index)", ready: 0, start: time, finish: time + ms(10))
            }
            op("low", ready: ms(1), start: ms(380), finish: ms(387))
        }.with("low") { $0.priority = -4 }
        #expect(findings("priority-starvation", in: earlier).isEmpty)
    }

    @Test("priority-starvation does not charge what others execute after the operation was started")
    func startedTogether() {
        let together = trace(limit: 2) {
            op("one", ready: 0, start: 0, finish: ms(299))
            op("two", ready: 0, start: 0, finish: ms(300))
            op("low", ready: ms(1), start: ms(300), finish: ms(310))
            op("high", enqueued: ms(250), ready: ms(250), start: ms(299), finish: ms(1_000))
        }.with("high") { $0.priority = 8 }
        #expect(findings("priority-starvation", in: together).isEmpty)
    }

    @Test("crowded-queue is found where thousands wait while others finish")
    func crowdedQueue() {
        func chain(_ count: Int, limit: Int = -1) -> Trace {
            trace(limit: limit) {
                for index in 0..<count {
                    let time = Int64(index) * 100_000
                    let link = op("\(index)", ready: time, start: time, finish: time + 100_000)
                    index == 0 ? link : link.after("\(index - 1)")
                }
            }
        }
        #expect(findings("crowded-queue", in: chain(4000)).count == 1)
        #expect(findings("crowded-queue", in: chain(500)).isEmpty)
        // A queue without a free slot does not look.
        #expect(findings("crowded-queue", in: chain(4000, limit: 1)).isEmpty)
    }

    @Test("crowded-queue counts readiness and additions, and advises a limit")
    func crowdedByReadiness() throws {
        func chain(_ count: Int, addedEvery gap: Int64) -> Trace {
            trace {
                for index in 0..<count {
                    let time = ms(2_000) + Int64(index) * 200_000
                    let link = op(
                        "\(index)", enqueued: Int64(index) * gap, ready: time, start: time,
                        finish: time + 200_000)
                    index == 0 ? link : link.after("\(index - 1)")
                }
            }
        }
        // Added in one call: each of 2,000 is ready once and finishes once, with 1,000 others waiting in the
        // mean.
        let atOnce = try #require(findings("crowded-queue", in: chain(2_000, addedEvery: 0)).first)
        #expect(atOnce.cost.map { $0 / 1_000_000 } == 519)
        // Added one by one, each addition looks as well.
        let apart = try #require(findings("crowded-queue", in: chain(2_000, addedEvery: ms(1))).first)
        #expect(apart.cost.map { $0 / 1_000_000 } == 778)
        #expect(
            apart.advice.hasPrefix("set maxConcurrentOperationCount to 1: the operations ran one at a time"))
    }

    @Test("over-serialized is found where a serial queue takes what two slots could do at once")
    func overSerialized() {
        func pair(limit: Int, second: Int64) -> Trace {
            trace(limit: limit) {
                op("A", ready: 0, start: 0, finish: ms(500))
                op("B", ready: 0, start: second, finish: second + ms(500))
            }
        }
        #expect(findings("over-serialized", in: pair(limit: 1, second: ms(500))).map(\.cost) == [ms(500)])
        #expect(findings("over-serialized", in: pair(limit: 2, second: 0)).isEmpty)
        let ordered = trace(limit: 1) {
            op("A", ready: 0, start: 0, finish: ms(500))
            op("B", ready: ms(500), start: ms(500), finish: ms(1000)).after("A")
        }
        #expect(findings("over-serialized", in: ordered).isEmpty)
    }

    @Test("dead-air is found where operations are in queues, but none executes")
    func deadAir() {
        let suspended = trace(suspensions: [0..<ms(800)]) {
            op("A", ready: 0, start: ms(800), finish: ms(900))
        }
        let found = findings("dead-air", in: suspended)
        #expect(found.map(\.cost) == [ms(800)])
        #expect(found.first?.summary.contains("queue main was suspended") == true)
        let nothingToDo = trace {
            op("A", ready: 0, start: 0, finish: ms(100))
            op("B", enqueued: ms(800), ready: ms(800), start: ms(800), finish: ms(900))
        }
        #expect(findings("dead-air", in: nothingToDo).isEmpty)
    }
}
