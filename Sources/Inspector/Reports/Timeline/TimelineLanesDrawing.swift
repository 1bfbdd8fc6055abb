import InspectorColumns

/// Draws the lanes of one queue: a bar for each operation that has room for one, and shares of time for the
/// others.
struct TimelineLanesDrawing {
    private static let longestTooltip = 60

    let analysis: TraceAnalysis
    let geometry: TimelineGeometry
    let style: TimelineStyle
    /// Whether waits are drawn at full length; otherwise only as far as the lane was free.
    let isRows: Bool
    let columns: Int
    /// The minimum length of a drawn execution, in nanoseconds.
    let leastExecution: Int64
    /// Nil if the trace does not say when threads were on processors.
    let executions: TimelineExecutions?
    let kinds: TimelineKinds
    /// Through operations and tasks.
    let path: CriticalPath
    /// By the operations that blocked their threads.
    let blockingWaits: [Int: [BlockingWait]]
    let circles: TimelineCircles

    /// The vertical middle of each operation's lane, for the arrows between bars.
    private(set) var middles: [Int: Double] = [:]
    /// Of members of circles.
    private(set) var members: [Int: TimelineCircles.Bar] = [:]

    init(
        _ analysis: TraceAnalysis, _ geometry: TimelineGeometry, _ style: TimelineStyle, isRows: Bool,
        columns: Int, leastExecution: Int64, executions: TimelineExecutions?,
        kinds: TimelineKinds, path: CriticalPath, blockingWaits: [Int: [BlockingWait]],
        circles: TimelineCircles
    ) {
        self.analysis = analysis
        self.geometry = geometry
        self.style = style
        self.isRows = isRows
        self.columns = columns
        self.leastExecution = leastExecution
        self.executions = executions
        self.kinds = kinds
        self.path = path
        self.blockingWaits = blockingWaits
        self.circles = circles
    }

    /// Linear in the section's bars.
    mutating func draw(
        _ section: TimelineLayout.Section, at place: TimelineGeometry.Section, range: Range<Int64>,
        suspended: [SuspendedTime], isDrawn: (Int) -> Bool, into svg: inout SVGDocument
    ) {
        var shares = LaneShares(lanes: section.lanes, columns: columns, range: range)
        var isFreeSince = Array(repeating: Int64.min, count: section.lanes)
        // Where the next bar of the lane, or its wait, begins: a name may extend up to there.
        let nextInLane = nextStarts(section, isDrawn)
        for (position, bar) in section.bars.enumerated() {
            let lane = Int(bar.lane)
            defer { isFreeSince[lane] = max(isFreeSince[lane], bar.to) }
            guard isDrawn(position) else {
                let ending = OperationEnding(
                    analysis.trace.operations.store.columns, Int(bar.operation))
                shares.add(bar, isTrouble: LaneShares.isTrouble(ending))
                continue
            }
            let top = place.lanesTop + Double(bar.lane) * geometry.laneHeight
            middles[Int(bar.operation)] = top + geometry.laneHeight / 2
            let freeSince = isFreeSince[lane]
            let room = nextInLane[position].map(geometry.x) ?? geometry.chartEnd
            if circles.contains(Int(bar.operation)) {
                members[Int(bar.operation)] = TimelineCircles.Bar(end: bar.to, top: top, geometry)
            }
            svg.group(class: "operation", tooltip: tooltip(Int(bar.operation))) { svg in
                draw(
                    Int(bar.operation), top: top, freeSince: freeSince, room: room, suspended, into: &svg)
            }
        }
        shares.draw(at: place.lanesTop, geometry, style, into: &svg)
    }

    private func nextStarts(_ section: TimelineLayout.Section, _ isDrawn: (Int) -> Bool) -> [Int64?] {
        var next = [Int64?](repeating: nil, count: section.bars.count)
        var first = [Int64?](repeating: nil, count: section.lanes)
        for position in section.bars.indices.reversed() {
            let bar = section.bars[position]
            next[position] = first[Int(bar.lane)]
            // The wait of a drawn bar may take the whole gap.
            let line = isDrawn(position) ? analysis.timings.transitions[Int(bar.operation)] : nil
            first[Int(bar.lane)] = min(line?.enqueued ?? bar.from, bar.from)
        }
        return next
    }

    private func draw(
        _ operation: Int, top: Double, freeSince: Int64, room: Double, _ suspended: [SuspendedTime],
        into svg: inout SVGDocument
    ) {
        guard let line = analysis.timings.transitions[operation], let waits = analysis.waits[operation] else {
            return
        }
        let traced = analysis.trace.operations[operation]
        let height = geometry.laneHeight - (geometry.laneHeight > 20 ? 6 : 3)
        let y = top + (geometry.laneHeight - height) / 2
        let thin = max(2, (height / 3).rounded())
        let middle = y + height / 2
        let times = traced.queue.flatMap { suspended.indices.contains($0) ? suspended[$0] : nil }
        LifetimeStretches(line, waits, times).visit { part, from, to in
            let from = part == .execution || isRows ? from : max(from, freeSince)
            guard from < to, geometry.x(to) > TimelineGeometry.left, geometry.x(from) < geometry.chartEnd
            else { return }
            if part == .execution { return }
            svg.rectangle(
                geometry.x(from), middle - thin / 2, geometry.x(to) - geometry.x(from), thin,
                "fill=\"\(style.theme.color(part))\"")
        }
        let ending = OperationEnding(of: traced)
        let isCritical = path.contains(operation: operation)
        var end = geometry.x(line.end)
        let isExecuting = line.executing != nil && geometry.shows(line.start...line.end)
        if isExecuting {
            let x = geometry.x(line.start)
            let width = max(1, geometry.x(line.start + max(waits.execution, leastExecution)) - x)
            end = x + width
            svg.rectangle(x, y, width, height, "fill=\"\(kinds.fill(operation))\"")
            if let pattern = style.pattern(ending) { svg.rectangle(x, y, width, height, pattern) }
            executions?.draw(operation, y: y, height: height, geometry, style, into: &svg)
            drawBlocking(operation, x..<end, y, height, into: &svg)
            if width > 3 { svg.rectangle(x, y, width, height, style.kindOutline()) }
            if let border = style.border(ending), width > 3 { svg.rectangle(x, y, width, height, border) }
            if isCritical { svg.rectangle(x - 1, y - 1, width + 2, height + 2, style.critical) }
        }
        if circles.contains(operation) {
            let x = isExecuting ? geometry.x(line.start) : geometry.x(max(line.enqueued, freeSince))
            TimelineCircles.outline(x, y, max(1, end - x), height, style, into: &svg)
        }
        label(
            traced, ending, line, isExecuting: isExecuting, end: end, y: y, height: height, room: room,
            into: &svg)
    }

    /// A strip at the top of its bar, while it blocked its thread until others finished.
    private func drawBlocking(
        _ operation: Int, _ bar: Range<Double>, _ y: Double, _ height: Double, into svg: inout SVGDocument
    ) {
        for wait in blockingWaits[operation] ?? [] {
            let from = max(geometry.x(TraceMoment.bounded(wait.start)), bar.lowerBound)
            let to = min(geometry.x(TraceMoment.bounded(wait.end ?? analysis.end)), bar.upperBound)
            guard to - from >= 1 else { continue }
            for fill in style.blockingFills { svg.rectangle(from, y, to - from, max(3, height / 5), fill) }
        }
    }

    /// The mark of its ending, and its name: inside the bar if it fits, otherwise after it if there is room.
    ///
    /// - Parameter isExecuting: in the shown time; otherwise there are only its waits.
    private func label(
        _ operation: TracedOperation, _ ending: OperationEnding, _ line: OrderedTransitions,
        isExecuting: Bool, end: Double, y: Double, height: Double, room: Double, into svg: inout SVGDocument
    ) {
        let size = geometry.laneHeight > 20 ? 11.0 : 9.0
        let base = y + height / 2 + size * 0.36
        // A strip of parts is below the name.
        let strip = executions?.stripHeight(operation.index, inBar: height) ?? 0
        let onBar = base - strip / 2
        let barEnd = end
        var end = end + 4
        if let mark = TimelineStyle.mark(ending), room - end > size || end > geometry.chartEnd - size {
            svg.text(
                mark, min(end - 2, geometry.chartEnd + 2), base, size: size, fill: style.theme.border(ending))
            end += size
        }
        guard geometry.laneHeight >= 18 else { return }
        let room = min(room, geometry.namesEnd)
        let name = TerminalText.shortened(operation.displayName, toColumns: Self.longestTooltip)
        let start = !isExecuting ? end : geometry.x(line.start)
        let within = min(end - 4, geometry.namesEnd) - start - 8
        let full = SVGTextWidth.pixels(name, size: size)
        if isExecuting, full <= within, ending == .succeeded || ending == .unfinished {
            svg.text(name, start + 4, onBar, size: size, fill: style.theme.text)
            return
        }
        let outside = SVGTextWidth.fitting(name, pixels: room - end - 4, size: size)
        if !isExecuting {
            let wait = geometry.x(line.enqueued)
            let within = SVGTextWidth.fitting(
                name, pixels: min(barEnd, geometry.namesEnd) - wait - 10, size: size)
            if within.count > outside.count {
                // Inside the bar of its waits, on a background of its own, because text is not readable on
                // the bar.
                svg.rectangle(
                    wait + 3, y, SVGTextWidth.pixels(within, size: size) + 4, height,
                    "fill=\"\(style.theme.background)\"")
                svg.text(within, wait + 5, base, size: size, fill: style.theme.text)
                return
            }
        }
        let inside = SVGTextWidth.fitting(name, pixels: within, size: size)
        if outside.count >= inside.count || ending == .failed || ending == .cancelled {
            if !outside.isEmpty { svg.text(outside, end, base, size: size, fill: style.theme.text) }
        } else if !inside.isEmpty {
            svg.text(inside, start + 4, onBar, size: size, fill: style.theme.text)
        }
    }

    private func tooltip(_ index: Int) -> String {
        let operation = analysis.trace.operations[index]
        func safe(_ text: String) -> String {
            TerminalText.shortened(text, toColumns: Self.longestTooltip)
        }
        var lines = ["\(safe(operation.displayName)) (\(safe(operation.kind)), \(operation.id))"]
        lines.append(OperationEnding(of: operation).label)
        if case .failed(let message)? = operation.outcome { lines[1] += ": \(safe(message))" }
        if path.contains(operation: index) { lines[1] += ", on the critical path" }
        lines += circles.lines(index, shown: safe)
        let waits = analysis.waits[index] ?? LifetimeParts()
        for part in LifetimeParts.Part.allCases where waits[part] > 0 {
            lines.append("\(part.label) \(DurationFormat.text(nanoseconds: waits[part]))")
            if part == .execution, let executions { lines += executions.lines(index) }
        }
        return lines.joined(separator: "\n")
    }
}
