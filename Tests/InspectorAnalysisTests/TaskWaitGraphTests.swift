import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorTraces

@Suite("Which Swift tasks wait for which at the end")
struct TaskWaitGraphTests: CircleVocabulary {
    /// Tasks that await children, each other, also in circles, or nothing that is a task.
    private func graph(seed: UInt64) -> TaskWaitGraph {
        var generator = SplitMix64(seed: seed)
        let events = (1...200 as ClosedRange<UInt64>).flatMap { number in
            let others = 1...200 as ClosedRange<UInt64>
            let parent = UInt64.random(in: 1...max(1, number - 1), using: &generator)
            let awaited = task(UInt64.random(in: others, using: &generator))
            let suspension: LogEvent.Suspension =
                switch UInt64.random(in: 0..<4, using: &generator) {
                case 0: .init(awaits: .continuation)
                case 1: .init(awaits: .task, task: awaited)
                default: .init(awaits: .group)
                }
            return [
                number == 1
                    ? created(0, 1, "main()")
                    : created(Int64(number), number, "child()", by: task(parent), .groupChild),
                begun(Int64(number), number, on: number, pool), ended(500, number, on: number, suspension),
            ]
        }
        return TaskWaitGraph(trace(events).tasks)
    }

    @Test(
        "those that wait for several groups are as many as for each alone",
        arguments: 1...20 as ClosedRange<UInt64>)
    func counts(seed: UInt64) {
        let graph = graph(seed: seed)
        let groups = graph.open.map { [$0] } + [[3, 5], [150, 20, 7]]
        #expect(groups.count == 202)
        let alone = groups.map { graph.waiting(for: $0).count - $0.count }
        #expect(alone.contains { $0 > 10 })
        #expect(graph.counts(waitingFor: groups) == alone)
    }

    @Test("nobody waits for a group of none")
    func none() {
        #expect(graph(seed: 1).counts(waitingFor: []).isEmpty)
        #expect(graph(seed: 1).counts(waitingFor: [[]]) == [0])
    }
}
