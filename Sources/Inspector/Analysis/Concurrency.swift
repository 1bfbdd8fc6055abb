/// How many operations executed at once. A parent counts only while none of its children is there.
public struct Concurrency: Sendable {
    /// Work ÷ makespan. `nil` for a run that took no time.
    public let average: Double?
    /// The most at any one moment.
    public let peak: Int

    /// When the number changed, and to what, in the order of time.
    private let changes: [(time: Int64, count: Int)]
    private let start: Int64
    private let end: Int64

    /// Cost: nearly linear in operations.
    public init(_ analysis: TraceAnalysis) {
        let lifelines = analysis.lifelines
        let nesting = analysis.nesting
        var starts: [Int64] = []
        var ends: [Int64] = []
        func add(_ from: Int64, _ to: Int64) {
            guard from < to else { return }
            starts.append(from)
            ends.append(to)
        }
        var start = Int64.max
        var end = Int64.min
        for (index, line) in lifelines.enumerated() {
            guard let line else { continue }
            start = min(start, line.enqueued)
            end = max(end, line.end)
            guard line.executing != nil, let execution = analysis.waits[index]?.execution else { continue }
            // As `Nesting.ownExecution` counts it, so that the average agrees with the work.
            var cursor = line.start
            let end = line.start + execution
            for child in nesting.children[index] {
                guard let child = lifelines[Int(child)] else { continue }
                add(cursor, min(child.enqueued, end))
                cursor = min(max(cursor, child.end), end)
            }
            add(cursor, end)
        }
        starts = starts.sortedByDigits { $0 }
        ends = ends.sortedByDigits { $0 }
        var changes: [(time: Int64, count: Int)] = []
        var nextStart = 0
        // Nothing ends before it started: as long as something is to start, something is to end.
        for (position, time) in ends.enumerated() {
            while nextStart < starts.count, starts[nextStart] < time {
                nextStart += 1
                Self.add(&changes, starts[nextStart - 1], nextStart - position)
            }
            // What starts as another ends is counted once, together with that.
            while nextStart < starts.count, starts[nextStart] == time { nextStart += 1 }
            Self.add(&changes, time, nextStart - position - 1)
        }
        self.changes = changes
        self.start = start
        self.end = end
        peak = changes.reduce(0) { max($0, $1.count) }
        average = analysis.makespan == 0 ? nil : Double(analysis.work) / Double(analysis.makespan)
    }

    private static func add(_ changes: inout [(time: Int64, count: Int)], _ time: Int64, _ count: Int) {
        if let last = changes.last, last.time == time {
            changes[changes.count - 1].count = count
        } else {
            changes.append((time, count))
        }
    }

    /// The average number in each of so many equal parts of the makespan. Linear in operations and parts.
    public func overTime(parts: Int) -> [Double] {
        guard parts > 0, start < end else { return [] }
        var sums = [Double](repeating: 0, count: parts)
        let width = Double(end - start) / Double(parts)
        for (position, change) in changes.enumerated() where change.count > 0 {
            let next = position + 1 < changes.count ? changes[position + 1].time : end
            var from = Double(change.time - start) / width
            let to = min(Double(next - start) / width, Double(parts))
            while from < to {
                let part = min(Int(from), parts - 1)
                let upTo = part == parts - 1 ? to : min(to, Double(part + 1))
                sums[part] += (upTo - from) * Double(change.count)
                from = upTo
            }
        }
        return sums
    }
}
