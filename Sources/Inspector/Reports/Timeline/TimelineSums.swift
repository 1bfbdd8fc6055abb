import InspectorColumns

/// How many operations of a section executed, and how many waited for what, over time.
struct TimelineSums {
    /// The order in which waits are stacked, from the bottom.
    static let waits: [LifetimeParts.Part] = LifetimeParts.Part.waits.reversed() + [.unknown]

    /// By the number of the part; nil for the execution.
    private static let places = LifetimeParts.Part.allCases.map { waits.firstIndex(of: $0) }

    /// The average number in each column of time.
    let executing: [Double]
    /// The waits that occur, in the order of ``waits``, with the average number in each column.
    let waiting: [(part: LifetimeParts.Part, counts: [Double])]

    /// Linear in the section's operations, and columns.
    init(
        _ section: TimelineLayout.Section, _ analysis: TraceAnalysis, _ selection: TimelineSelection,
        suspended: [SuspendedTime], columns: Int
    ) {
        let empty = ColumnSums(columns: columns, from: selection.start, to: selection.end)
        var executing = empty
        var waiting = Array(repeating: empty, count: Self.waits.count)
        var occurs = Array(repeating: false, count: Self.waits.count)
        let queues = analysis.trace.operations.store.columns.queues
        for operation in section.operations {
            let index = Int(operation)
            guard let line = analysis.timings.transitions[index], let waits = analysis.waits[index] else {
                continue
            }
            let queue = Int(queues[index])
            let suspended = suspended.indices.contains(queue) ? suspended[queue] : nil
            LifetimeStretches(line, waits, suspended).visit { part, from, to in
                guard let place = Self.places[part.rawValue] else {
                    executing.add(from: from, to: to)
                    return
                }
                occurs[place] = true
                waiting[place].add(from: from, to: to)
            }
            // An execution that took no time would be invisible.
            if line.executing != nil, waits.execution < selection.leastExecution {
                executing.add(from: line.start, to: line.start + selection.leastExecution)
            }
        }
        self.executing = executing.averages
        self.waiting = Self.waits.indices.filter { occurs[$0] }.map {
            (part: Self.waits[$0], counts: waiting[$0].averages)
        }
    }

    /// The largest number of waiting operations.
    var mostWaiting: Double { allWaiting.max() ?? 0 }

    var allWaiting: [Double] {
        executing.indices.map { column in waiting.reduce(0) { $0 + $1.counts[column] } }
    }
}
