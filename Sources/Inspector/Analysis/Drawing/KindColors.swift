import InspectorColumns

/// Which colour each kind of operation and task has, the same in graphs and in every panel of the page: the
/// kinds with the most execution have the colours of ``PictureTheme/groupFills``, in that order.
package struct KindColors: Sendable {
    /// Indices into the colours, by the kind's index in the trace; nil for kinds after the last colour.
    package let numbers: [Int?]

    /// Cost: linear in operations.
    package init(_ analysis: TraceAnalysis) {
        let columns = analysis.trace.operations.store.columns
        var totals = [Int64](repeating: 0, count: analysis.trace.kinds.count)
        var isUsed = [Bool](repeating: false, count: totals.count)
        for index in analysis.trace.operations.indices {
            let kind = Int(columns.kinds[index])
            isUsed[kind] = true
            totals[kind] = totals[kind].saturatingAdd(analysis.waits[index]?.execution ?? 0)
        }
        let ranked = totals.indices.filter { isUsed[$0] }.sorted { (totals[$1], $0) < (totals[$0], $1) }
        var numbers = [Int?](repeating: nil, count: totals.count)
        for (number, kind) in ranked.prefix(PictureTheme.light.groupFills.count).enumerated() {
            numbers[kind] = number
        }
        self.numbers = numbers
    }
}
