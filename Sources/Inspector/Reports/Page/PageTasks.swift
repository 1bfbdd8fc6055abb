import InspectorColumns

/// The Swift tasks of a page, which follow its operations: the stretches of their lifetimes with what
/// happened in each, and where their runs were.
struct PageTasks {
    /// Limits the size of the page: of further tasks, the shorter ones, it has the sums only.
    private static let mostStretches = 600_000

    private let analysis: TraceAnalysis
    private let selection: PageSelection
    private let lifetimes: TaskLifetimes
    private let waits: TaskWaits
    private let first: Int
    /// The tasks by the function that they were written in.
    let kinds: [TaskGroup]
    private let mostStretches: Int

    /// Nil without tasks.
    ///
    /// - Parameter analysis: with the tasks as operations.
    init?(_ analysis: TraceAnalysis, _ selection: PageSelection, mostStretches: Int = Self.mostStretches) {
        guard let waits = TaskWaits(analysis.trace, analysis.timings.transitions) else { return nil }
        self.analysis = analysis
        self.selection = selection
        self.waits = waits
        self.mostStretches = mostStretches
        lifetimes = TaskLifetimes(analysis.trace.tasks)
        kinds = TaskGroup.all(lifetimes, by: .kind)
        let trace = analysis.trace
        first = selection.operations.partitioningIndex { trace.task($0) != nil }
    }

    /// Linear in tasks and runs.
    var object: JSONObject {
        let shown = selection.operations[first...].compactMap(analysis.trace.task)
        let isTold = told(shown)
        let lanes = PageTaskLanes(analysis)
        let critical = analysis.criticalPath.runs

        var phrases = PagePhraseColumns(selection)
        var (counts, parts, lengths): ([Int64], [Int64], [Int64]) = ([], [], [])
        var (stayCounts, executors, offsets, rows): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
        var areCritical: [Int64] = []
        var sums = [[Int64]](repeating: [], count: TaskPart.allCases.count)
        var answer = TaskAnswer(0, in: analysis.trace, lifetimes, waits)
        for (place, task) in shown.enumerated() {
            let position = first + place
            answer.task = task
            let total = lifetimes.parts(of: task)
            for part in TaskPart.allCases { sums[part.rawValue].append(total[part]) }
            phrases.append(isTold[place] ? answer.parts : nil, about: position)
            phrases.append(answer.creation, about: position)
            let before = parts.count
            lifetimes.forEach(of: task) { part, range, run in
                guard isTold[place] else { return }
                parts.append(Int64(part.rawValue))
                lengths.append(range.upperBound - range.lowerBound)
                phrases.append(answer.event(part, run), about: position)
                guard part == .running, let run else { return }
                let stays = lanes.ofRun[run]
                stayCounts.append(Int64(stays.count))
                areCritical.append(critical.contains(run) ? 1 : 0)
                for stay in stays {
                    executors.append(Int64(lanes.stays[Int(stay)].executor) + 1)
                    offsets.append(max(0, lanes.stays[Int(stay)].start - range.lowerBound))
                    rows.append(lanes.rows[Int(stay)])
                }
            }
            counts.append(Int64(parts.count - before))
        }

        var object = JSONObject()
        object.add("first", first)
        object.add("parts", Self.parts)
        object.add("executors", analysis.trace.tasks.executors.map { PageTables.shown($0.name) })
        for part in TaskPart.allCases { object.add(part.key, PageColumn.object(sums[part.rawValue])) }
        object.add("counts", PageColumn.object(counts))
        object.add("stretches", parts.count)
        object.add("stretchParts", PageColumn.object(parts))
        object.add("lengths", PageColumn.object(lengths))
        object.add("runs", stayCounts.count)
        object.add("stayCounts", PageColumn.object(stayCounts))
        object.add("stays", executors.count)
        object.add("stayExecutors", PageColumn.object(executors))
        object.add("stayOffsets", PageColumn.object(offsets))
        object.add("stayRows", PageColumn.object(rows))
        object.add("areCritical", PageColumn.object(areCritical))
        object.add("sections", lanes.sections)
        object.add("atOnce", lanes.atOnce)
        let untold = isTold.count { !$0 }
        object.add(
            "omission",
            untold == 0 ? nil : "What happened in \(Prose.counted(untold, "shorter task")) is left out")
        object.add("phrases", phrases.object)
        object.add(
            "tables",
            [table(.kind, kinds), table(.executor, TaskGroup.all(lifetimes, by: .executor))])
        return object
    }

    /// Whether the page tells what happened in each task: the longest ones come first.
    private func told(_ shown: [Int]) -> [Bool] {
        // A run is preceded by a wait, and followed by one.
        func size(_ task: Int) -> Int { 2 * analysis.trace.tasks.runs(of: task).count + 2 }
        if shown.reduce(0, { $0 + size($1) }) <= mostStretches {
            return [Bool](repeating: true, count: shown.count)
        }
        var isTold = [Bool](repeating: false, count: shown.count)
        var left = mostStretches
        let lengths = shown.map { lifetimes.range(of: $0) }.map { $0.upperBound - $0.lowerBound }
        for place in shown.indices.sorted(by: { (lengths[$1], $0) < (lengths[$0], $1) }) {
            left -= size(shown[place])
            if left < 0 { break }
            isTold[place] = true
        }
        return isTold
    }

    private static var parts: [JSONObject] {
        TaskPart.allCases.map { part in
            var object = JSONObject()
            object.add("key", part.key)
            object.add("label", part.row.label)
            object.add("object", part.row.object)
            object.add("activity", part.row.activity)
            object.add("portion", DelayChain.Portion(part).key)
            return object
        }
    }

    /// Tasks by the function that they were written in, or by executor.
    private func table(_ grouping: TaskGrouping, _ groups: [TaskGroup]) -> JSONObject {
        var object = JSONObject()
        object.add("grouping", "\(grouping)")
        object.add(
            "rows",
            groups.prefix(PageTables.mostRows).map { group in
                var row = JSONObject()
                row.add("name", PageTables.shown(group.name))
                row.add("count", group.tasks.count)
                row.add("runs", group.runs)
                row.add("failed", group.failed)
                row.add("unfinished", group.unfinished)
                row.add("alive", Prose.average(of: group.lifetime.total, in: lifetimes.span))
                row.add("total", group.lifetime.total)
                row.add("median", group.lifetime.p50)
                row.add("max", group.lifetime.max)
                for part in TaskPart.allCases { row.add(part.key, group[part].mean) }
                return row
            })
        return object
    }
}

extension TaskPart {
    /// The name on the page, apart from those of operations' parts.
    fileprivate var key: String { "task-\(self)" }
}
