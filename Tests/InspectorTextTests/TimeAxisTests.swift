import InspectorAnalysis
import TestTraces
import Testing

@testable import InspectorText

@Suite struct TimeAxisTests {
    private func labels(_ start: Int64, _ end: Int64, room: Int = 60) -> [String] {
        TimeAxis(from: start, to: end, room: room).ticks.map(\.label)
    }

    @Test("ticks are round, and as close as their labels allow")
    func round() {
        #expect(labels(0, 100) == ["0", "20 ns", "40 ns", "60 ns", "80 ns", "100 ns"])
        #expect(labels(0, 1_000_000_000, room: 30) == ["0", "0.5 s", "1.0 s"])
        #expect(
            labels(1_013_000_000, 1_060_000_000) == ["1.02 s", "1.03 s", "1.04 s", "1.05 s", "1.06 s"])
        #expect(labels(0, 600_000_000_000, room: 60) == ["0", "2 min", "4 min", "6 min", "8 min", "10 min"])
        #expect(labels(0, 36_000_000_000_000, room: 30) == ["0", "5 h", "10 h"])
        #expect(labels(-50, 50, room: 30) == ["-50 ns", "0", "50 ns"])
    }

    @Test("ticks of any times are few, ascending and within them")
    func any() {
        var generator = SplitMix64(seed: 3)
        for _ in 0..<2000 {
            let shift = Int64.random(in: 0..<60, using: &generator)
            let start = Int64.random(in: -(1 << 60)...1 << 60, using: &generator) >> shift
            let length = Int64.random(in: 0...1 << 60, using: &generator) >> shift
            let axis = TimeAxis(from: start, to: start + length, room: 80)
            #expect(axis.ticks.count <= 42)
            #expect(axis.ticks.allSatisfy { $0.time >= start && $0.time <= start + max(1, length) })
            #expect(zip(axis.ticks, axis.ticks.dropFirst()).allSatisfy { $0.time < $1.time })
            #expect(Set(axis.ticks.map(\.label)).count == axis.ticks.count)
        }
    }
}
