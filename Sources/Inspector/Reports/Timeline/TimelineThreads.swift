/// How many threads were on processors over time, and how many waited for one.
struct TimelineThreads {
    /// Averages for each column of time.
    let onCPU: [Double]
    let waiting: [Double]

    /// Nil if the trace does not say when threads were on processors. Linear in switches.
    init?(_ use: ProcessorUse?, _ selection: TimelineSelection, columns: Int) {
        guard
            let threads = use?.threadsOverTime(parts: columns, from: selection.start, to: selection.end)
        else { return nil }
        (onCPU, waiting) = threads
    }

    var both: [Double] { zip(onCPU, waiting).map { $0 + $1 } }
    var most: Double { both.max() ?? 0 }
}
