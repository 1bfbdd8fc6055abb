import InspectorColumns

/// What all charts of a timeline have in common.
final class TimelineSubject: Sendable {
    /// Of operations.
    let analysis: TraceAnalysis
    /// Of operations and tasks.
    let whole: TraceAnalysis
    /// Between operations that are both on the critical path.
    let criticalEdges: [Trace.Edge]
    let suspended: [SuspendedTime]
    /// By the operations that blocked their threads.
    let blockingWaits: [Int: [BlockingWait]]
    /// Nil if the trace does not say when threads were on processors.
    let use: ProcessorUse?
    let kinds: TimelineKinds
    let circles: TimelineCircles
    let style: TimelineStyle

    init(_ analysis: TraceAnalysis, _ theme: PictureTheme) {
        self.analysis = analysis
        let whole = analysis.withTasks.asDrawn
        let path = whole.criticalPath
        criticalEdges = analysis.trace.edges.filter { path.contains(edge: $0) }
        self.whole = whole
        suspended = analysis.trace.queues.map { SuspendedTime($0.suspensions) }
        blockingWaits = Dictionary(
            grouping: analysis.trace.blockingWaits.filter { $0.operation != nil }, by: { $0.operation ?? 0 })
        use = ProcessorUse(analysis.timings)
        kinds = TimelineKinds(whole, theme)
        circles = TimelineCircles(whole)
        style = TimelineStyle(
            theme: theme, hasParts: use != nil, hasBlocking: !blockingWaits.isEmpty,
            hasTasks: !whole.trace.tasks.isEmpty, hasCircles: !circles.isEmpty)
    }
}

/// The lanes of all queues and executors over a common time axis, and the curves below them.
final class TimelineChart: Sendable {
    /// The number of values in all bands and lanes together.
    private static let mostColumns = 60_000

    let selection: TimelineSelection
    let layout: TimelineLayout
    let bars: TimelineBars
    /// Nil without tasks.
    let tasks: TimelineTasks?
    private let subject: TimelineSubject
    /// What its colours and marks mean.
    let entries: [TimelineLegend.Entry]
    /// Empty for a line with lanes, which does not draw them: there may be hundreds of lines.
    private let sums: [TimelineSums]
    /// For each section, whether a band above its lanes shows what waited.
    private let hasWaits: [Bool]
    private let curve: TimelineCurve
    private let columns: Int
    private let executions: TimelineExecutions?
    private let threads: TimelineThreads?
    /// The members of circles that have bars.
    private let members: Set<Int>
    private let width: Double
    private let isLine: Bool
    /// Of a chart at the top of a picture.
    private let heights: TimelineGeometry

    /// Cost: O(n log n) in operations.
    ///
    /// - Parameters:
    ///   - width: of the picture, in pixels.
    ///   - isLine: whether it is one of several charts below each other, which have only lanes.
    init(
        _ subject: TimelineSubject, _ options: TimelineOptions, _ limits: TimelineLayout.Limits,
        width: Double, isLine: Bool
    ) {
        let analysis = subject.analysis
        let selection = TimelineSelection(analysis, whole: subject.whole, options)
        let range = selection.start..<selection.end
        let layout = TimelineLayout(
            analysis, selection.operations, limits, within: options.window == nil ? nil : range)
        let chart = width - TimelineGeometry.left - TimelineGeometry.right
        let curves = layout.sections.reduce(1) { $0 + LifetimeParts.Part.allCases.count + 2 * $1.lanes }
        let columns = max(50, min(Int(chart / 2), Self.mostColumns / curves))
        let sums = layout.sections.map {
            TimelineSums($0, analysis, selection, suspended: subject.suspended, columns: columns)
        }
        let tasks = TimelineTasks(subject.whole, options, range)
        self.tasks = tasks
        let hasWaits = sums.map { !isLine && $0.mostWaiting > 0 }
        let heights = Self.geometry(layout, tasks, selection, hasWaits, isLine, width: width, top: 0)
        self.heights = heights
        self.hasWaits = hasWaits
        bars = TimelineBars(layout, heights)
        executions = TimelineExecutions(subject.use, layout, selection, bars, heights)
        curve = TimelineCurve(analysis, selection, layout.sections, columns: Int(chart / 2))
        threads = isLine ? nil : TimelineThreads(subject.use, selection, columns: Int(chart / 2))
        members = Self.members(
            subject, layout, bars,
            tasks.map { Self.drawing(of: $0, heights, subject, columns: columns, range) })
        entries =
            TimelineLegend.entries(
                analysis, selection, layout, bars, sums, curve, subject.suspended,
                subject.whole.criticalPath, kinds: subject.kinds,
                parts: TimelineLegend.executionEntries(executions, threads),
                hasBlocking: subject.style.hasBlocking)
            + (members.isEmpty ? [] : [.circle])
            + (tasks == nil ? [] : [.running, .wake])
        self.sums = isLine && layout.style != .merged ? [] : sums
        self.subject = subject
        self.selection = selection
        self.layout = layout
        self.columns = columns
        self.width = width
        self.isLine = isLine
    }

    var isEmpty: Bool { selection.operations.isEmpty && tasks == nil }

    /// What is not drawn of the tasks.
    var notesOfTasks: [String] { tasks.map { drawing(of: $0, heights).notes } ?? [] }

    /// What is not drawn of the circles of waits.
    var noteOfCircles: String? { hasArrows ? subject.circles.note(isDrawn: members.contains) : nil }

    /// Arrows in circles are at the end of the chart.
    private var hasArrows: Bool { selection.end >= subject.circles.begun }

    /// Returns where it ends.
    func draw(top: Double, into svg: inout SVGDocument) -> Double {
        var geometry = Self.geometry(layout, tasks, selection, hasWaits, isLine, width: width, top: top)
        if hasArrows { geometry.arrowsWidth = subject.circles.width(isDrawn: members.contains) }
        if isEmpty {
            svg.text("No operations.", 12, geometry.bottom + 10, size: 12, fill: subject.style.theme.text)
            return geometry.bottom + 30
        }
        let curveTop = geometry.bottom + 18
        let curveHeight = selection.operations.isEmpty ? 0 : TimelineGeometry.curveHeight + 8
        let threadsTop = curveTop + curveHeight
        let bottom =
            isLine
            ? geometry.bottom
            : threads == nil ? threadsTop - 8 : threadsTop + TimelineGeometry.threadsHeight
        let backdrop = TimelineBackdrop(
            trace: subject.analysis.trace, selection: selection, geometry: geometry,
            theme: subject.style.theme)
        backdrop.drawAxis(bottom: bottom, isLine: isLine, into: &svg)
        var middles: [Int: Double] = [:]
        var members: [Int: TimelineCircles.Bar] = [:]
        for (section, content) in layout.sections.enumerated() {
            backdrop.draw(
                content, at: geometry.sections[section], content.queue.map { subject.suspended[$0] },
                into: &svg)
            draw(section, geometry, &middles, &members, into: &svg)
        }
        if let tasks {
            members.merge(drawing(of: tasks, geometry).draw(middles, into: &svg)) { first, _ in first }
        }
        drawArrows(middles, geometry, into: &svg)
        if hasArrows { subject.circles.draw(members, geometry, subject.style, into: &svg) }
        if isLine { return bottom }
        if !selection.isInstant {
            let bands = TimelineBands(geometry: geometry, style: subject.style)
            if curveHeight > 0 {
                bands.drawCurve(curve, top: curveTop, height: TimelineGeometry.curveHeight, into: &svg)
            }
            if let threads {
                bands.drawThreads(
                    threads, top: threadsTop, height: TimelineGeometry.threadsHeight, into: &svg)
            }
        }
        return bottom + 30
    }

    private static func geometry(
        _ layout: TimelineLayout, _ tasks: TimelineTasks?, _ selection: TimelineSelection,
        _ hasWaits: [Bool], _ isLine: Bool, width: Double, top: Double
    ) -> TimelineGeometry {
        TimelineGeometry(
            layout, tasks, selection, hasWaits: hasWaits, hasNames: isLine, width: width, top: top)
    }

    private func drawing(of tasks: TimelineTasks, _ geometry: TimelineGeometry) -> TimelineTasksDrawing {
        Self.drawing(of: tasks, geometry, subject, columns: columns, selection.start..<selection.end)
    }

    private static func drawing(
        of tasks: TimelineTasks, _ geometry: TimelineGeometry, _ subject: TimelineSubject, columns: Int,
        _ range: Range<Int64>
    ) -> TimelineTasksDrawing {
        TimelineTasksDrawing(
            tasks: tasks, geometry: geometry, style: subject.style, columns: columns, range: range,
            circles: subject.circles)
    }

    private static func members(
        _ subject: TimelineSubject, _ layout: TimelineLayout, _ bars: TimelineBars,
        _ tasks: TimelineTasksDrawing?
    ) -> Set<Int> {
        var members = Set(tasks.map { $0.members.values.map { $0 } } ?? [])
        for (section, content) in layout.sections.enumerated() {
            for (position, bar) in content.bars.enumerated()
            where subject.circles.contains(Int(bar.operation)) && bars.contains(position, of: section) {
                members.insert(Int(bar.operation))
            }
        }
        return members
    }
}

// MARK: Operations

extension TimelineChart {
    private func draw(
        _ section: Int, _ geometry: TimelineGeometry, _ middles: inout [Int: Double],
        _ members: inout [Int: TimelineCircles.Bar], into svg: inout SVGDocument
    ) {
        let content = layout.sections[section]
        let place = geometry.sections[section]
        let bands = TimelineBands(geometry: geometry, style: subject.style)
        if hasWaits[section] { bands.drawWaiting(sums[section], at: place, into: &svg) }
        if layout.style == .merged {
            bands.drawExecuting(
                sums[section], slots: content.slots.fixed, at: place,
                into: &svg)
            return
        }
        var lanes = TimelineLanesDrawing(
            subject.analysis, geometry, subject.style, isRows: layout.style == .rows, columns: columns,
            leastExecution: selection.leastExecution, executions: executions, kinds: subject.kinds,
            path: subject.whole.criticalPath, blockingWaits: subject.blockingWaits,
            circles: subject.circles)
        lanes.draw(
            content, at: place, range: selection.start..<selection.end, suspended: subject.suspended,
            isDrawn: { bars.contains($0, of: section) }, into: &svg)
        middles.merge(lanes.middles) { first, _ in first }
        members.merge(lanes.members) { first, _ in first }
    }

    /// From the finish of each operation on the critical path to the start of the one that waited for it.
    private func drawArrows(
        _ middles: [Int: Double], _ geometry: TimelineGeometry, into svg: inout SVGDocument
    ) {
        let transitions = subject.analysis.timings.transitions
        for edge in subject.criticalEdges {
            guard let y1 = middles[edge.predecessor], let y2 = middles[edge.successor],
                let finish = transitions.end(of: edge.predecessor),
                let start = transitions.start(of: edge.successor)
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
                "class=\"critical\" fill=\"none\" stroke=\"\(subject.style.theme.critical)\" "
                    + "stroke-width=\"1.5\" "
                    + "marker-end=\"url(#arrow)\"")
        }
    }
}
