import InspectorColumns

/// How many operations executed at once. A parent counts only while no child exists that
/// it waited for.
public struct Concurrency: Sendable {
    /// Work ÷ makespan. `nil` for a run that took no time.
    public let average: Double?
    /// The maximum at any moment.
    public let peak: Int

    /// The starts and the ends of executions, each ordered by time. At any time, the number is the starts
    /// minus the ends.
    private let starts: [Int64]
    private let ends: [Int64]
    private let start: Int64
    private let end: Int64

    /// Cost: nearly linear in operations.
    public init(_ analysis: TraceAnalysis) { self.init(analysis) { _ in true } }

    /// Counts some of the operations. The average is that of all operations.
    package init(_ analysis: TraceAnalysis, where isCounted: (Int) -> Bool) {
        let transitions = analysis.timings.transitions
        let nesting = analysis.nesting
        let waits = ChildWaits(analysis.trace)
        var starts: [Int64] = []
        var ends: [Int64] = []
        starts.reserveCapacity(transitions.count)
        ends.reserveCapacity(transitions.count)
        var start = Int64.max
        var end = Int64.min
        for (index, line) in transitions.enumerated() {
            guard let line else { continue }
            start = min(start, line.enqueued)
            end = max(end, line.end)
            guard isCounted(index), line.executing != nil else { continue }
            // As for the work, with which the average agrees.
            nesting.visitOwnExecution(of: index, line, transitions, analysis.waits, waits) { from, to in
                starts.append(from)
                ends.append(to)
            }
        }
        self.starts = starts.sortedByDigits { $0 }
        self.ends = ends.sortedByDigits { $0 }
        self.start = start
        self.end = end
        average = analysis.makespan == 0 ? nil : Double(analysis.work) / Double(analysis.makespan)
        peak = Self.peak(starts: self.starts, ends: self.ends)
    }

    /// The most of some intervals at any moment. Linear.
    ///
    /// - Parameters:
    ///   - starts: ordered by time.
    ///   - ends: ordered by time. Each interval ends after its start.
    package static func peak(starts: [Int64], ends: [Int64]) -> Int {
        Changes(starts: starts, ends: ends).reduce(0) { max($0, $1.count) }
    }

    /// When the number changed, and to what, ordered by time: each moment once.
    private struct Changes: Sequence, IteratorProtocol {
        let starts: [Int64]
        let ends: [Int64]
        var started = 0
        var ended = 0

        mutating func next() -> (time: Int64, count: Int)? {
            // Every execution ends after its start. So as long as starts remain, ends remain.
            guard ended < ends.count else { return nil }
            let time = started < starts.count ? Swift.min(starts[started], ends[ended]) : ends[ended]
            while started < starts.count, starts[started] == time { started += 1 }
            while ended < ends.count, ends[ended] == time { ended += 1 }
            return (time, started - ended)
        }
    }

    /// The maximum at any moment of an interval. Linear in operations.
    package func peak(from start: Int64, to end: Int64) -> Int {
        var peak = 0
        var count = 0
        for change in Changes(starts: starts, ends: ends) {
            if change.time > start { peak = max(peak, count) }
            if change.time >= end { return peak }
            count = change.count
        }
        return peak
    }

    /// The average number in each of `parts` equal parts of the makespan. Linear in operations and parts.
    public func overTime(parts: Int) -> [Double] { overTime(parts: parts, from: start, to: end) }

    /// The average number in each of `parts` equal parts of an interval. Linear in operations and parts.
    package func overTime(parts: Int, from start: Int64, to end: Int64) -> [Double] {
        guard parts > 0, start < end else { return [] }
        var sums = [Double](repeating: 0, count: parts)
        let width = Double(end - start) / Double(parts)
        var last: (time: Int64, count: Int) = (start, 0)
        for change in Changes(starts: starts, ends: ends) {
            defer { last = change }
            if last.count == 0 { continue }
            var from = max(0, Double(last.time - start) / width)
            let to = min(Double(change.time - start) / width, Double(parts))
            while from < to {
                let part = min(Int(from), parts - 1)
                let upTo = part == parts - 1 ? to : min(to, Double(part + 1))
                sums[part] += (upTo - from) * Double(last.count)
                from = upTo
            }
        }
        return sums
    }
}
