import InspectorColumns

/// A timeline for a terminal, over a common time axis: a row for each operation of a small run, or the lanes
/// of each queue of a larger one.
public struct TimelineText: Sendable {
    /// Up to this many operations, each has a row.
    private static let mostRows = 40
    /// Up to this many operations, `mostRows` rows show those that delayed the run, then those that had the
    /// slots that others waited for, then the longest. For more, queues are shown instead.
    private static let mostSampled = 400

    private let analysis: TraceAnalysis
    private let selection: TimelineSelection
    private let options: TimelineOptions
    /// Of operations and tasks.
    private let whole: TraceAnalysis

    /// Linear in operations.
    public init(_ analysis: TraceAnalysis, _ options: TimelineOptions = TimelineOptions()) {
        self.analysis = analysis
        self.options = options
        whole = analysis.withTasks.asDrawn
        selection = TimelineSelection(analysis, whole: whole, options)
    }

    /// Lines of at most `width` columns, with a newline each, safe for a terminal.
    ///
    /// Cost: O(n log n) in operations.
    public func text(width: Int = 80, isColored: Bool = false) -> String {
        text(WritingStyle(width: width, isColored: isColored))
    }

    func text(_ style: WritingStyle) -> String {
        let content = Content(
            heading: PictureHeading(whole),
            tasks: TimelineTasks(whole, options, selection.start..<selection.end),
            use: ProcessorUse(analysis.timings),
            order: selection.operations.count <= Self.mostSampled || style.isWhole ? order : [])
        return style.fitting(rows: Self.mostRows) { style, rows in
            text(content, width: style.width ?? 80, isColored: style.isColored, rows)
        }
    }

    /// What does not depend on the width and the number of rows.
    private struct Content {
        let heading: PictureHeading
        let tasks: TimelineTasks?
        let use: ProcessorUse?
        /// The operations, those that are shown first before the others; empty to show queues.
        let order: [Int]
    }

    /// - Parameter rows: the largest number of operations, tasks or lanes.
    private func text(_ content: Content, width: Int, isColored: Bool, _ rows: Int) -> String {
        let frame = TimelineFrame(
            width: max(20, width), isColored: isColored, from: selection.start, to: selection.end)
        let (heading, tasks, use) = (content.heading, content.tasks, content.use)
        var text =
            Prose.wrapped(heading.process, to: width) + "\n"
            + (heading.verdict.map { Prose.wrapped($0, to: width) + "\n" } ?? "")
            + Prose.wrapped(heading.figures.joined(separator: ", "), to: width) + "\n\n"
        if selection.operations.isEmpty, tasks == nil {
            text += "No operations.\n"
        } else {
            text += frame.axis
            var (body, entries) =
                content.order.isEmpty
                ? queues(frame, rows) : self.rows(frame, use, content.order.prefix(rows))
            if let tasks {
                let ofTasks = TimelineTaskRows(tasks, frame, selection, mostRows: rows)
                body += ofTasks.text
                entries = ofTasks.entries.reduce(into: entries) { all, entry in
                    if !all.contains(entry) { all.append(entry) }
                }
            }
            let curve = TimelineCurve(analysis, selection, [], columns: frame.columns)
            text += body + row(curve, frame) + threads(use, frame) + "\n" + frame.legend(entries)
            if curve.isNested, curve.peak > 0 {
                text += Prose.wrapped(
                    "at work: operations at once; \(ConcurrencySummary.parents)",
                    to: width)
                text += "\n"
            }
            if let instant = selection.instant { text += Prose.wrapped(instant, to: width) + "\n" }
        }
        if let omission = selection.omission { text += Prose.wrapped(omission, to: width) + "\n" }
        return text
    }

    private func queues(_ frame: TimelineFrame, _ most: Int) -> (String, [TimelineFrame.Entry]) {
        if selection.operations.isEmpty { return ("", []) }
        return TimelineQueueRows(analysis, selection, frame, mostRows: most).text
    }

    private func rows(
        _ frame: TimelineFrame, _ use: ProcessorUse?, _ operations: ArraySlice<Int>
    ) -> (String, [TimelineFrame.Entry]) {
        let shown = Set(operations)
        let sections = TimelineLayout(
            analysis, selection.operations, TimelineLayout.Limits(rows: 0, lanes: 0, mergedQueues: .max)
        ).sections
        let suspended = analysis.trace.queues.map { SuspendedTime($0.suspensions) }
        var text = ""
        var parts: Set<LifetimeParts.Part> = []
        var executionParts: Set<ExecutionParts.Part> = []
        var endings: Set<OperationEnding> = []
        for section in sections {
            let operations = section.operations.filter { shown.contains(Int($0)) }
                .sortedByDigits { analysis.timings.transitions.start(of: Int($0)) ?? 0 }
                .sortedByDigits { analysis.timings.transitions.enqueued(of: Int($0)) ?? 0 }
            if sections.count > 1, !operations.isEmpty { text += frame.title(section, analysis.trace) }
            for operation in operations {
                let stretches = stretches(Int(operation), frame, use)
                executionParts.formUnion(stretches.map(\.part))
                text += row(Int(operation), stretches, suspended, frame)
                let waits = analysis.waits[Int(operation)] ?? LifetimeParts()
                parts.formUnion(LifetimeParts.Part.allCases.filter { waits[$0] > 0 })
                endings.insert(OperationEnding(of: analysis.trace.operations[Int(operation)]))
            }
        }
        if let rest = rest(besides: shown) { text += Prose.wrapped(rest, to: frame.width) + "\n" }
        if use != nil { parts.remove(.execution) }
        var entries = LifetimeParts.Part.allCases.filter(parts.contains).map { TimelineFrame.Entry.part($0) }
        entries += ExecutionParts.Part.allCases.filter(executionParts.contains).map { .executionPart($0) }
        let hasCritical = shown.contains { whole.criticalPath.contains(operation: $0) }
        if hasCritical { entries.append(.critical) }
        entries += OperationEnding.allCases.filter { endings.contains($0) && $0 != .succeeded }.map {
            .ending($0)
        }
        return (text, entries)
    }

    /// How many operations have no row, and how many of these never finished.
    private func rest(besides shown: Set<Int>) -> String? {
        let rest = selection.operations.count - shown.count
        if rest == 0 { return nil }
        var endings = EndingCounts()
        let columns = analysis.trace.operations.store.columns
        for operation in selection.operations where !shown.contains(Int(operation)) {
            endings.count(ExactEnding(columns, Int(operation)))
        }
        let words = "… \(Prose.counted(rest, "more operation")), shorter or delaying less"
        return words + (endings.unfinishedWords.map { ": \($0)" } ?? "") + WritingStyle.howToSeeAll
    }

    /// What the run waited for, then operations that had slots while others waited for one, and then those on
    /// the critical path and with the longest lifetimes.
    private var order: [Int] {
        let operations = selection.operations.map(Int.init)
        guard operations.count > Self.mostRows else { return operations }
        var delays: [Int: Int64] = [:]
        for step in DelayChains(whole).ofRun.steps {
            delays[step.operation] = (delays[step.operation] ?? 0).saturatingAdd(step.end - step.start)
        }
        let heldUp = HeldUpWaits(analysis)
        func rank(_ index: Int) -> (Int64, Double, Int, Int64, Int) {
            (
                delays[index] ?? -1, heldUp[index], whole.criticalPath.contains(operation: index) ? 1 : 0,
                analysis.waits[index]?.total ?? 0, -index
            )
        }
        return operations.map(rank).sorted(by: >).map { -$0.4 }
    }

    private func stretches(_ index: Int, _ frame: TimelineFrame, _ use: ProcessorUse?) -> [ExecutionStretch] {
        use?.drawnStretches(
            of: index, within: selection.start..<selection.end,
            TimeColumns(from: selection.start, to: selection.end, count: frame.columns)) ?? []
    }

    private func row(
        _ index: Int, _ stretches: [ExecutionStretch], _ suspended: [SuspendedTime], _ frame: TimelineFrame
    ) -> String {
        guard let line = analysis.timings.transitions[index], let waits = analysis.waits[index] else {
            return ""
        }
        let operation = analysis.trace.operations[index]
        let times = operation.queue.flatMap { suspended.indices.contains($0) ? suspended[$0] : nil }
        var cells = TimelineCells(
            LifetimeStretches(line, waits, times), instant: line.start, executed: line.executing != nil,
            from: selection.start, to: selection.end, columns: frame.columns)
        cells.show(stretches, from: selection.start, to: selection.end)
        return frame.row(
            name: operation.displayName, cells,
            isCritical: whole.criticalPath.contains(operation: index),
            ending: OperationEnding(of: operation),
            figure: DurationFormat.text(nanoseconds: waits.total))
    }

    private func row(_ curve: TimelineCurve, _ frame: TimelineFrame) -> String {
        guard curve.peak > 0 else { return "" }
        let cells = TimelineCells(heights: curve.counts.map { $0 / Double(curve.peak) }) { _ in
            TerminalColor(.execution)
        }
        return frame.row(
            name: curve.isNested ? "at work" : "at once", cells, figure: "peak \(Prose.grouped(curve.peak))")
    }

    /// How many threads of the program were on processors, and how many waited for one.
    private func threads(_ use: ProcessorUse?, _ frame: TimelineFrame) -> String {
        guard let threads = TimelineThreads(use, selection, columns: frame.columns) else { return "" }
        let rows = [
            (ExecutionParts.Part.onCPU, threads.onCPU), (.waitingForCPU, threads.waiting),
        ]
        let most = threads.most
        return rows.map { part, counts in
            let peak = counts.max() ?? 0
            // Less than that is noise of the system.
            guard peak >= 0.05 else { return "" }
            let cells = TimelineCells(heights: counts.map { $0 < 0.005 ? 0 : $0 / most }) { _ in
                TerminalColor(part)
            }
            return frame.row(
                name: part == .onCPU ? "threads on CPU" : "threads waiting", cells,
                figure: "≈ \(TimelineBands.count(peak))")
        }.joined()
    }
}

/// A timeline for a terminal, and as a picture.
package struct TimelineOutput: Sendable {
    private let analysis: TraceAnalysis
    private let options: TimelineOptions
    private let theme: PictureTheme
    /// The width of the picture, in pixels.
    private let width: Int
    private let isWhole: Bool

    /// - Parameter isWhole: whether a picture has a bar for each operation.
    package init(
        _ analysis: TraceAnalysis, _ options: TimelineOptions, theme: PictureTheme, width: Int,
        isWhole: Bool = false
    ) {
        self.isWhole = isWhole
        self.analysis = analysis
        self.options = options
        self.theme = theme
        self.width = width
    }
}

extension TimelineOutput: Writable {
    package static var renderers: [Renderer<TimelineOutput>] {
        [
            Renderer(
                .text,
                text: { TimelineText($0.analysis, $0.options).text($1) }),
            Renderer(
                .svg,
                making: {
                    TimelinePicture(
                        $0.analysis, $0.options, theme: $0.theme, width: $0.width, isWhole: $0.isWhole)
                },
                notes: { [$0.omission].compactMap(\.self) },
                write: { picture, emit in emit(Array(picture.svg.utf8)) }),
        ]
    }
}
