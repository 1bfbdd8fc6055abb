import InspectorHazards
import TestTraces
import Testing

/// Times that are read on different threads may be a few microseconds off.
@Suite("Hazards and the precision of clocks")
struct HazardClockTests {
    private static let rules: Set<String> = [
        "work-before-start", "finished-before-start", "started-after-finish", "started-early", "late-edge",
        "cancel-not-propagated", "ran-while-cancelled",
    ]

    @Test("times that are up to 3 µs off cause no error", arguments: 0..<20)
    func jitter(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var exact = groups(500, &generator)
        #expect(errors(in: exact) == [])
        exact = exact.withDrafts { drafts in
            for index in drafts.indices {
                func shift(_ moment: TraceMoment?) -> TraceMoment? {
                    moment.map {
                        let shift = Int64.random(in: -3_000...3_000, using: &generator)
                        return TraceMoment(notBefore: $0.notBefore + shift, notAfter: $0.notAfter + shift)
                    }
                }
                drafts[index].enqueued = shift(drafts[index].enqueued)
                drafts[index].ready = shift(drafts[index].ready)
                drafts[index].executing = shift(drafts[index].executing)
                drafts[index].cancelled = shift(drafts[index].cancelled)
                drafts[index].finished = shift(drafts[index].finished)
            }
        }
        #expect(errors(in: exact) == [])
    }

    @Test("a difference of 1 ms is still an error")
    func millisecond() {
        let early = trace {
            op("group", ready: 0, start: ms(2), finish: ms(9))
            op("step", ready: 0, start: ms(1), finish: ms(3)).inside("group")
            op("next", ready: 0, start: ms(2), finish: ms(5)).after("step")
            op("again", ready: 0, start: ms(4), finish: ms(3))
        }
        #expect(errors(in: early) == ["late-edge", "started-after-finish", "work-before-start"])
        let barrier = trace {
            op("step", ready: 0, start: ms(1), finish: ms(3))
            op("next", kind: "Barrier", ready: 0, start: ms(2), finish: ms(5)).after("step")
        }.with("next") { $0.ready = TraceMoment(notBefore: 0, notAfter: ms(2)) }
        #expect(errors(in: barrier) == ["started-early"])
        let unstarted = trace(limit: 1) {
            op("first", ready: 0, start: ms(1), finish: ms(3))
            op("second", ready: 0, finish: ms(2))
        }
        #expect(errors(in: unstarted) == ["finished-before-start"])
    }

    @Test("an interval that leaves the order open is no error")
    func interval() {
        let open = trace {
            op("group", ready: 0, finish: ms(9)).starting(within: ms(1)...ms(3))
            op("step", ready: 0, start: ms(2), finish: ms(4)).inside("group")
            op("next", ready: 0, finish: ms(6)).after("step").starting(within: ms(3)...ms(5))
        }
        #expect(errors(in: open) == [])
    }

    @Test("a dependent that was cancelled within a few µs of its start did not have to wait")
    func cancelledAtStart() {
        func dependent(cancelled: Int64) -> Trace {
            trace {
                op("first", ready: 0, start: 0, finish: ms(9))
                op("second", ready: 0, start: ms(2), finish: ms(3)).after("first")
            }.cancelling("second", at: cancelled)
        }
        #expect(errors(in: dependent(cancelled: ms(2) + 3_000)) == [])
        #expect(errors(in: dependent(cancelled: ms(2) + 30_000)) == ["late-edge"])
    }

    private func errors(in trace: Trace) -> [String] {
        let groups = HazardReport(trace, rules: Self.rules).groups.filter { $0.severity == .error }
        return Set(groups.map(\.rule)).sorted()
    }

    /// Groups whose children start as soon as their parent and their dependency let them, in the one slot of
    /// the queue of children. Some children are cancelled, and finish without a start.
    private func groups(_ count: Int, _ generator: inout SplitMix64) -> Trace {
        var time: Int64 = 10_000
        func next() -> Int64 {
            time += Int64.random(in: 0...2_000, using: &generator)
            return time
        }
        var sketches: [OperationSketch] = []
        var cancelled: [(name: String, time: Int64)] = []
        for group in 0..<count {
            let start = next()
            var children: [OperationSketch] = []
            for child in 0..<3 {
                let name = "\(group).\(child)"
                let enqueued = next()
                let isCancelled = Int.random(in: 0..<4, using: &generator) == 0
                if isCancelled { cancelled.append((name, next())) }
                var sketch = op(
                    name, kind: Bool.random(using: &generator) ? "BlockOperation" : "Work",
                    enqueued: enqueued, ready: next(), start: isCancelled ? nil : next(), finish: next(),
                    outcome: isCancelled ? .cancelled : .succeeded
                ).inside("\(group)")
                if child > 0 { sketch = sketch.after("\(group).\(child - 1)") }
                children.append(sketch)
            }
            sketches.append(op("\(group)", enqueued: start, ready: start, start: start, finish: next()))
            sketches += children
        }
        let parents = Set((0..<count).map { "\($0)" })
        var result = trace(limit: 1) { for sketch in sketches { sketch } }
        result.queues.append(TracedQueue(id: QueueID(2), name: "groups"))
        return result.withDrafts { drafts in
            let indices = Dictionary(
                uniqueKeysWithValues: drafts.indices.map { (drafts[$0].name ?? "", $0) })
            for (name, index) in indices where parents.contains(name) { drafts[index].queue = 1 }
            for (name, time) in cancelled {
                if let index = indices[name] { drafts[index].cancelled = TraceMoment(time) }
            }
        }
    }
}
