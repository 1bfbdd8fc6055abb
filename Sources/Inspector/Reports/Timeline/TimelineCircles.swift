import InspectorColumns

/// The circles of waits in a timeline: an outline around the bar of each member, and an arrow from it to what
/// it waits for. The arrows are at the right end of the bars, where no names are.
struct TimelineCircles: Sendable {
    /// The bar of a member.
    struct Bar {
        let end: Double
        /// The vertical middle of its lane.
        let middle: Double
        /// Where the lane ends; a name beside the bar does not extend to there.
        let bottom: Double

        /// - Parameters:
        ///   - end: of the bar, in the trace's time.
        ///   - top: of its lane.
        init(end: Int64, top: Double, _ geometry: TimelineGeometry) {
            self.end = geometry.x(end)
            middle = top + geometry.laneHeight / 2
            bottom = top + geometry.laneHeight
        }
    }

    /// More arrows could not be told apart.
    static let mostArrows = 50
    private static let mostLevels = 8
    private static let levelWidth = 6.0
    /// Between the end of the bars and the first vertical line.
    private static let firstLevel = 12.0
    private static let gap = 3.0

    /// For the page, whose arrows are as those of the SVG.
    static var layout: JSONObject {
        var object = JSONObject()
        object.add("mostArrows", mostArrows)
        object.add("levels", mostLevels)
        object.add("levelWidth", levelWidth)
        object.add("firstLevel", firstLevel)
        object.add("gap", gap)
        return object
    }

    private let waits: UnfinishedWaits
    /// Who waits for whom, by operations and tasks in the trace.
    private let hops: [UnfinishedWaits.Wait]
    private let hopsOfWaiting: [Int: [UnfinishedWaits.Wait]]
    private let trace: Trace
    /// When the last of the members had been added, or had begun to execute, to block or to await: arrows are
    /// drawn in charts that reach this moment.
    let begun: Int64

    /// - Parameter analysis: of operations and tasks.
    init(_ analysis: TraceAnalysis) {
        waits = UnfinishedWaits(analysis)
        hops = waits.hopsInCircles
        hopsOfWaiting = Dictionary(grouping: hops, by: \.waiting)
        trace = analysis.trace
        guard !hops.isEmpty else {
            begun = .max
            return
        }
        let (members, trace, transitions) = (waits.inCircles, trace, analysis.timings.transitions)
        let begun = members.lazy.compactMap { member -> Int64? in
            if let task = trace.task(member) {
                return trace.tasks.runs(of: task).last.map { $0.awaits == nil ? $0.start : $0.end }
            }
            return transitions[member].map { $0.executing == nil ? $0.enqueued : $0.start }
        }
        let blocked = trace.blockingWaits.lazy
            .filter { $0.operation.map { members.contains($0) } ?? false }.map(\.start)
        // The timeline of a run that stood still ends with the last activity.
        let last = trace.activity(before: analysis.end)?.upperBound ?? analysis.end
        self.begun = min(max(begun.max() ?? .min, blocked.max() ?? .min), last)
    }

    var isEmpty: Bool { hops.isEmpty }

    func contains(_ operation: Int) -> Bool { waits.inCircles.contains(operation) }

    /// `circle of waits: waits for import`, for the tooltip of a member.
    ///
    /// - Parameter shown: makes a name short, and safe for the tooltip.
    func lines(_ operation: Int, shown: (String) -> String) -> [String] {
        (hopsOfWaiting[operation] ?? []).map {
            "\(Glossary.circle): waits for \(shown(trace.operations[$0.blocker].displayName))"
        }
    }

    /// How much room the arrows take.
    func width(isDrawn: (Int) -> Bool) -> Double {
        let count = arrows(isDrawn).drawn.count
        return count == 0
            ? 0 : Self.firstLevel + Self.levelWidth * Double(min(count, Self.mostLevels)) + Self.gap
    }

    /// What is not drawn, in a sentence.
    func note(isDrawn: (Int) -> Bool) -> String? {
        let omitted = arrows(isDrawn).omitted
        guard omitted > 0 else { return nil }
        return
            "\(Prose.counted(omitted, "wait")) in circles \(omitted == 1 ? "has" : "have") no arrow, because "
            + "more than \(Self.mostArrows) could not be told apart"
    }

    private func arrows(_ isDrawn: (Int) -> Bool) -> (drawn: [UnfinishedWaits.Wait], omitted: Int) {
        let all = hops.filter { isDrawn($0.waiting) && isDrawn($0.blocker) }
        return (Array(all.prefix(Self.mostArrows)), max(0, all.count - Self.mostArrows))
    }
}

// MARK: Drawing

extension TimelineCircles {
    static func outline(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: TimelineStyle,
        into svg: inout SVGDocument
    ) {
        svg.rectangle(
            x - 1, y - 1, width + 2, height + 2,
            "class=\"circle\" fill=\"none\" stroke=\"\(style.theme.blocked)\" stroke-width=\"2\"")
    }

    /// - Parameter bars: of members that are drawn.
    func draw(
        _ bars: [Int: Bar], _ geometry: TimelineGeometry, _ style: TimelineStyle, into svg: inout SVGDocument
    ) {
        let right = geometry.chartEnd - Self.gap
        let height = geometry.laneHeight
        var lines: [(from: (x: Double, y: Double), to: (x: Double, y: Double))] = []
        for hop in arrows({ bars[$0] != nil }).drawn {
            guard let waiting = bars[hop.waiting], let blocker = bars[hop.blocker] else { continue }
            // What leads away is above the middle, so that two arrows of one bar lie apart.
            func end(_ bar: Bar, _ offset: Double) -> (x: Double, y: Double) {
                bar.end >= geometry.namesEnd
                    ? (right, bar.middle + offset * height) : (bar.end + Self.gap, bar.bottom - 1)
            }
            lines.append((end(waiting, -0.15), end(blocker, 0.15)))
        }
        // The shorter ones are nearer to the bars, so that they cross fewer others.
        lines.sort { abs($0.from.y - $0.to.y) < abs($1.from.y - $1.to.y) }
        var levels: [[ClosedRange<Double>]] = []
        for (from, to) in lines {
            let extent = min(from.y, to.y)...max(from.y, to.y)
            var level = levels.firstIndex { !$0.contains { $0.overlaps(extent) } } ?? levels.count
            level = min(level, Self.mostLevels - 1)
            if level == levels.count { levels.append([]) }
            levels[level].append(extent)
            let x = right - Self.firstLevel - Self.levelWidth * Double(level)
            let numbers = [from.x, from.y, x, to.y, to.x].map(SVGDocument.number)
            svg.path(
                "M\(numbers[0]) \(numbers[1])H\(numbers[2])V\(numbers[3])H\(numbers[4])",
                "class=\"hop\" fill=\"none\" stroke=\"\(style.theme.blocked)\" stroke-width=\"1.5\" "
                    + "marker-end=\"url(#hop)\"")
        }
    }
}
