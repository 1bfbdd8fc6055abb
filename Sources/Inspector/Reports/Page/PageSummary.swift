/// The figures at the head of a page, and its statements about the run as a whole.
struct PageSummary {
    /// In how many parts of time a page draws what happened at once.
    static let overviewParts = 400

    /// Of the operations.
    let analysis: TraceAnalysis
    /// Of operations and Swift tasks.
    let whole: TraceAnalysis
    let unfinished: UnfinishedReport
    /// Of operations and tasks: since when nothing happened in a run that stood still. Then no critical path
    /// is drawn.
    let stillSince: Int64?
    let why: WhyReport
    let delaying: DelayChain

    func add(to object: inout JSONObject) {
        let header = analysis.trace.header
        object.add("process", PageTables.shown(header.process))
        object.add("pid", header.processID > 0 ? header.processID : nil)
        object.add(
            "processes",
            analysis.trace.isMerged ? "\(Prose.grouped(analysis.trace.processes.count)) processes" : nil)
        object.add("host", PageTables.shown(header.host))
        // In milliseconds: the browser formats the date in its own time zone.
        object.add("wallClock", header.start / 1_000_000)
        object.add("makespan", whole.makespan)
        object.add("end", whole.end)
        let concurrency = Concurrency(analysis)
        let use = ProcessorUse(analysis.timings)
        let path = whole.trace.tasks.isEmpty ? CriticalPathParts(whole, use) : nil
        let tasks = TaskSummary(analysis.timings)?.figure
        object.add(
            "figures",
            figures(concurrency) + (tasks.map { [Self.figure("tasks", $0.value, $0.note)] } ?? [])
                + (use.map(executing) ?? []))
        object.add("stillSince", stillSince)
        object.add("unfinished", unfinished.line.map { MarkupText.visible($0) })
        object.add("why", why.pageObject)
        let delayedBy = delayedBy
        object.add("delayedBy", delayedBy)
        object.add("withoutDelays", delayedBy == nil ? withoutDelays : nil)
        object.add("losses", (analysis.trace.notes + analysis.trace.losses).map { MarkupText.visible($0) })
        object.add("criticalPathParts", path?.text)
        object.add("atOnce", Self.hundredths(concurrency.overTime(parts: Self.overviewParts)))
        let threads = use.flatMap { use in
            use.runTimes.flatMap {
                use.threadsOverTime(parts: Self.overviewParts, from: $0.lowerBound, to: $0.upperBound)
            }
        }
        if let threads {
            object.add("threadsOnCPU", Self.hundredths(threads.onCPU))
            object.add("threadsWaiting", Self.hundredths(threads.waiting))
        }
    }

    static func hundredths(_ values: [Double]) -> [Int] { values.map { Int(($0 * 100).rounded()) } }

    private func executing(_ use: ProcessorUse) -> [JSONObject] {
        let parts = use.parts(of: analysis.trace.operations.indices)
        guard parts.total > 0 else { return [] }
        return [
            Self.figure(
                "executing", DurationFormat.text(nanoseconds: parts.total), parts.text ?? "unmeasured")
        ]
    }

    private var delayedBy: String? {
        let names = OperationNames(whole.trace)
        let composition = delaying.composition { MarkupText.visible(names[$0]) }
        if composition.isEmpty || stillSince != nil { return nil }
        if let additions = delaying.additions(in: whole, { names[$0] }) {
            return MarkupText.visible(additions)
        }
        let length = DurationFormat.text(nanoseconds: delaying.length)
        let count = delaying.steps.count
        return (count == 1 ? "\(length) in 1 step" : "\(length) in \(Prose.grouped(count)) steps")
            + ": \(composition)"
            + (delaying.lead(in: whole, names).map {
                ", " + MarkupText.visible($0)
            } ?? "")
    }

    /// Why no step delayed the run.
    private var withoutDelays: String {
        if delaying.isCircular { return "The run had not finished: its last operations wait for each other." }
        return whole.trace.operations.isEmpty
            ? "This trace contains no operations." : "Nothing delayed this run."
    }

    private func figures(_ concurrency: Concurrency) -> [JSONObject] {
        let kinds = analysis.kinds
        let counts = [
            ("failed", kinds.failed), ("cancelled", kinds.cancelled), ("never finished", kinds.unfinished),
        ]
        let count = kinds.operations
        let trouble = counts.filter { $0.1 > 0 }.map { "\(Prose.grouped($0.1)) \($0.0)" }
        let path = whole.criticalPath
        // In a run that hangs, paths would measure how long somebody waited before ending it.
        let hasPaths = stillSince == nil
        var figures = [
            Self.figure(
                "makespan", DurationFormat.text(nanoseconds: whole.makespan),
                meaning: hasPaths ? nil : "from the first enqueue to the end of the trace")
        ]
        if hasPaths {
            figures.append(
                Self.figure(
                    "critical path", DurationFormat.text(nanoseconds: path.length),
                    Self.percent(path.length, of: whole.makespan) + path.countText(in: whole.trace)))
        }
        figures.append(
            Self.figure("work", DurationFormat.text(nanoseconds: whole.work)))
        if hasPaths, let parallelism = whole.parallelism {
            figures.append(
                Self.figure("parallelism", Prose.twoDecimals(parallelism)))
        }
        if let average = concurrency.average {
            figures.append(
                Self.figure(
                    "at once", Prose.twoDecimals(average),
                    "on average; peak \(Prose.grouped(concurrency.peak))"))
        }
        // Of tasks alone, the figure of tasks says enough.
        if count == 0, !analysis.trace.tasks.isEmpty { return figures }
        figures.append(
            Self.figure(
                "operations", Prose.grouped(count),
                (count == 0
                    ? "" : (trouble.isEmpty ? "all succeeded" : trouble.joined(separator: ", ")) + "; ")
                    + Prose.counted(analysis.trace.edges.count, "edge") + ", "
                    + Prose.counted(analysis.trace.queues.count, "queue")))
        return figures
    }

    private static func percent(_ part: Int64, of whole: Int64) -> String {
        whole == 0 ? "" : "\(Prose.percent(part, of: whole)) % of the makespan, "
    }

    private static func figure(
        _ label: String, _ value: String, _ note: String? = nil, meaning: String? = nil
    ) -> JSONObject {
        var object = JSONObject()
        object.add("label", label)
        object.add("value", value)
        object.add("note", note)
        object.add("meaning", meaning)
        return object
    }
}
