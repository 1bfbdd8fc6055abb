import InspectorColumns

/// Draws the runs of tasks in the lanes of their executors, and arrows for what woke tasks.
struct TimelineTasksDrawing {
    /// More bars would make the picture large; the others are shares of their lanes.
    private static let mostBars = 1200
    /// More arrows could not be told apart. Those of the longest waits are drawn.
    private static let mostArrows = 120
    private static let longestTooltip = 60

    let tasks: TimelineTasks
    let geometry: TimelineGeometry
    let style: TimelineStyle
    let columns: Int
    let range: Range<Int64>
    let circles: TimelineCircles

    private var analysis: TraceAnalysis { tasks.analysis }
    private var trace: Trace { analysis.trace }

    /// The stays that are drawn as bars: all, or the longest of at least a pixel.
    private var drawn: [Bool] {
        var isDrawn = [Bool](repeating: false, count: tasks.stays.count)
        let all = tasks.stays.indices.filter {
            tasks.stays.count <= Self.mostBars
                || geometry.pixels(tasks.stays[$0].end - tasks.stays[$0].start) >= 1
        }
        let longest =
            all.count <= Self.mostBars
            ? all[...]
            : all.sortedByDigits { tasks.stays[$0].start - tasks.stays[$0].end }.prefix(Self.mostBars)
        for position in longest { isDrawn[position] = true }
        return isDrawn
    }

    /// The members of circles, by the positions of their last stays, if these are drawn.
    var members: [Int: Int] {
        if circles.isEmpty { return [:] }
        var last: [Int: Int] = [:]
        for (position, stay) in tasks.stays.enumerated() {
            let operation = trace.tasks.operation(of: Int(trace.tasks.runs[stay.run].task))
            if circles.contains(operation), tasks.stays[last[operation] ?? position].start <= stay.start {
                last[operation] = position
            }
        }
        let isDrawn = drawn
        return Dictionary(
            last.filter { isDrawn[$0.value] }.map { ($0.value, $0.key) },
            uniquingKeysWith: { first, _ in first })
    }

    /// What is not drawn as bars, and what the options leave out.
    var notes: [String] {
        let omitted = drawn.count { !$0 }
        var notes: [String] = []
        if omitted > 0 {
            notes.append(
                "\(Prose.grouped(omitted)) of \(Prose.counted(drawn.count, "run")) of tasks "
                    + "\(omitted == 1 ? "is" : "are") drawn as shares of their lanes; --window enlarges "
                    + "a part of the run")
        }
        if tasks.hidden > 0 { notes.append("\(Prose.counted(tasks.hidden, "task")) left out by the filters") }
        return notes
    }

    /// - Parameter operations: the vertical middles of the operations that are drawn.
    /// - Returns: the bars of members of circles.
    func draw(
        _ operations: [Int: Double], into svg: inout SVGDocument
    ) -> [Int: TimelineCircles.Bar] {
        let isDrawn = drawn
        let members = members
        var bars: [Int: TimelineCircles.Bar] = [:]
        // The vertical middle of each stay, by its position.
        var middles = [Double](repeating: 0, count: tasks.stays.count)
        for (section, place) in zip(tasks.sections, geometry.executors) {
            svg.rectangle(
                TimelineGeometry.left, place.top, geometry.chartWidth, place.bottom - place.top,
                "fill=\"none\" stroke=\"\(style.theme.grid)\"")
            drawLabel(section, place, into: &svg)
            var shares = LaneShares(lanes: section.lanes, columns: columns, range: range)
            var next = [Int64?](repeating: nil, count: section.lanes)
            var room = [Double](repeating: geometry.chartEnd, count: section.bars.count)
            for position in section.bars.indices.reversed() {
                let bar = section.bars[position]
                room[position] = next[Int(bar.lane)].map(geometry.x) ?? geometry.chartEnd
                next[Int(bar.lane)] = bar.from
            }
            for (position, bar) in section.bars.enumerated() {
                let top = place.lanesTop + Double(bar.lane) * geometry.laneHeight
                middles[Int(bar.operation)] = top + geometry.laneHeight / 2
                guard isDrawn[Int(bar.operation)] else {
                    shares.add(bar, isTrouble: false)
                    continue
                }
                let member = members[Int(bar.operation)]
                if let member {
                    bars[member] = TimelineCircles.Bar(end: bar.to, top: top, geometry)
                }
                draw(
                    tasks.stays[Int(bar.operation)], top: top, room: min(room[position], geometry.namesEnd),
                    isMember: member != nil, into: &svg)
            }
            shares.draw(at: place.lanesTop, geometry, style, into: &svg)
        }
        drawWakes(middles, operations, into: &svg)
        return bars
    }

    private func drawLabel(
        _ section: TimelineTasks.Section, _ place: TimelineGeometry.Section, into svg: inout SVGDocument
    ) {
        let room = TimelineGeometry.left - 24
        svg.text(
            SVGTextWidth.fittingAtBothEnds(section.name, pixels: room, size: 11, isBold: true), 12,
            place.top + 13, size: 11, fill: style.theme.text, isBold: true)
        svg.text(
            SVGTextWidth.fitting(section.words, pixels: room, size: 9), 12, place.top + 26, size: 9,
            fill: style.theme.mutedText)
        guard section.waiting >= 0.005, place.bottom - place.top >= 44 else { return }
        svg.text(
            "\(Prose.twoDecimals(section.waiting)) waiting on average", 12, place.top + 38, size: 9,
            fill: style.theme.mutedText)
    }

    private func draw(
        _ stay: ExecutorTenures.Tenure, top: Double, room: Double, isMember: Bool,
        into svg: inout SVGDocument
    ) {
        let height = geometry.laneHeight - (geometry.laneHeight > 20 ? 6 : 3)
        let y = top + (geometry.laneHeight - height) / 2
        let x = geometry.x(stay.start)
        let width = max(1, geometry.x(stay.end) - x)
        let task = Int(trace.tasks.runs[stay.run].task)
        svg.group(class: "run", tooltip: tooltip(task, stay)) { svg in
            svg.rectangle(x, y, width, height, "fill=\"\(style.theme.color(TaskPart.running))\"")
            if analysis.criticalPath.runs.contains(stay.run) {
                svg.rectangle(x - 1, y - 1, width + 2, height + 2, style.critical)
            }
            if isMember { TimelineCircles.outline(x, y, width, height, style, into: &svg) }
            guard geometry.laneHeight >= 18 else { return }
            let size = geometry.laneHeight > 20 ? 11.0 : 9.0
            let base = y + height / 2 + size * 0.36
            let name = TerminalText.shortened(
                trace.operations[trace.tasks.operation(of: task)].displayName, toColumns: Self.longestTooltip)
            if SVGTextWidth.pixels(name, size: size) <= min(width, geometry.namesEnd - x) - 8 {
                svg.text(name, x + 4, base, size: size, fill: style.theme.onExecution)
                return
            }
            let beside = SVGTextWidth.fitting(name, pixels: room - x - width - 8, size: size)
            if beside.count > 3 || beside == name {
                svg.text(beside, x + width + 4, base, size: size, fill: style.theme.text)
            }
        }
    }

    /// The task, which of its runs this is, and what it awaited afterwards.
    private func tooltip(_ task: Int, _ stay: ExecutorTenures.Tenure) -> String {
        let all = trace.tasks
        let operation = trace.operations[all.operation(of: task)]
        func safe(_ text: String) -> String {
            TerminalText.shortened(text, toColumns: Self.longestTooltip)
        }
        let runs = all.firstRuns[task]..<all.firstRuns[task + 1]
        var lines = [
            "\(safe(operation.displayName)) (\(safe(operation.kind)), \(operation.id))",
            "run \(stay.run - runs.lowerBound + 1) of \(runs.count), "
                + DurationFormat.text(nanoseconds: stay.end - stay.start),
        ]
        lines += circles.lines(all.operation(of: task), shown: safe)
        let run = all.runs[stay.run]
        if run.end == stay.end, let awaits = run.awaits, let part = TaskPart(awaits) {
            let end = run.ready ?? (stay.run + 1 < runs.upperBound ? all.runs[stay.run + 1].start : all.end)
            let time = DurationFormat.text(nanoseconds: max(0, end - run.end))
            lines.append("then \(time) \(part.row.activity)")
        }
        return lines.joined(separator: "\n")
    }
}

// MARK: Arrows

extension TimelineTasksDrawing {
    /// From where the waker was at that moment to the run that it made ready.
    private func drawWakes(
        _ middles: [Double], _ operations: [Int: Double], into svg: inout SVGDocument
    ) {
        guard let waits = TaskWaits(trace, analysis.timings.transitions) else { return }
        var stayOfRun = [Int32](repeating: -1, count: trace.tasks.runs.count)
        // The last stay of a run is where it was when it woke somebody, in nearly all cases.
        for (position, stay) in tasks.stays.enumerated() {
            stayOfRun[stay.run] = Int32(truncatingIfNeeded: position)
        }
        var firstStay = stayOfRun
        for (position, stay) in tasks.stays.enumerated().reversed() {
            firstStay[stay.run] = Int32(truncatingIfNeeded: position)
        }
        func place(_ operation: Int, at moment: Int64) -> Double? {
            guard let task = trace.task(operation) else { return operations[operation] }
            guard let run = trace.tasks.run(of: task, at: moment), stayOfRun[run] >= 0 else { return nil }
            return middles[Int(stayOfRun[run])]
        }
        var arrows: [(length: Int64, from: (Double, Double), to: (Double, Double))] = []
        for task in trace.tasks.entries.indices {
            for run in trace.tasks.firstRuns[task]..<trace.tasks.firstRuns[task + 1] {
                let next = run + 1
                guard next < trace.tasks.firstRuns[task + 1], firstStay[next] >= 0,
                    let wait = waits.wake(after: run, before: next), range.contains(wait.moment),
                    let y = place(wait.operation, at: wait.moment)
                else { continue }
                arrows.append(
                    (
                        wait.moment - wait.start, (geometry.x(wait.moment), y),
                        (geometry.x(trace.tasks.runs[next].start), middles[Int(firstStay[next])])
                    ))
            }
        }
        for (_, from, to) in arrows.sortedByDigits({ -$0.length }).prefix(Self.mostArrows) {
            // In the same lane, the runs follow each other.
            if from.1 == to.1 { continue }
            let points = [from, to].map { "\(SVGDocument.number($0.0)) \(SVGDocument.number($0.1))" }
            svg.path(
                "M\(points[0])L\(points[1])",
                "class=\"wake\" fill=\"none\" stroke=\"\(style.theme.wake)\" stroke-width=\"1\" "
                    + "marker-end=\"url(#wake)\"")
        }
    }
}
