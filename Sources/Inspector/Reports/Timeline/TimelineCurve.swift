import InspectorColumns

/// How many of the shown operations were at work at once, over time, and what that may be compared with.
struct TimelineCurve {
    /// Averages, by column of time.
    let counts: [Double]
    /// At any one moment.
    let peak: Int
    /// Whether there are parents. They do not count while they have children that are not finished, as
    /// `Concurrency` has it, but take slots: slots are then no measure of what is counted.
    let isNested: Bool
    /// Of all queues together; `nil` where they are not known, or no measure.
    let slots: Int?

    /// Nearly linear in operations.
    init(
        _ analysis: TraceAnalysis, _ selection: TimelineSelection, _ sections: [TimelineLayout.Section],
        columns: Int
    ) {
        var isShown = Array(repeating: selection.hidden == 0, count: analysis.trace.operations.count)
        for operation in selection.operations { isShown[Int(operation)] = true }
        let concurrency = Concurrency(analysis) { isShown[$0] }
        counts = concurrency.overTime(parts: columns, from: selection.start, to: selection.end)
        peak = concurrency.peak(from: selection.start, to: selection.end)
        isNested = !analysis.nesting.children.members.isEmpty
        slots = isNested ? nil : Self.slots(of: sections, analysis.trace)
    }

    /// Whether the line of the slots is drawn: not where it would make all else flat.
    var showsSlots: Bool { slots.map { peak > 0 && $0 / 3 <= peak } ?? false }

    /// Of all these queues together, where each has a limit that never changed.
    static func slots(of sections: [TimelineLayout.Section], _ trace: Trace) -> Int? {
        var sum = 0
        for section in sections {
            guard let queue = section.queue, let limit = trace.queues[queue].limits.first?.limit,
                limit >= 0, trace.queues[queue].limits.allSatisfy({ $0.limit == limit })
            else { return nil }
            let (total, overflow) = sum.addingReportingOverflow(limit)
            if overflow { return nil }
            sum = total
        }
        return sum
    }
}
