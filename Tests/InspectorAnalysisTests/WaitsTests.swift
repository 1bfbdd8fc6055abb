import EventLog
import InspectorAnalysis
import InspectorReports
import TestTraces
import Testing

@Suite struct WaitsTests {
    @Test("an operation that waited for nothing only executes")
    func executionOnly() {
        let analysis = TraceAnalysis(trace { op("A", ready: 0, start: 0, finish: 30) })
        #expect(analysis.waits(of: "A") == [.execution: 30])
    }

    @Test("the time from enqueued to ready is dependency wait")
    func dependencyWait() {
        let analysis = TraceAnalysis(trace { op("A", enqueued: 5, ready: 20, start: 20, finish: 30) })
        #expect(analysis.waits(of: "A") == [.dependency: 15, .execution: 10])
    }

    @Test("the time from ready to executing with a free slot is dispatch wait")
    func dispatchWait() {
        let analysis = TraceAnalysis(trace(limit: 1) { op("A", ready: 0, start: 7, finish: 30) })
        #expect(analysis.waits(of: "A") == [.dispatch: 7, .execution: 23])
    }

    @Test("with one slot the next operation waits for the slot until the one before it finished")
    func oneSlot() {
        let analysis = TraceAnalysis(
            trace(limit: 1) {
                op("A", ready: 0, start: 0, finish: 30)
                op("B", ready: 10, start: 32, finish: 40)
                op("C", ready: 0, start: 41, finish: 50)
            })
        #expect(analysis.waits(of: "B") == [.dependency: 10, .slot: 20, .dispatch: 2, .execution: 8])
        #expect(analysis.waits(of: "C") == [.slot: 40, .dispatch: 1, .execution: 9])
    }

    @Test("with two slots the third operation waits for the first finish")
    func twoSlots() {
        let analysis = TraceAnalysis(
            trace(limit: 2) {
                op("A", ready: 0, start: 1, finish: 30)
                op("B", ready: 0, start: 2, finish: 20)
                op("C", ready: 0, start: 23, finish: 40)
            })
        #expect(analysis.waits(of: "B") == [.dispatch: 2, .execution: 18])
        #expect(analysis.waits(of: "C") == [.slot: 20, .dispatch: 3, .execution: 17])
    }

    @Test("a raised limit gives a slot")
    func raisedLimit() {
        let analysis = TraceAnalysis(
            trace(limits: [(0, 1), (15, 2)]) {
                op("A", ready: 0, start: 0, finish: 30)
                op("B", ready: 0, start: 16, finish: 40)
            })
        #expect(analysis.waits(of: "B") == [.slot: 15, .dispatch: 1, .execution: 24])
    }

    @Test("slots that a queue had before its limit was lowered do not count afterwards")
    func loweredLimit() {
        let analysis = TraceAnalysis(
            trace(limits: [(0, 4), (10, 1)]) {
                op("A", ready: 20, start: 20, finish: 30)
                op("B", ready: 20, start: 31, finish: 40)
            })
        #expect(analysis.waits(of: "B") == [.dependency: 20, .slot: 10, .dispatch: 1, .execution: 9])
    }

    @Test("ready time in a suspended queue is suspended wait; before and after, a taken slot is slot wait")
    func suspension() {
        let analysis = TraceAnalysis(
            trace(limit: 1, suspensions: [10..<20, 40..<50]) {
                op("A", ready: 0, start: 0, finish: 30)
                op("B", ready: 5, start: 33, finish: 60)
            })
        #expect(
            analysis.waits(of: "B")
                == [.dependency: 5, .suspended: 10, .slot: 15, .dispatch: 3, .execution: 27])
    }

    @Test("an operation that starts during a suspension was dispatched before it")
    func startDuringSuspension() {
        let analysis = TraceAnalysis(
            trace(limit: 1, suspensions: [10..<20]) { op("A", ready: 5, start: 12, finish: 60) })
        #expect(analysis.waits(of: "A") == [.dependency: 5, .dispatch: 7, .execution: 48])
    }

    @Test("an interval that contains the start is unknown, and known waits end at its beginning")
    func startInterval() {
        let analysis = TraceAnalysis(
            trace(limit: 1) {
                op("A", ready: 5, finish: 60).starting(within: 10...25)
            })
        #expect(analysis.waits(of: "A") == [.dependency: 5, .dispatch: 5, .execution: 35, .unknown: 15])
    }

    @Test("an interval that contains the finish is unknown")
    func finishInterval() {
        let analysis = TraceAnalysis(trace { op("A", ready: 0, start: 0).finishing(within: 20...50) })
        #expect(analysis.waits(of: "A") == [.execution: 20, .unknown: 30])
    }

    @Test("the time before a missing transition is unknown, up to the next one that is known")
    func missingTransitions() {
        let analysis = TraceAnalysis(
            trace {
                op("no ready", start: 10, finish: 30)
                op("no start", ready: 10, finish: 30)
            })
        #expect(analysis.waits(of: "no ready") == [.execution: 20, .unknown: 10])
        #expect(analysis.waits(of: "no start") == [.dependency: 10, .unknown: 20])
    }

    @Test("an operation cancelled before its start waits until its finish")
    func cancelledBeforeStart() {
        let analysis = TraceAnalysis(
            trace(limit: 1) {
                op("A", ready: 0, start: 0, finish: 30)
                op("B", ready: 5, finish: 35, outcome: .cancelled)
            })
        #expect(analysis.waits(of: "B") == [.dependency: 5, .slot: 25, .dispatch: 5])
    }

    @Test("an operation that never finished is in its last state until the end of the trace")
    func unfinished() {
        let analysis = TraceAnalysis(
            trace(limit: 1, lastAlive: 100) {
                op("running", ready: 0, start: 10)
                op("waiting", ready: 20)
                op("pending").after("running")
            })
        #expect(analysis.waits(of: "running") == [.dispatch: 10, .execution: 90])
        #expect(analysis.waits(of: "waiting") == [.dependency: 20, .slot: 80])
        #expect(analysis.waits(of: "pending") == [.dependency: 100])
    }

    @Test("nothing is claimed after the last transition if events were dropped")
    func dropped() {
        let analysis = TraceAnalysis(
            trace(lastAlive: 100, dropped: 3) {
                op("running", ready: 0, start: 10)
                op("pending")
            })
        #expect(analysis.waits(of: "running") == [.dispatch: 10, .unknown: 90])
        #expect(analysis.waits(of: "pending") == [.unknown: 100])
    }

    @Test("a queue whose limit is not in the trace makes the wait for a slot unknown")
    func unknownLimit() {
        let analysis = TraceAnalysis(trace(limits: []) { op("A", ready: 0, start: 10, finish: 30) })
        #expect(analysis.waits(of: "A") == [.execution: 20, .unknown: 10])
    }

    @Test("an operation that was never enqueued has no waits")
    func neverEnqueued() {
        let analysis = TraceAnalysis(trace { op("A", enqueued: nil) })
        #expect(Array(analysis.waits) == [nil])
        #expect(analysis.makespan == 0)
    }

    @Test("the waits of any trace sum exactly to the lifetime, and are never negative", arguments: 0..<400)
    func exactSums(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        let trace = randomTrace(&generator, isSane: seed % 2 == 0)
        let analysis = TraceAnalysis(trace)
        for (operation, waits) in zip(trace.operations, analysis.waits) {
            guard let enqueued = operation.enqueued?.notAfter else {
                #expect(waits == nil)
                continue
            }
            let waits = try #require(waits)
            for part in LifetimeParts.Part.allCases { #expect(waits[part] >= 0) }
            let end = operation.finished?.notAfter ?? analysis.end
            #expect(waits.total == max(0, bounded(end) - bounded(enqueued)))
        }
        #expect(analysis.criticalPath.length <= analysis.makespan)
        #expect(
            TimingTable(analysis.timings, by: .operations).text()
                == TimingTable(TraceTimings(trace), by: .operations).text())
        _ = TimingTable(analysis.timings).markdown() + RunSummary(analysis).text()
    }

    private func bounded(_ time: Int64) -> Int64 { min(max(time, -(1 << 60)), 1 << 60) }

    /// Up to 30 operations, in order or with absurd times, indices and limits.
    private func randomTrace(_ generator: inout SplitMix64, isSane: Bool) -> Trace {
        var trace = Trace(
            header: LogHeader(
                process: "", processID: 0, host: "", start: 0,
                droppedEvents: UInt64.random(in: 0...1, using: &generator),
                lastAlive: Int64.random(in: 0...200, using: &generator)))
        func time() -> Int64 {
            if isSane || Int.random(in: 0..<5, using: &generator) > 0 {
                return Int64.random(in: 0...100, using: &generator)
            }
            return [Int64.min, -1, Int64.max, 0].randomElement(using: &generator) ?? 0
        }
        func maybe(_ moment: TraceMoment) -> TraceMoment? {
            Int.random(in: 0..<6, using: &generator) == 0 ? nil : moment
        }
        let count = Int.random(in: 0...30, using: &generator)
        let indices = isSane ? 0..<max(count, 1) : -2..<count + 3
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            var queue = TracedQueue(id: QueueID(1), name: "q")
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let limit = isSane ? 1...4 : -3...4
                queue.limits.append((time(), Int.random(in: limit, using: &generator)))
            }
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let (a, b) = (time(), time())
                queue.suspensions.append(min(a, b)..<max(a, b))
            }
            trace.queues.append(queue)
        }
        var operations: [OperationDraft] = []
        for index in 0..<count {
            var operation = OperationDraft(id: OperationID(UInt64(index)), kind: "K\(index % 3)")
            operation.queue = Int.random(in: isSane ? 0...2 : -1...4, using: &generator)
            operation.parent = Bool.random(using: &generator) ? indices.randomElement(using: &generator) : nil
            operation.priority = isSane ? 0 : [Int.min, Int.max, 4].randomElement(using: &generator) ?? 0
            var times = (0..<8).map { _ in time() }
            if isSane { times.sort() }
            operation.enqueued = maybe(TraceMoment(notBefore: times[0], notAfter: times[1]))
            operation.ready = maybe(TraceMoment(notBefore: times[2], notAfter: times[3]))
            operation.executing = maybe(TraceMoment(notBefore: times[4], notAfter: times[5]))
            operation.finished = maybe(TraceMoment(notBefore: times[6], notAfter: times[7]))
            operation.outcome = [nil, .succeeded, .cancelled].randomElement(using: &generator) ?? nil
            operations.append(operation)
        }
        trace.operations = TracedOperations(operations)
        for _ in 0..<count {
            guard let from = indices.randomElement(using: &generator),
                let to = indices.randomElement(using: &generator)
            else { continue }
            trace.edges.append(Trace.Edge(predecessor: from, successor: to))
        }
        return trace
    }
}
