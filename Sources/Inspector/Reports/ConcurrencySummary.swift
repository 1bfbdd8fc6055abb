/// How many operations executed at once, and how well slots were used: lines of a ``RunSummary``.
struct ConcurrencySummary {
    private static let shownQueues = 3
    static let bars = 24
    private static let longestName = 24

    /// What `Concurrency` and the work leave out.
    static let parents = "parents do not count while children are unfinished"

    let analysis: TraceAnalysis

    init(_ analysis: TraceAnalysis) { self.analysis = analysis }

    var lines: [(label: String, text: String)] {
        let concurrency = Concurrency(analysis)
        guard let average = concurrency.average, concurrency.peak > 0 else { return [] }
        var lines = [
            (
                label: "concurrency",
                text: "average \(Prose.twoDecimals(average)), peak \(Prose.grouped(concurrency.peak))  "
                    + curve(concurrency)
            )
        ]
        for (position, queue) in queues.enumerated() { lines.append((position == 0 ? "slots" : "", queue)) }
        return lines
    }

    private func curve(_ concurrency: Concurrency) -> String {
        Self.curve(concurrency.overTime(parts: Self.bars), peak: Double(concurrency.peak))
    }

    /// A bar for each value. The peak is a full bar; zero is a low line.
    static func curve(_ values: [Double], peak: Double) -> String {
        let bars = Array("▁▂▃▄▅▆▇█")
        return String(
            values.map { value in
                value == 0 ? "_" : bars[min(bars.count - 1, max(0, Int(value / peak * Double(bars.count))))]
            })
    }

    /// The queues with a limit whose operations waited longest for slots.
    private var queues: [String] {
        let waited = SlotUtilization.of(analysis).enumerated().filter {
            $0.element.slotWait > 0 && $0.element.share != nil
        }
        let sorted = waited.sorted {
            ($1.element.slotWait, $0.offset) < ($0.element.slotWait, $1.offset)
        }
        return sorted.prefix(Self.shownQueues).map { _, queue in
            let shown = name(of: analysis.trace.queues[queue.queue])
            let percent = Int(((queue.share ?? 0) * 100).rounded())
            let use = percent == 100 ? "always busy" : "busy \(percent) % of the time"
            return
                "\(shown): \(Prose.slots(queue.limit)) \(use), "
                + "\(Prose.average(queue.averageWaiting)) operations waiting on average"
        }
    }

    /// With the process in a merged trace. Each of the two is shortened, so that both stay visible.
    private func name(of queue: TracedQueue) -> String {
        let parts = [queue.ownName] + (queue.processName.map { [$0] } ?? [])
        return parts.map { TerminalText.shortened($0, toColumns: Self.longestName) }.joined(separator: " in ")
    }
}
