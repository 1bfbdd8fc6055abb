import TestTraces
import Testing

@testable import InspectorAnalysis

struct ReadyQueueTests {
    @Test(arguments: [[1, 2, 3, 4], [4, 3, 2, 1], [2, 4, 1, 3], [3, 1, 4, 2], [7]] as [[UInt64]])
    func `the lowest rank leaves a ready queue first, in whatever order the ranks came`(ranks: [UInt64]) {
        var queue = ReadyQueue()
        for rank in ranks { queue.insert(rank) }
        var taken: [UInt64] = []
        while let rank = queue.popMin() { taken.append(rank) }
        #expect(taken == ranks.sorted())
    }

    @Test func `a ready queue agrees with sorting while ranks come and go`() {
        var generator = SplitMix64(seed: 3)
        var queue = ReadyQueue()
        var waiting: [UInt64] = []
        var taken: [UInt64?] = []
        var expected: [UInt64?] = []
        for step in 0..<20_000 {
            // By turns more come than go and more go than come, so that the queue is long, and empty.
            let comes = Int.random(in: 0..<8, using: &generator) < (step / 1000 % 2 == 0 ? 5 : 1)
            if comes {
                // In order for the most part: a run is longer than what is forgotten at once.
                let rank = step % 10 == 0 ? UInt64.random(in: 0..<20_000, using: &generator) : UInt64(step)
                queue.insert(rank)
                waiting.append(rank)
                waiting.sort()
            } else {
                taken.append(queue.popMin())
                expected.append(waiting.isEmpty ? nil : waiting.removeFirst())
            }
        }
        #expect(taken == expected)
        #expect(taken.contains(nil) && taken.contains { $0 != nil })
    }
}
