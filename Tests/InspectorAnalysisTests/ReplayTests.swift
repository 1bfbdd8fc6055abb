import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite struct ReplayTests {
    @Test("a replay with nothing changed takes as long as what was recorded")
    func unchanged() {
        let replay = Replay(TraceAnalysis(quotes()))
        #expect(replay.drift(of: replay.run()) <= Replay.tolerableDrift)
        let children = trace(limit: 1, suspensions: [3..<8]) {
            op("group", ready: 0, start: 1, finish: 120)
            op("first", enqueued: 10, ready: 10, start: 15, finish: 40).inside("group")
            op("again", enqueued: 45, ready: 45, start: 50, finish: 90).inside("group")
            op("after", ready: 120, start: 130, finish: 150).after("group")
        }
        var apart = children
        apart.queues.append(TracedQueue(id: QueueID(2), name: "inner"))
        apart.queues[1].limits = [(0, 1)]
        apart.changeOperations {
            $0[1].queue = 1
            $0[2].queue = 1
        }
        #expect(Replay(TraceAnalysis(apart)).run().isWhole(150))
    }

    @Test("a recorded run is repeated to 2 %")
    func recorded() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "OpvizTests/Traces/quotes.json").path
        let replay = Replay(TraceAnalysis(try TraceReader(path: path).read()))
        let result = replay.run()
        #expect(result.stuckOperations == 0)
        #expect(replay.drift(of: result) < 0.02)
    }

    @Test("the first of several released operations to become ready takes the free slot")
    func releasedTogether() {
        let run = trace(limit: 2) {
            op("first", ready: 0, start: 0, finish: 100)
            op("x", ready: 102, start: 104, finish: 114).after("first")
            op("y", ready: 103, start: 114, finish: 124).after("first")
            op("long", ready: 101, start: 104, finish: 304).after("first")
        }
        let replay = Replay(TraceAnalysis(run))
        #expect(replay.run().isWhole(304))
        // With one slot they come in their order.
        #expect(replay.run(slots: .limited(1)).isWhole(327))
    }

    @Test("a slot handed on before the recorded successor became ready is handed on to that one again")
    func releasedLate() {
        let run = trace(limit: 1) {
            op("first", ready: 0, start: 0, finish: 100)
            op("next", ready: 103, start: 302, finish: 312).after("first")
            op("other", ready: 0, start: 102, finish: 302)
            op("last", ready: 312, start: 312, finish: 412).after("next")
        }
        #expect(Replay(TraceAnalysis(run)).run().isWhole(412))
        let inOrder = trace(limit: 1) {
            op("first", ready: 0, start: 0, finish: 100)
            op("next", ready: 103, start: 105, finish: 115).after("first")
            op("other", ready: 0, start: 115, finish: 315)
            op("last", ready: 315, start: 315, finish: 415).after("next")
        }
        #expect(!LateReleases(TraceAnalysis(inOrder), released: [0, 100, 0, 115], ranks: [0, 1, 2, 3])[1])
        #expect(LateReleases(TraceAnalysis(run), released: [0, 100, 0, 312], ranks: [0, 1, 2, 3])[1])
    }

    @Test("a child added when the one before it had ended follows that, however long it takes")
    func sequence() {
        var run = trace {
            op("retry", kind: "Retry", ready: 0, start: 0, finish: 100)
            op("first", kind: "Attempt", enqueued: 10, ready: 10, start: 10, finish: 40).inside("retry")
            op("again", kind: "Attempt", enqueued: 45, ready: 45, start: 45, finish: 90).inside("retry")
        }
        let replay = Replay(TraceAnalysis(run))
        #expect(replay.run(scales: ["Attempt": 2]).makespan == 175)
        #expect(replay.run(scales: ["Attempt": 0]).makespan == 25)
        // Those that are there at the same time were added by the parent.
        run.changeOperations {
            $0[2].enqueued = TraceMoment(20)
            $0[2].ready = TraceMoment(20)
            $0[2].executing = TraceMoment(20)
        }
        #expect(Replay(TraceAnalysis(run)).run(scales: ["Attempt": 2]).makespan == 170)
    }

    @Test("a parent's wait for children before it adds another is not its own time, and is not scaled")
    func parentScaled() {
        let run = trace {
            op("group", kind: "Group", ready: 0, start: 0, finish: 200)
            op("page", enqueued: 10, ready: 10, start: 10, finish: 100).inside("group")
            // Added by what the page did at its end.
            op("next", enqueued: 99, ready: 99, start: 100, finish: 190).inside("group")
        }
        let replay = Replay(TraceAnalysis(run))
        #expect(replay.run().isWhole(200))
        #expect(replay.run(scales: ["Group": 0]).isWhole(180))
        #expect(replay.run(scaling: 0, by: 0.5).isWhole(190))
    }

    @Test("with few slots, parents that hold all that their children need are a deadlock")
    func deadlock() {
        let run = trace(limit: 2) {
            op("group", ready: 0, start: 0, finish: 100)
            op("child", enqueued: 10, ready: 10, start: 10, finish: 90).inside("group")
        }
        let replay = Replay(TraceAnalysis(run))
        #expect(replay.run(slots: .limited(1)).stuckOperations == 2)
        #expect(replay.run(slots: .limited(2)).isWhole(100))
        #expect(Predictions(TraceAnalysis(run)).sufficientSlots() == 2)
    }

    @Test("a replay with other slots is what a run with these slots is", arguments: 0..<20)
    func bruteForce(block: Int) {
        for seed in block * 20..<(block + 1) * 20 {
            var generator = SplitMix64(seed: UInt64(seed))
            let program = Program(&generator)
            let replay = Replay(TraceAnalysis(program.run(slots: 2)))
            for slots in [1, 2, 3, 5] {
                let expected = program.run(slots: slots)
                #expect(
                    replay.run(slots: .limited(slots)).makespan == TraceAnalysis(expected).makespan,
                    "seed \(seed), \(slots) slots")
            }
            #expect(replay.run() == replay.run(slots: .limited(2)), "seed \(seed)")
            #expect(replay.run(slots: .unlimited) == replay.run(slots: .limited(100)), "seed \(seed)")
        }
    }

    @Test("chains, stars, layers and many queues are replayed without drift")
    func shapes() {
        for shape in [Shape.chain, .star, .layers, .queues] {
            let analysis = TraceAnalysis(shape.trace(operations: 20_000))
            let replay = Replay(analysis)
            #expect(replay.run().isWhole(analysis.makespan), "\(shape)")
        }
    }

    @Test("the report of a replay is as it was")
    func golden() throws {
        let analysis = TraceAnalysis(quotes())
        try Golden("whatif.txt").expect(WhatIfReport(analysis).text(width: nil))
        try Golden("whatif.json").expect(String(decoding: WhatIfReport(analysis).json, as: UTF8.self))
        let scaled = [.recorded, .limited(1), .limited(3)].map {
            ReplayScenario(slots: $0, scales: ["Download": 0.5])
        }
        try Golden("whatif-scaled.txt").expect(WhatIfReport(analysis, scaled).text(width: nil))
        try Golden("whatif-scaled.json").expect(
            String(decoding: WhatIfReport(analysis, scaled).json, as: UTF8.self))
    }
}

extension ReplayResult {
    /// Everything finished, within this time.
    fileprivate func isWhole(_ expected: Int64) -> Bool { makespan == expected && stuckOperations == 0 }
}

/// Up to 12 operations with dependencies and priorities, all added at once.
private struct Program {
    let durations: [Int64]
    let priorities: [Int]
    let dependencies: [[Int]]

    init(_ generator: inout SplitMix64) {
        let count = Int.random(in: 1...12, using: &generator)
        durations = (0..<count).map { _ in Int64.random(in: 1...1_000_000_000, using: &generator) }
        priorities = (0..<count).map { _ in [-8, -4, 0, 4, 8].randomElement(using: &generator) ?? 0 }
        dependencies = (0..<count).map { index in
            (0..<index).filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
        }
    }

    /// Simulates a queue with `slots` slots, step by step.
    func run(slots: Int) -> Trace {
        var result = trace(limit: slots) {
            for index in durations.indices { op("\(index)") }
        }
        var drafts = result.operations.map(OperationDraft.init)
        var ends = [Int64?](repeating: nil, count: durations.count)
        var time: Int64 = 0
        while ends.contains(where: { $0 == nil || ($0 ?? 0) > time }) {
            let running = ends.count { ($0 ?? 0) > time }
            let ready = durations.indices.filter { index in
                ends[index] == nil && dependencies[index].allSatisfy { (ends[$0] ?? .max) <= time }
            }
            for index in ready where drafts[index].ready == nil {
                drafts[index].ready = TraceMoment(time)
            }
            let next = ready.sorted { (priorities[$1], $0) < (priorities[$0], $1) }.prefix(slots - running)
            for index in next {
                ends[index] = time + durations[index]
                drafts[index].executing = TraceMoment(time)
                drafts[index].finished = TraceMoment(time + durations[index])
            }
            time = ends.compactMap { $0 }.filter { $0 > time }.min() ?? time
        }
        for index in durations.indices {
            drafts[index].priority = priorities[index]
            result.edges += dependencies[index].map { Trace.Edge(predecessor: $0, successor: index) }
        }
        result.operations = TracedOperations(drafts)
        return result
    }
}

/// Graphs that a slow algorithm is slow at.
private enum Shape: Hashable {
    case chain, star, layers, queues

    func trace(operations count: Int) -> Trace {
        var result = TestTraces.trace { op("0", ready: 0, start: 0, finish: 1) }
        var drafts = result.operations.map(OperationDraft.init)
        func add(at time: Int64, after predecessors: Range<Int>) {
            var operation = drafts[0]
            operation.id = OperationID(UInt64(drafts.count + 1))
            operation.ready = TraceMoment(time)
            operation.executing = TraceMoment(time)
            operation.finished = TraceMoment(time + 1)
            for predecessor in predecessors {
                result.edges.append(Trace.Edge(predecessor: predecessor, successor: drafts.count))
            }
            drafts.append(operation)
        }
        switch self {
        case .chain: for index in 1..<count { add(at: Int64(index), after: index - 1..<index) }
        case .star: for _ in 1..<count { add(at: 1, after: 0..<1) }
        case .layers:
            for _ in 1..<200 { add(at: 0, after: 0..<0) }
            for _ in 0..<200 { add(at: 1, after: 0..<200) }
        case .queues:
            for index in 1..<count { add(at: Int64(index / 1000), after: 0..<0) }
            result.queues = (0..<1000).map { index in
                var queue = TracedQueue(id: QueueID(UInt64(index + 1)), name: "")
                queue.limits = [(0, 1)]
                return queue
            }
            for index in drafts.indices {
                drafts[index].queue = index % 1000
                drafts[index].enqueued = TraceMoment(0)
                drafts[index].ready = TraceMoment(0)
            }
        }
        result.operations = TracedOperations(drafts)
        return result
    }
}
