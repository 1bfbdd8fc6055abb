import InspectorColumns
import InspectorComparison
import InspectorFlames

/// What the page of two runs has besides the data of each: which operations are the same, and what changed.
struct PageComparison {
    private static let mostKinds = 1000
    /// Of the changes, how many are sentences at the head of the page.
    private static let mostSentences = 2

    private let comparison: TraceComparison
    private let names: (before: String, after: String)
    private let selections: (before: PageSelection, after: PageSelection)
    private let theme: PictureTheme
    private let rows: [TraceComparison.Row]

    /// Cost: O(n log n) in operations.
    ///
    /// - Parameter selections: what the page contains of each run.
    init(
        _ comparison: TraceComparison, names: (before: String, after: String),
        _ selections: (before: PageSelection, after: PageSelection), _ theme: PictureTheme
    ) {
        self.comparison = comparison
        self.names = names
        self.selections = selections
        self.theme = theme
        rows = comparison.byInterest.filter { row in
            row.before.flatMap { selections.before.position(of: Int($0)) } != nil
                || row.after.flatMap { selections.after.position(of: Int($0)) } != nil
        }
    }

    var object: JSONObject {
        let report = ComparisonReport(comparison, before: names.before, after: names.after)
        var object = JSONObject()
        object.add("names", [names.before, names.after].map { PageTables.shown($0) })
        object.add(
            "sentences",
            [comparison.incompleteness ?? comparison.endingChanges, report.structure].compactMap {
                $0.map { MarkupText.visible($0) }
            })
        object.add("caution", ChangeText.caution)
        object.add("figures", figures(report.figures(hasMeans: false).rows))
        let extents = [comparison.before, comparison.after].map(\.extent)
        object.add("starts", extents.map(\.lowerBound))
        object.add("length", max(1, extents.map { $0.upperBound &- $0.lowerBound }.max() ?? 1))
        let changes = TraceComparison.Change.allCases
        object.add("changes", changes.map { "\($0.mark) \($0.label)" })
        // Their numbers where the page needs to know one.
        let known: [(String, TraceComparison.Change)] = [
            ("slower", .slower), ("faster", .faster), ("same", .same), ("new", .new), ("gone", .gone),
        ]
        for (name, change) in known { object.add(name, changes.firstIndex(of: change) ?? 0) }
        var colors = JSONObject()
        for theme in PictureTheme.allCases {
            colors.add(theme.rawValue, changes.map(ComparisonStyle(theme).color))
        }
        object.add("changeColors", colors)
        object.add("rows", columns)
        object.add(
            "worst",
            rows.prefix { $0.change != .same }.prefix(Self.mostSentences).map {
                MarkupText.visible(comparison.sentence($0))
            })
        object.add("kinds", comparison.kinds.prefix(Self.mostKinds).map(kind))
        object.add("flames", flames.map { "data:image/svg+xml;base64,\(PageColumn.base64(Array($0.utf8)))" })
        return object
    }

    /// By operation; places are positions in a page's operations plus one, 0 if the run does not contain it,
    /// and -1 if the page does not; times in nanoseconds.
    private var columns: JSONObject {
        var object = JSONObject()
        object.add("count", rows.count)
        let times = rows.map(comparison.times)
        func add(_ name: String, _ value: (TraceComparison.Row) -> Int64) {
            object.add(name, PageColumn.object(rows.map(value)))
        }
        let changes = TraceComparison.Change.allCases
        add("change") { row in Int64(changes.firstIndex(of: row.change) ?? 0) }
        add("before") { row in place(row.before, selections.before) }
        add("after") { row in place(row.after, selections.after) }
        add("difference") { $0.difference ?? 0 }
        add("isTimed") { $0.difference == nil ? 0 : 1 }
        object.add("tookBefore", PageColumn.object(times.map(\.before.took)))
        object.add("tookAfter", PageColumn.object(times.map(\.after.took)))
        object.add("executedBefore", PageColumn.object(times.map(\.before.executed)))
        object.add("executedAfter", PageColumn.object(times.map(\.after.executed)))
        return object
    }

    private func place(_ index: Int32?, _ selection: PageSelection) -> Int64 {
        index.map { index in selection.position(of: Int(index)).map { Int64($0) + 1 } ?? -1 } ?? 0
    }

    private func figures(_ rows: [[String]]) -> [JSONObject] {
        rows.map { row in
            var object = JSONObject()
            object.add("label", row[0])
            object.add("value", row[1] == row[2] ? row[1] : "\(row[1]) → \(row[2])")
            // The percentage says more than the difference, where there is one.
            let note = row[4].isEmpty ? row[3] : row[4]
            object.add("note", row[1] == row[2] || note.isEmpty ? nil : note)
            return object
        }
    }

    /// Means over the operations of a kind, in nanoseconds.
    private func kind(_ kind: TraceComparison.Kind) -> JSONObject {
        var object = JSONObject()
        object.add("name", PageTables.shown(kind.name))
        object.add("change", "\(kind.change.mark) \(kind.change.label)")
        object.add("isComparable", kind.isComparable)
        for (side, totals) in [("Before", kind.before), ("After", kind.after)] {
            object.add("count\(side)", totals.count)
            object.add("executed\(side)", totals.mean.execution)
            object.add("waited\(side)", totals.meanWait)
        }
        return object
    }

    /// Nil unless both traces have samples of the code.
    private var flames: String? {
        guard let before = StackProfile(comparison.before.timings),
            let after = StackProfile(comparison.after.timings)
        else { return nil }
        let samples = [before, after].map { $0.counts(isBlocked: false).inside }
        guard samples.allSatisfy({ $0 > 0 }) else { return nil }
        return FlameComparisonOutput(before: before, after: after, names: names, theme: theme).still
    }
}
