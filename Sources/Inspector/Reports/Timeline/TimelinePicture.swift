import InspectorColumns

/// What executed when, and what waited for what, as SVG: lanes for each queue over a common time axis, with
/// the critical path through them and the number of executing operations below.
///
/// The picture is at most about 2 MB, whatever the trace: operations that are too short or too many for bars
/// are drawn as shares of time.
public struct TimelinePicture: Sendable {
    private static let limits = TimelineLayout.Limits(rows: 30, lanes: 60, mergedQueues: 12)
    /// The number of values in all bands and lanes together.
    private static let mostColumns = 60_000

    private let analysis: TraceAnalysis
    private let selection: TimelineSelection
    private let layout: TimelineLayout
    private let style: TimelineStyle
    private let width: Double
    private let suspended: [SuspendedTime]
    private let sums: [TimelineSums]
    private let curve: TimelineCurve
    private let geometry: TimelineGeometry
    private let bars: TimelineBars
    private let columns: Int
    /// Nil if the trace does not say when threads were on processors.
    private let executions: TimelineExecutions?
    /// By the operations that blocked their threads.
    private let blockingWaits: [Int: [BlockingWait]]
    /// Nil without tasks.
    private let tasks: TimelineTasks?
    /// Through operations and tasks.
    private let path: CriticalPath
    private let heading: PictureHeading
    private let threads: TimelineThreads?
    private let kinds: TimelineKinds
    private let notes: [String]

    /// Cost: O(n log n) in operations.
    ///
    /// - Parameter width: in pixels; at least 400.
    public init(
        _ analysis: TraceAnalysis, _ options: TimelineOptions = TimelineOptions(),
        theme: PictureTheme = .light, width: Int = 1200
    ) {
        let selection = TimelineSelection(analysis, options)
        let layout = TimelineLayout(analysis, selection.operations, Self.limits)
        let width = Double(min(max(400, width), 10_000))
        let chart = width - TimelineGeometry.left - TimelineGeometry.right
        let curves = layout.sections.reduce(1) { $0 + LifetimeParts.Part.allCases.count + 2 * $1.lanes }
        let columns = max(50, min(Int(chart / 2), Self.mostColumns / curves))
        let suspended = analysis.trace.queues.map { SuspendedTime($0.suspensions) }
        let sums = layout.sections.map {
            TimelineSums($0, analysis, selection, suspended: suspended, columns: columns)
        }
        let whole = analysis.withTasks.asDrawn
        let tasks = TimelineTasks(whole, options, selection.start..<selection.end)
        let heights = TimelineGeometry(
            layout, tasks, selection, hasWaits: sums.map { $0.mostWaiting > 0 }, width: width, top: 0)
        let bars = TimelineBars(layout, heights)
        let curve = TimelineCurve(analysis, selection, layout.sections, columns: Int(chart / 2))
        var notes = Self.notes(layout, selection, bars)
        if let tasks {
            let drawing = TimelineTasksDrawing(
                tasks: tasks, geometry: heights, style: TimelineStyle(theme: theme), columns: columns,
                range: selection.start..<selection.end)
            notes += drawing.notes
        }
        let heading = PictureHeading(whole)
        let verdict = heading.verdict(
            columns: Int((width - 24) / SVGTextWidth.pixels("n", size: 11)))
        let use = ProcessorUse(analysis.timings)
        let executions = TimelineExecutions(use, layout, selection, bars, heights)
        let threads = TimelineThreads(use, selection, columns: Int(chart / 2))
        blockingWaits = Dictionary(
            grouping: analysis.trace.blockingWaits.filter { $0.operation != nil }, by: { $0.operation ?? 0 })
        let style = TimelineStyle(
            theme: theme, hasParts: use != nil, hasBlocking: !blockingWaits.isEmpty, hasTasks: tasks != nil)
        let kinds = TimelineKinds(whole, theme)
        let legend = TimelineLegend(
            entries: TimelineLegend.entries(
                analysis, selection, layout, bars, sums, curve, suspended, whole.criticalPath, kinds: kinds,
                parts: TimelineLegend.executionEntries(executions, threads), hasBlocking: style.hasBlocking)
                + (tasks == nil ? [] : [.running, .wake]),
            style: style)
        // Drawn here only to find out how many lines it takes.
        var scratch = SVGDocument(width: width, theme: theme, title: "", definitions: "")
        let top = legend.draw(top: Self.legendTop(verdict, notes), width: width, into: &scratch) + 30
        self.analysis = analysis
        self.selection = selection
        self.layout = layout
        self.style = style
        self.width = width
        self.suspended = suspended
        self.sums = sums
        self.curve = curve
        self.bars = bars
        self.executions = executions
        self.tasks = tasks
        path = whole.criticalPath
        self.heading = heading
        self.threads = threads
        self.kinds = kinds
        self.columns = columns
        self.notes = notes
        self.verdict = verdict
        self.legend = legend
        geometry = TimelineGeometry(
            layout, tasks, selection, hasWaits: sums.map { $0.mostWaiting > 0 }, width: width, top: top)
    }

    private let legend: TimelineLegend
    private let verdict: [String]

    /// What is not drawn individually, in one sentence; `nil` if everything is.
    public var omission: String? { notes.isEmpty ? nil : notes.joined(separator: "; ") }

    /// The file's text. The same trace and options give the same bytes.
    public var svg: String {
        var svg = SVGDocument(
            width: width, theme: style.theme, title: "\(heading.process): timeline",
            definitions: style.definitions)
        svg.text(heading.process, 12, 24, size: 16, fill: style.theme.text, isBold: true)
        svg.text(heading.figures.joined(separator: " · "), 12, 42, size: 11, fill: style.theme.text)
        for (line, words) in verdict.enumerated() {
            svg.text(words, 12, 58 + 15 * Double(line), size: 11, fill: style.theme.text, isBold: true)
        }
        for (line, note) in notes.enumerated() {
            let top = Self.legendTop(verdict, []) + 6 + 15 * Double(line)
            svg.text(note, 12, top, size: 10, fill: style.theme.mutedText)
        }
        _ = legend.draw(top: Self.legendTop(verdict, notes), width: width, into: &svg)
        if selection.operations.isEmpty, tasks == nil {
            svg.text("No operations.", 12, geometry.bottom + 10, size: 12, fill: style.theme.text)
            return svg.closed(height: geometry.bottom + 30)
        }
        let curveTop = geometry.bottom + 18
        let curveHeight = selection.operations.isEmpty ? 0 : TimelineGeometry.curveHeight + 8
        let threadsTop = curveTop + curveHeight
        let bottom = threads == nil ? threadsTop - 8 : threadsTop + TimelineGeometry.threadsHeight
        let backdrop = TimelineBackdrop(
            trace: analysis.trace, selection: selection, geometry: geometry, theme: style.theme)
        backdrop.drawAxis(bottom: bottom, into: &svg)
        var middles: [Int: Double] = [:]
        for (section, content) in layout.sections.enumerated() {
            backdrop.draw(
                content, at: geometry.sections[section], content.queue.map { suspended[$0] }, into: &svg)
            draw(section, &middles, into: &svg)
        }
        if let tasks {
            TimelineTasksDrawing(
                tasks: tasks, geometry: geometry, style: style, columns: columns,
                range: selection.start..<selection.end
            ).draw(middles, into: &svg)
        }
        drawArrows(middles, into: &svg)
        if !selection.isInstant {
            let bands = TimelineBands(geometry: geometry, style: style)
            if curveHeight > 0 {
                bands.drawCurve(curve, top: curveTop, height: TimelineGeometry.curveHeight, into: &svg)
            }
            if let threads {
                bands.drawThreads(
                    threads, top: threadsTop, height: TimelineGeometry.threadsHeight, into: &svg)
            }
        }
        return svg.closed(height: bottom + 30)
    }

    private static func legendTop(_ verdict: [String], _ notes: [String]) -> Double {
        52 + 15 * Double(notes.count) + (verdict.isEmpty ? 0 : 1 + 15 * Double(verdict.count))
    }

    /// What is not drawn individually, each in a sentence.
    private static func notes(
        _ layout: TimelineLayout, _ selection: TimelineSelection, _ bars: TimelineBars
    ) -> [String] {
        var notes: [String] = []
        let count = selection.operations.count
        switch layout.style {
        case .rows: break
        case .lanes:
            if bars.omitted > 0 {
                let of = bars.omitted < count ? "\(Prose.grouped(bars.omitted)) of " : ""
                notes.append(
                    "\(of)\(Prose.counted(count, "operation")) \(count == 1 ? "is" : "are") drawn as "
                        + "shares of their lanes, because they are too short or too many for bars; --window "
                        + "enlarges a part of the run")
            }
            let never = layout.sections.reduce(0) { $0 + $1.neverStarted }
            if never > 0 {
                notes.append(
                    "\(Prose.counted(never, "operation")) never started, and \(never == 1 ? "is" : "are") "
                        + "counted only as waiting"
                )
            }
        case .merged:
            let merged = layout.sections.filter { $0.queues > 1 }.reduce(0) { $0 + $1.queues }
            notes.append(
                "\(Prose.counted(count, "operation")) are drawn as counts over time, because more execute "
                    + "at once than lanes fit"
                    + (merged > 0 ? ", and \(merged) queues as one" : "")
                    + "; --window and --queue enlarge a part of the run")
        }
        if layout.style != .rows {
            let endings = layout.sections.reduce(EndingCounts()) { $0 + $1.endings }
            if let words = endings.unfinishedWords { notes.append("\(words)") }
        }
        if let instant = selection.instant { notes.append(instant) }
        if let omission = selection.omission { notes.append(omission) }
        return notes
    }
}

// MARK: Operations

extension TimelinePicture {
    private func draw(_ section: Int, _ middles: inout [Int: Double], into svg: inout SVGDocument) {
        let content = layout.sections[section]
        let place = geometry.sections[section]
        let bands = TimelineBands(geometry: geometry, style: style)
        bands.drawWaiting(sums[section], at: place, into: &svg)
        if layout.style == .merged {
            bands.drawExecuting(
                sums[section], slots: content.slots.fixed, at: place,
                into: &svg)
            return
        }
        var lanes = TimelineLanesDrawing(
            analysis, geometry, style, isRows: layout.style == .rows, columns: columns,
            leastExecution: selection.leastExecution, executions: executions, kinds: kinds, path: path,
            blockingWaits: blockingWaits)
        lanes.draw(
            content, at: place, range: selection.start..<selection.end, suspended: suspended,
            isDrawn: { bars.contains($0, of: section) }, into: &svg)
        middles.merge(lanes.middles) { first, _ in first }
    }

    /// From the finish of each operation on the critical path to the start of the one that waited for it.
    private func drawArrows(_ middles: [Int: Double], into svg: inout SVGDocument) {
        for edge in analysis.trace.edges where path.contains(edge: edge) {
            guard let y1 = middles[edge.predecessor], let y2 = middles[edge.successor],
                let finish = analysis.timings.transitions.end(of: edge.predecessor),
                let start = analysis.timings.transitions.start(of: edge.successor)
            else { continue }
            let (x1, x2) = (geometry.x(finish), geometry.x(start))
            // Adjacent in one lane: the outlines touch.
            if y1 == y2, x2 - x1 < 4 { continue }
            let bend = y1 == y2 ? 0 : max(10, (x2 - x1) / 2)
            let points = [(x1, y1), (x1 + bend, y1), (x2 - bend, y2), (x2, y2)].map {
                "\(SVGDocument.number($0)) \(SVGDocument.number($1))"
            }
            svg.path(
                "M\(points[0])C\(points[1...].joined(separator: " "))",
                "class=\"critical\" fill=\"none\" stroke=\"\(style.theme.critical)\" stroke-width=\"1.5\" "
                    + "marker-end=\"url(#arrow)\"")
        }
    }
}
