import InspectorColumns

/// When threads were on processors, or waited for one, while they had no operation.
///
/// Threads that run operations also do so for a moment between two of them: dispatching is part of what
/// operations cost, and is left out.
package struct OutsideStretches: Sendable {
    package struct Stretch: Sendable {
        let thread: ProcessThread
        package let isOnCPU: Bool
        package let start: Int64
        package let end: Int64
    }

    /// A thread that runs operations takes less than this between two of them, in nanoseconds.
    private static let dispatching: Int64 = 100_000

    /// In the order of their starts.
    package let stretches: [Stretch]
    /// Whether the trace says what threads do that have no operations at all. Older ones do not.
    package private(set) var isComplete = false

    /// Cost: nearly linear in operations and switches.
    package init(_ use: ProcessorUse) {
        guard let run = use.runTimes else {
            stretches = []
            return
        }
        var bodies: [ProcessThread: [Range<Int64>]] = [:]
        for index in use.timings.transitions.indices {
            guard let body = use.body(of: index), use.histories[body.thread] != nil else { continue }
            bodies[body.thread, default: []].append(body.start..<body.end)
        }
        var stretches: [Stretch] = []
        // In a fixed order, because sums of fractions depend on it.
        let threads = use.histories.sorted {
            ($0.key.process, $0.key.number) < ($1.key.process, $1.key.number)
        }
        for (thread, history) in threads {
            guard use.timings.trace.processes.indices.contains(Int(thread.process)) else { continue }
            let busy = DisjointRanges(bodies[thread] ?? []).ranges
            let least = busy.isEmpty ? 0 : Self.dispatching
            if busy.isEmpty { isComplete = true }
            var next = 0
            history.forEachStretch { part, start, end in
                guard part == .onCPU || part == .waitingForCPU else { return }
                var start = max(start, run.lowerBound)
                let end = min(end, run.upperBound)
                func add(_ end: Int64) {
                    guard end - start > least else { return }
                    stretches.append(
                        Stretch(thread: thread, isOnCPU: part == .onCPU, start: start, end: end))
                }
                while next < busy.count, busy[next].upperBound <= start { next += 1 }
                var body = next
                while start < end {
                    guard body < busy.count, busy[body].lowerBound < end else { return add(end) }
                    add(busy[body].lowerBound)
                    start = busy[body].upperBound
                    body += 1
                }
            }
        }
        self.stretches = stretches.sortedByDigits(\.start)
    }

    /// Nanoseconds on processors, of all threads.
    package var onCPU: Int64 {
        stretches.reduce(0) { $1.isOnCPU ? $0.saturatingAdd($1.end - $1.start) : $0 }
    }
}
