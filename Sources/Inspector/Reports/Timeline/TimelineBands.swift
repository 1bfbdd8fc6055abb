/// Draws the bands of a timeline: how many operations waited, for what, and how many executed, over time.
struct TimelineBands {
    let geometry: TimelineGeometry
    let style: TimelineStyle

    private var theme: PictureTheme { style.theme }

    /// The stacked waits of a section, and their maximum.
    func drawWaiting(_ sums: TimelineSums, at place: TimelineGeometry.Section, into svg: inout SVGDocument) {
        let most = sums.mostWaiting
        guard place.waitingHeight > 0, most > 0 else { return }
        let base = place.top + place.waitingHeight
        let scale = (place.waitingHeight - 10) / most
        var lower = Array(repeating: 0.0, count: sums.executing.count)
        for (part, counts) in sums.waiting {
            let upper = zip(lower, counts).map { $0 + $1 * scale }
            svg.path(
                areas(columns: counts.count, base: base).between(lower, upper),
                "class=\"waiting\" fill=\"\(theme.color(part))\"")
            lower = upper
        }
        drawScale("≈ \(Self.count(most)) waiting", base: base, into: &svg)
    }

    /// How many executed, for a section without lanes.
    func drawExecuting(
        _ sums: TimelineSums, slots: Int?, at place: TimelineGeometry.Section, into svg: inout SVGDocument
    ) {
        let peak = max(sums.executing.max() ?? 0, 0)
        guard peak > 0 else { return }
        let base = place.lanesTop + place.lanesHeight
        let most = Self.showsSlots(slots, peak: peak) ? max(peak, Double(slots ?? 0)) : peak
        let scale = (place.lanesHeight - 10) / most
        let none = Array(repeating: 0.0, count: sums.executing.count)
        svg.path(
            areas(columns: none.count, base: base).between(none, sums.executing.map { $0 * scale }),
            "class=\"executing\" \(style.undivided)")
        if let slots, Self.showsSlots(slots, peak: peak) {
            drawSlots(slots, at: base - Double(slots) * scale, into: &svg)
        }
        drawScale("≈ \(Self.count(peak)) executing", base: base, into: &svg)
    }

    /// The running operations of everything that is shown, and the slots of all its queues.
    func drawCurve(_ curve: TimelineCurve, top: Double, height: Double, into svg: inout SVGDocument) {
        let base = top + height
        let title = curve.isNested ? "at work at once" : "executing at once"
        svg.text(title, 12, top + 14, size: 11, fill: theme.text, isBold: true)
        if curve.isNested {
            for (line, words) in ["without parents of", "unfinished children"].enumerated() {
                svg.text(words, 12, top + 42 + 11 * Double(line), size: 9, fill: theme.mutedText)
            }
        }
        svg.line(
            TimelineGeometry.left, base, geometry.chartEnd, base,
            "stroke=\"\(theme.clusterBorder)\" stroke-width=\"1\"")
        guard curve.peak > 0 else { return }
        let most = Double(curve.showsSlots ? max(curve.peak, curve.slots ?? 0) : curve.peak)
        let scale = (height - 12) / most
        let counts = curve.counts
        let none = Array(repeating: 0.0, count: counts.count)
        svg.path(
            areas(columns: counts.count, base: base).between(none, counts.map { $0 * scale }),
            "class=\"concurrency\" fill=\"\(theme.color(.execution))\" fill-opacity=\"0.55\"")
        var words = "peak \(Prose.grouped(curve.peak))"
        if let slots = curve.slots { words += " of \(Prose.counted(slots, "slot"))" }
        svg.text(words, 12, top + 29, size: 10, fill: theme.mutedText)
        if curve.showsSlots, let slots = curve.slots {
            drawSlots(slots, at: base - Double(slots) * scale, into: &svg)
        }
    }

    /// How many threads were on processors, and above them how many waited for one.
    func drawThreads(
        _ threads: TimelineThreads, top: Double, height: Double, into svg: inout SVGDocument
    ) {
        let base = top + height
        svg.text("threads", 12, top + 14, size: 11, fill: theme.text, isBold: true)
        svg.text("of the whole program", 12, top + 29, size: 10, fill: theme.mutedText)
        svg.line(
            TimelineGeometry.left, base, geometry.chartEnd, base,
            "stroke=\"\(theme.clusterBorder)\" stroke-width=\"1\"")
        guard threads.most > 0 else { return }
        let scale = (height - 12) / max(1, threads.most)
        let onCPU = threads.onCPU.map { $0 * scale }
        let areas = areas(columns: onCPU.count, base: base)
        let none = Array(repeating: 0.0, count: onCPU.count)
        for (part, path) in [
            (ExecutionParts.Part.onCPU, areas.between(none, onCPU)),
            (.waitingForCPU, areas.between(onCPU, threads.both.map { $0 * scale })),
        ] where !path.isEmpty {
            for fill in style.fills(part) { svg.path(path, "class=\"threads\" \(fill)") }
        }
        drawScale(
            "≈ \(Self.count(threads.onCPU.max() ?? 0)) on CPU, \(Self.count(threads.most)) with waiting",
            base: base, into: &svg)
    }

    /// Whether to draw the line of a queue's slots over these counts. Not if it would make everything else
    /// flat.
    static func showsSlots(_ slots: Int?, peak: Double) -> Bool {
        slots.map { peak > 0 && Double($0) <= peak * 3 } ?? false
    }

    /// Rounded up, because the shown value is an average over a column of time, of something that is counted.
    static func count(_ value: Double) -> String {
        Prose.grouped(max(1, Int(exactly: (value - 0.01).rounded(.up)) ?? 1))
    }

    private func areas(columns: Int, base: Double) -> TimelineAreas {
        TimelineAreas(
            left: TimelineGeometry.left, columnWidth: geometry.chartWidth / Double(max(1, columns)),
            base: base)
    }

    private func drawSlots(_ slots: Int, at y: Double, into svg: inout SVGDocument) {
        svg.line(
            TimelineGeometry.left, y, geometry.chartEnd, y,
            "stroke=\"\(theme.text)\" stroke-width=\"1\" stroke-dasharray=\"6 3\"")
    }

    private func drawScale(_ words: String, base: Double, into svg: inout SVGDocument) {
        svg.line(
            TimelineGeometry.left, base, geometry.chartEnd, base,
            "stroke=\"\(theme.grid)\" stroke-width=\"1\"")
        svg.text(
            words, TimelineGeometry.left - 6, base - 1, size: 9, fill: theme.mutedText, anchor: .end)
    }
}
