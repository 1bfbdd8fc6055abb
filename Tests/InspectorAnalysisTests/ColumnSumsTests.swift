import InspectorAnalysis
import TestTraces
import Testing

@Suite struct ColumnSumsTests {
    @Test("sums of columns are the averages of a count at every nanosecond")
    func bruteForce() {
        var generator = SplitMix64(seed: 5)
        for _ in 0..<200 {
            let columns = Int.random(in: 1...9, using: &generator)
            let width = Int64.random(in: 1...9, using: &generator)
            let start = Int64.random(in: -50...50, using: &generator)
            let end = start + Int64(columns) * width
            var sums = ColumnSums(columns: columns, from: start, to: end)
            var counts = Array(repeating: 0, count: Int(end - start))
            for _ in 0..<20 {
                let from = Int64.random(in: start - 20...end + 20, using: &generator)
                let to = from + Int64.random(in: 0...60, using: &generator)
                sums.add(from: from, to: to)
                for time in max(from, start)..<max(from, start, min(to, end)) {
                    counts[Int(time - start)] += 1
                }
            }
            let expected = (0..<columns).map { column in
                Double(counts[column * Int(width)..<(column + 1) * Int(width)].reduce(0, +)) / Double(width)
            }
            #expect(zip(sums.averages, expected).allSatisfy { abs($0 - $1) < 1e-9 })
        }
    }
}
