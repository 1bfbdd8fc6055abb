import InspectorColumns

/// The rows of tasks on a terminal: one for each task of a small run, or the lanes of each executor of a
/// larger one.
struct TimelineTaskRows {
    /// Up to this many tasks, tasks have rows.
    private static let mostTasks = 40
    /// The largest number of these rows. Of executors, a quarter of it is shown.
    private let mostRows: Int
    /// More lanes of an executor are shown as one row.
    private static let mostLanes = 8

    private let tasks: TimelineTasks
    private let frame: TimelineFrame
    private let range: Range<Int64>

    init(
        _ tasks: TimelineTasks, _ frame: TimelineFrame, _ selection: TimelineSelection, mostRows: Int
    ) {
        self.mostRows = mostRows
        self.tasks = tasks
        self.frame = frame
        range = selection.start..<selection.end
    }

    private var trace: Trace { tasks.analysis.trace }

    var text: String {
        let all = all
        if all.isEmpty { return executors }
        let rest = all.count - shown.count
        return frame.title("tasks", Prose.grouped(all.count)) + rows.map(\.text).joined()
            + WritingStyle.omission(rest, "shorter task")
    }

    /// The characters that occur.
    var entries: [TimelineFrame.Entry] {
        if shown.isEmpty { return [.taskPart(.running)] }
        let parts = Set(rows.flatMap(\.parts))
        let hasCritical = shown.contains {
            tasks.analysis.criticalPath.contains(operation: trace.tasks.operation(of: $0))
        }
        return TaskPart.allCases.filter(parts.contains).map { .taskPart($0) }
            + (hasCritical ? [.critical] : [])
    }

    /// The tasks that may have rows; none if they are too many.
    private var all: Set<Int> {
        let all = Set(tasks.stays.lazy.map { Int(trace.tasks.runs[$0.run].task) })
        return all.count <= max(mostRows, Self.mostTasks) ? all : []
    }

    /// Those with the longest lifetimes.
    private var shown: [Int] {
        let lifetimes = TaskLifetimes(trace.tasks)
        let longest = all.sorted {
            (lifetimes.parts(of: $1).total, $0) < (lifetimes.parts(of: $0).total, $1)
        }
        return longest.prefix(mostRows).sorted {
            (lifetimes.range(of: $0).lowerBound, $0) < (lifetimes.range(of: $1).lowerBound, $1)
        }
    }

    private var rows: [(text: String, parts: [TaskPart])] {
        let lifetimes = TaskLifetimes(trace.tasks)
        let columns = TimeColumns(from: range.lowerBound, to: range.upperBound, count: frame.columns)
        return shown.map { task in
            let stretches = lifetimes.drawnStretches(of: task, within: range, columns)
            let index = trace.tasks.operation(of: task)
            let traced = trace.operations[index]
            let text = frame.row(
                name: traced.displayName,
                TimelineCells(
                    stretches, from: range.lowerBound, to: range.upperBound, columns: frame.columns),
                isCritical: tasks.analysis.criticalPath.contains(operation: index),
                ending: OperationEnding(of: traced),
                figure: DurationFormat.text(nanoseconds: lifetimes.parts(of: task).total))
            return (text, stretches.map(\.part))
        }
    }

    /// How busy the lanes of each executor were.
    private var executors: String {
        let empty = ColumnSums(columns: frame.columns, from: range.lowerBound, to: range.upperBound)
        let mostLanes = min(Self.mostLanes, max(1, mostRows / 5))
        let shown = tasks.sections.prefix(max(1, mostRows / 4))
        let more = WritingStyle.omission(tasks.sections.count - shown.count, "more executor")
        return shown.map { section in
            var sums = Array(repeating: empty, count: section.lanes > mostLanes ? 1 : section.lanes)
            for bar in section.bars {
                sums[sums.count == 1 ? 0 : Int(bar.lane)].add(from: bar.from, to: bar.to)
            }
            var words = section.words
            if section.waiting >= 0.005 {
                words += ", \(Prose.twoDecimals(section.waiting)) waiting on average"
            }
            return frame.title(section.name, words)
                + sums.enumerated().map { lane, sums in
                    let shares = sums.averages
                    let most = sums.averages.max() ?? 0
                    let busy = shares.reduce(0, +) / Double(max(1, shares.count))
                    let isAll = section.lanes > mostLanes
                    let cells = TimelineCells(
                        heights: shares.map { $0 < 0.0005 ? 0 : isAll ? $0 / most : min(1, $0) }
                    ) { _ in TerminalColor(TaskPart.running) }
                    return frame.row(
                        name: isAll ? "running (most)" : "lane \(lane + 1)", cells,
                        figure: isAll
                            ? "≈ " + TimelineBands.count(most)
                            : "\(Int((busy * 100).rounded())) % busy")
                }.joined()
        }.joined() + more
    }
}
