/// Draws how many operations waited for what, and executed, over time: the bands of a timeline.
struct TimelineBands {
    let geometry: TimelineGeometry
    let theme: PictureTheme

    /// The waits of a section, piled up, and how many they are at most.
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

    /// How many executed, where there are no lanes.
    func drawExecuting(
        _ sums: TimelineSums, slots: Int?, at place: TimelineGeometry.Section, into svg: inout SVGDocument
    ) {
        let peak = max(sums.executing.max() ?? 0, 0)
        guard peak > 0 else { return }
        let base = place.lanesTop + place.lanesHeight
        let most = slots.map { Double($0) <= peak * 3 ? max(peak, Double($0)) : peak } ?? peak
        let scale = (place.lanesHeight - 10) / most
        let none = Array(repeating: 0.0, count: sums.executing.count)
        svg.path(
            areas(columns: none.count, base: base).between(none, sums.executing.map { $0 * scale }),
            "class=\"executing\" fill=\"\(theme.color(.execution))\"")
        if let slots, Double(slots) <= most {
            drawSlots(slots, at: base - Double(slots) * scale, into: &svg)
        }
        drawScale("≈ \(Self.count(peak)) executing", base: base, into: &svg)
    }

    /// The executing operations of all that is shown, and the slots of all its queues where they are known.
    ///
    /// - Parameter peak: at any one moment; `counts` are averages.
    func drawCurve(
        _ counts: [Double], peak: Int, slots: Int?, top: Double, height: Double, into svg: inout SVGDocument
    ) {
        let base = top + height
        svg.text("executing at once", 12, top + 14, size: 11, fill: theme.text, isBold: true)
        svg.line(
            TimelineGeometry.left, base, geometry.chartEnd, base,
            "stroke=\"\(theme.clusterBorder)\" stroke-width=\"1\"")
        guard peak > 0 else { return }
        let fits = slots.map { $0 / 3 <= peak } ?? false
        let most = Double(fits ? max(peak, slots ?? 0) : peak)
        let scale = (height - 12) / most
        let none = Array(repeating: 0.0, count: counts.count)
        svg.path(
            areas(columns: counts.count, base: base).between(none, counts.map { $0 * scale }),
            "class=\"concurrency\" fill=\"\(theme.color(.execution))\" fill-opacity=\"0.55\"")
        var words = "peak \(peak)"
        if let slots { words += " of \(Prose.counted(slots, "slot"))" }
        svg.text(words, 12, top + 29, size: 10, fill: theme.mutedText)
        if fits, let slots { drawSlots(slots, at: base - Double(slots) * scale, into: &svg) }
    }

    /// Rounded up: what is shown is an average over a column of time, of something that is whole.
    static func count(_ value: Double) -> String {
        String(max(1, Int64(exactly: (value - 0.01).rounded(.up)) ?? 1))
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
