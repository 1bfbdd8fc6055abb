import InspectorColumns

/// How many of the shown operations executed at once, over time, and the slots to compare that with.
struct TimelineCurve {
    /// Averages for each column of time.
    let counts: [Double]
    /// The maximum at any moment.
    let peak: Int
    /// Whether there are parents. While a parent has unfinished children, it does not count, as in
    /// `Concurrency`, but takes a slot. Slots are then not comparable to the counts.
    let isNested: Bool
    /// Of all queues together; `nil` if they are unknown or not comparable.
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
        slots = isNested ? nil : Self.slots(of: sections)
    }

    /// Whether to draw the line of the slots. Not if it would make everything else flat.
    var showsSlots: Bool { slots.map { peak > 0 && $0 / 3 <= peak } ?? false }

    /// The total for these queues, if each has a limit that never changed.
    private static func slots(of sections: [TimelineLayout.Section]) -> Int? {
        var sum = 0
        for section in sections {
            guard let limit = section.slots.fixed else { return nil }
            let (total, overflow) = sum.addingReportingOverflow(limit)
            if overflow { return nil }
            sum = total
        }
        return sum
    }
}
