import InspectorColumns

/// The lanes of executors in a page's timeline, as a picture of the timeline has them.
struct PageTaskLanes {
    private let timelineSections: [TimelineTasks.Section]
    /// Where each run was, ordered by time.
    let stays: [ExecutorTenures.Tenure]
    /// For each run, the positions of its stays.
    let ofRun: Grouping
    /// For each stay its row, counted over all sections; -1 without one.
    let rows: [Int64]
    private let range: Range<Int64>

    /// Cost: O(n log n) in runs.
    ///
    /// - Parameter analysis: with the tasks as operations.
    init(_ analysis: TraceAnalysis) {
        let trace = analysis.trace
        let times = TimelineTasks.times(trace) ?? 0..<0
        range = times
        // A stay of no length may be at the very end.
        let timeline = TimelineTasks(
            analysis, TimelineOptions(), times.lowerBound..<times.upperBound.saturatingAdd(1))
        stays = timeline?.stays ?? []
        timelineSections = timeline?.sections ?? []
        ofRun = Grouping(stays.lazy.map(\.run), groups: trace.tasks.runs.count)
        var rows = [Int64](repeating: -1, count: stays.count)
        var first: Int64 = 0
        for section in timelineSections {
            for bar in section.bars { rows[Int(bar.operation)] = first + Int64(bar.lane) }
            first += Int64(section.lanes)
        }
        self.rows = rows
    }

    /// What identifies the executors in other runs; a heading, and how many rows follow it.
    var sections: [JSONObject] {
        timelineSections.map { section in
            var object = JSONObject()
            object.add("keys", section.keys.map(PageTables.shown))
            object.add("title", MarkupText.visible("\(section.name) · \(section.words)"))
            object.add("rows", section.lanes)
            return object
        }
    }

    /// How many tasks were running, on average in each of equal parts of the time from the first task to the
    /// end of the last; in hundredths.
    var atOnce: JSONObject {
        var object = JSONObject()
        object.add("start", range.lowerBound)
        object.add("end", range.upperBound)
        var sums = ColumnSums(
            columns: PageSummary.overviewParts, from: range.lowerBound, to: range.upperBound)
        for stay in stays { sums.add(from: stay.start, to: stay.end) }
        object.add("numbers", PageSummary.hundredths(sums.averages))
        return object
    }
}
