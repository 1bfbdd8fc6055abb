import InspectorAnalysis
import TestTraces
import Testing

@Suite struct DelayChainTests {
    private func ofRun(_ trace: Trace) -> DelayChain { DelayChains(TraceAnalysis(trace)).ofRun }

    private func names(_ chain: DelayChain, _ trace: Trace) -> [String] {
        chain.steps.map { "\($0.reason) \(trace.operations[$0.operation].displayName)" }
    }

    @Test("the chain of delays leads through slots that were handed over, and through dependencies")
    func slots() {
        let run = trace(limit: 1) {
            op("A", ready: 0, start: 0, finish: 10)
            op("B", ready: 0, start: 12, finish: 30)
            op("C", ready: 30, start: 33, finish: 40).after("B")
        }
        let chain = ofRun(run)
        #expect(names(chain, run) == ["added A", "slot B", "dependency C"])
        #expect(chain.steps.map(\.start) == [0, 10, 30])
        #expect(chain.steps[1].waits == [.dispatch: 2, .execution: 18])
        #expect(chain.length == 40)
        #expect(!chain.isCircular)
    }

    @Test("the chain of delays leads through a parent's last child, and back to when the parent added it")
    func nesting() {
        let run = trace {
            op("group", ready: 0, start: 0, finish: 100)
            op("first", enqueued: 10, ready: 10, start: 10, finish: 40).inside("group")
            op("second", enqueued: 45, ready: 45, start: 50, finish: 90).inside("group")
        }
        let chain = ofRun(run)
        #expect(
            names(chain, run) == ["added group", "added first", "child group", "added second", "child group"])
        #expect(chain.steps.map(\.start) == [0, 10, 40, 45, 90])
    }

    @Test("in the chain of delays, time in a suspended queue is a part of the step, and not the slot's")
    func suspended() {
        let run = trace(limit: 1, suspensions: [10..<50]) {
            op("A", ready: 0, start: 0, finish: 10)
            op("B", ready: 0, start: 52, finish: 60)
        }
        let chain = ofRun(run)
        #expect(names(chain, run) == ["added B"])
        #expect(chain.steps[0].waits == [.suspended: 40, .slot: 10, .dispatch: 2, .execution: 8])
    }

    @Test("in the chain of delays, what the program itself waited for comes before what it added then")
    func program() {
        var run = trace {
            op("A", ready: 0, start: 0, finish: 10)
            op("B", enqueued: 15, ready: 15, start: 15, finish: 20)
        }
        run.blockingWaits = [BlockingWait(target: .queue(0), thread: 1, start: 1, end: 12)]
        let chain = ofRun(run)
        #expect(names(chain, run) == ["added A", "programWait B"])
        #expect(chain.steps[1].beforeEnqueue == 5)
    }

    @Test("an operation that was cancelled while it waited for a slot did not wait for itself")
    func cancelledWithoutASlot() {
        let run = trace(limit: 1) {
            op("A", ready: 0, start: 0, finish: 100)
            op("B", ready: 5, finish: 50, outcome: .cancelled)
        }
        let chain = DelayChains(TraceAnalysis(run)).chain(endingIn: 1)
        #expect(!chain.isCircular)
        #expect(names(chain, run) == ["added B"])
        #expect(chain.steps[0].waits.slot == 45)
    }

    @Test("operations that wait for each other are a circle")
    func circle() {
        var run = trace(limit: 1, lastAlive: 100) {
            op("outer", ready: 0, start: 0)
            op("inner", enqueued: 10, ready: 10).inside("outer")
        }
        run.blockingWaits = [BlockingWait(target: .operation(1), operation: 0, thread: 1, start: 20)]
        #expect(DelayChains(TraceAnalysis(run)).chain(endingIn: 0).isCircular)
        #expect(DelayChains(TraceAnalysis(run)).chain(endingIn: 1).isCircular)
        let edges = trace(lastAlive: 100) {
            op("A").after("B")
            op("B").after("A")
        }
        #expect(ofRun(edges).isCircular)
    }

    @Test(
        "steps of the chain of delays follow each other without gaps, and their parts sum to their times",
        arguments: 0..<20)
    func contiguous(block: Int) {
        for seed in block * 50..<(block + 1) * 50 {
            var generator = SplitMix64(seed: UInt64(seed))
            var run = randomGraph(&generator)
            run.queues[0].limits = [(0, Int.random(in: -1...3, using: &generator))]
            run.queues[0].suspensions = [5..<Int64.random(in: 6...20, using: &generator)]
            var drafts = run.operations.map(OperationDraft.init)
            for index in drafts.indices where Bool.random(using: &generator) {
                drafts[index].parent = Int.random(in: drafts.indices, using: &generator)
                if Bool.random(using: &generator) { drafts[index].finished = nil }
                if Bool.random(using: &generator) {
                    run.blockingWaits.append(
                        BlockingWait(target: .queue(0), operation: index, thread: 1, start: 2, end: 15))
                }
            }
            run.operations = TracedOperations(drafts)
            let chains = DelayChains(TraceAnalysis(run))
            for index in run.operations.indices {
                let steps = chains.chain(endingIn: index).steps
                for step in steps {
                    #expect(step.waits.total + step.beforeEnqueue == step.end - step.start, "seed \(seed)")
                    #expect(LifetimeParts.Part.allCases.allSatisfy { step.waits[$0] >= 0 }, "seed \(seed)")
                }
                for (step, next) in zip(steps, steps.dropFirst()) {
                    #expect(step.end == next.start, "seed \(seed)")
                }
            }
        }
    }

    @Test("the holders of slots are those that executed during the wait")
    func holders() {
        let run = trace(limit: 2) {
            op("A", ready: 0, start: 0, finish: 10)
            op("B", ready: 0, start: 0, finish: 30)
            op("C", ready: 0, start: 10, finish: 20)
            op("D", ready: 5, start: 20, finish: 40)
        }
        let holders = SlotHolders(TraceAnalysis(run), during: 3).holders
        #expect(holders.map(\.operation) == [1, 2, 0])
        #expect(holders.map(\.duration) == [15, 10, 5])
    }

    @Test("how long others waited for an operation's slot is the sum of what each of them waited for it")
    func heldUp() {
        var generator = SplitMix64(seed: 4)
        for _ in 0..<50 {
            var free: [Int64] = [0, 0]
            var times: [(ready: Int64, start: Int64, finish: Int64)] = []
            for _ in 0..<20 {
                let ready = Int64.random(in: 0..<50, using: &generator)
                let slot = free[0] <= free[1] ? 0 : 1
                let start = max(ready, free[slot])
                free[slot] = start + Int64.random(in: 0..<20, using: &generator)
                times.append((ready, start, free[slot]))
            }
            let run = trace(limit: 2) {
                for (index, time) in times.enumerated() {
                    op(
                        "\(index)", enqueued: time.ready, ready: time.ready, start: time.start,
                        finish: time.finish)
                }
            }
            let analysis = TraceAnalysis(run)
            var expected = [Double](repeating: 0, count: 20)
            for waiting in 0..<20 {
                for holder in SlotHolders(analysis, during: waiting).holders {
                    expected[holder.operation] += Double(holder.duration)
                }
            }
            let heldUp = HeldUpWaits(analysis)
            #expect((0..<20).map { heldUp[$0] } == expected)
            #expect(expected.contains { $0 > 0 })
        }
    }

    @Test("the chain of delays of 100,000 operations is followed")
    func long() {
        var long = trace {
            for time in 0..<Int64(100_000) { op("\(time)", ready: time, start: time, finish: time + 1) }
        }
        long.edges = (1..<100_000).map { Trace.Edge(predecessor: $0 - 1, successor: $0) }
        #expect(ofRun(long).steps.count == 100_000)
    }
}
