import InspectorColumns

/// The small tables of a page, in nanoseconds: kinds, queues, and other numbers of slots.
struct PageTables {
    static let mostRows = 1000
    private static let mostNames = 20_000
    private static let mostSuspensions = 1000
    /// For some fifty replays more.
    private static let mostReplayed = 20_000
    private static let longestName = 120
    /// For a trace in which nearly every operation has its own kind.
    private static let fewKinds = 10_000
    private static let shortName = 32

    /// Of the operations.
    let analysis: TraceAnalysis
    /// Of operations and Swift tasks.
    let whole: TraceAnalysis
    /// Nil without operations.
    let whatIfReport: WhatIfReport?
    /// Other numbers of slots; empty if nothing can be predicted.
    let predictions: [WhatIfReport.Row]
    /// For replays of each queue and each kind: nil if they would take too long, or predict nothing.
    private var detailed: WhatIfReport? {
        whatIfReport.flatMap { report in
            let isSmall = analysis.trace.operations.count <= Self.mostReplayed
            return isSmall && report.predictions.obstacle == nil ? report : nil
        }
    }

    init(analysis: TraceAnalysis, whole: TraceAnalysis) {
        (self.analysis, self.whole) = (analysis, whole)
        whatIfReport = analysis.kinds.isEmpty ? nil : WhatIfReport(analysis)
        predictions = whatIfReport.flatMap { $0.predictions.obstacle == nil ? $0.rows : nil } ?? []
    }

    /// The names of kinds, by their numbers in the trace; empty if no operation of the page has the kind.
    func kindNames(of operations: [Int]) -> [String] {
        let columns = whole.trace.operations.store.columns
        var isUsed = [Bool](repeating: false, count: columns.kindTexts.count)
        for index in operations { isUsed[Int(columns.kinds[index])] = true }
        let names = whole.trace.kinds
        let width = names.count > Self.fewKinds ? Self.shortName : Self.longestName
        return zip(names, isUsed).map { name, isUsed in
            isUsed ? MarkupText.visible(TerminalText.shortened(name, toColumns: width)) : ""
        }
    }

    /// The kinds with the most execution, and the number of each in the trace.
    var kinds: (rows: [GroupTiming], numbers: [Int]) {
        let rows = Array(analysis.kinds.prefix(Self.mostRows))
        var numbers: [String: Int] = [:]
        for (number, name) in analysis.trace.kinds.enumerated() where numbers[name] == nil {
            numbers[name] = number
        }
        let known = rows.filter { numbers[$0.name] != nil }
        return (known, known.compactMap { numbers[$0.name] })
    }

    func kindObjects(_ kinds: (rows: [GroupTiming], numbers: [Int])) -> [JSONObject] {
        zip(kinds.rows, kinds.numbers).map { row, number in
            var object = JSONObject()
            object.add("kind", number)
            add(row, to: &object)
            return object
        }
    }

    /// The kinds of tasks for the graph, in the order of their running time, and the number of each in the
    /// trace.
    ///
    /// - Parameter known: numbers of kinds that the graph has already.
    func taskKinds(_ groups: [TaskGroup], besides known: [Int]) -> [(number: Int, object: JSONObject)] {
        let trace = whole.trace
        let kinds = trace.operations.store.columns.kinds
        var seen = Set(known)
        return groups.prefix(Self.mostRows).compactMap { group in
            guard let task = group.tasks.first else { return nil }
            let number = Int(kinds[trace.tasks.operation(of: task)])
            guard seen.insert(number).inserted else { return nil }
            var object = JSONObject()
            object.add("kind", number)
            object.add("name", Self.shown(group.name))
            object.add("count", group.tasks.count)
            object.add("failed", group.failed)
            object.add("unfinished", group.unfinished)
            return (number, object)
        }
    }

    var queueObjects: [JSONObject] {
        let trace = analysis.trace
        let bounds = detailed?.causesOfBounds ?? [:]
        let columns = trace.operations.store.columns
        let samples = GroupSamples(analysis.timings, groups: trace.queues.count) { Int(columns.queues[$0]) }
        let utilization = SlotUtilization.of(analysis)
        let shares = utilization.reduce(into: [:]) { $0[$1.queue] = $1.share }
        return trace.queues.indices.prefix(Self.mostRows).map { index in
            let queue = trace.queues[index]
            var object = JSONObject()
            object.add("queue", index + 1)
            if queue.name.isEmpty { object.add("isNameless", 1) }
            object.add("limit", queue.limits.last?.limit)
            // Each as two numbers: from, to.
            let suspensions = queue.suspensions.prefix(Self.mostSuspensions).flatMap { suspension in
                [suspension.lowerBound, suspension.upperBound].map { TraceMoment.bounded($0) }
            }
            if !suspensions.isEmpty { object.add("suspensions", suspensions) }
            object.add("boundBy", bounds[index].map(WhatIfReport.name))
            // For sorting, and rounded as in the summary.
            object.add("usedPermille", shares[index].map { Int(($0 * 1000).rounded()) })
            object.add("usedPercent", shares[index].map { Int(($0 * 100).rounded()) })
            add(
                GroupTiming(name: Self.shown(queue.displayName), samples, group: index), to: &object)
            return object
        }
    }

    /// The names of the queues after those of the table, which stories and lanes name, too.
    var laterQueues: [JSONObject] {
        analysis.trace.queues.dropFirst(Self.mostRows).prefix(Self.mostNames).map { queue in
            var object = JSONObject()
            object.add("name", Self.shown(queue.displayName))
            if queue.name.isEmpty { object.add("isNameless", 1) }
            return object
        }
    }

    /// The threads, by their number in the operations' column.
    var threads: [String] { whole.trace.operations.store.columns.threadNumbers.map(String.init) }

    /// How well the replay reproduces the run, and what other numbers of slots or faster kinds would change.
    var whatIf: JSONObject? {
        guard let report = whatIfReport else { return nil }
        var object = JSONObject()
        object.add("fidelity", report.fidelity(nil))
        object.add("recorded", report.predictions.recorded)
        object.add(
            "rows",
            zip(predictions, WhatIfTable.cells(of: predictions, report.predictions)).map { row, cells in
                var object = JSONObject()
                object.add("cells", cells)
                if row.prediction.isKnown, row.prediction.stuckOperations == 0 {
                    object.add("shortest", row.prediction.range.lowerBound)
                    object.add("longest", row.prediction.range.upperBound)
                }
                return object
            })
        object.add("kinds", kindPredictions)
        return object
    }

    private var kindPredictions: [JSONObject] {
        (detailed?.kinds ?? []).map { kind in
            var object = JSONObject()
            object.add("name", Self.shown(kind.kind.name))
            object.add("tenth", kind.tenth)
            object.add("half", kind.half)
            return object
        }
    }

    private func add(_ timing: GroupTiming, to object: inout JSONObject) {
        object.add("name", Self.shown(timing.name))
        object.add("count", timing.count)
        object.add("failed", timing.failed)
        object.add("cancelled", timing.cancelled)
        object.add("unfinished", timing.unfinished)
        let execution = timing[.execution]
        object.add("total", execution.total)
        object.add("executing", Prose.average(of: execution.total, in: analysis.makespan))
        object.add("median", execution.p50)
        object.add("p95", execution.p95)
        object.add("max", execution.max)
        let sums = LifetimeParts { timing[$0].total }
        let waits = sums.mean(over: timing.count, started: execution.count)
        for part in LifetimeParts.Part.waits { object.add(part.name, waits[part]) }
    }

    static func shown(_ name: String) -> String {
        MarkupText.visible(TerminalText.shortened(name, toColumns: longestName))
    }
}
