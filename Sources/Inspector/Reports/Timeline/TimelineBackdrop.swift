import InspectorColumns

/// Draws what is behind the operations in a picture: the axis, and for each queue its frame, its name and
/// the time for which it was suspended.
struct TimelineBackdrop {
    let trace: Trace
    let selection: TimelineSelection
    let geometry: TimelineGeometry
    let theme: PictureTheme

    /// The times, above and below everything, and a line for each.
    ///
    /// - Parameter isLine: whether there are others below it, so that the times above are enough.
    func drawAxis(bottom: Double, isLine: Bool, into svg: inout SVGDocument) {
        let axis = TimeAxis(
            from: selection.start, to: selection.end, room: Int(geometry.chartWidth / 6.5))
        let top = (geometry.sections.first?.top ?? geometry.executors.first?.top ?? geometry.bottom) - 8
        for (time, label) in axis.ticks {
            let x = geometry.x(time)
            svg.line(x, top, x, bottom + 4, "stroke=\"\(theme.grid)\" stroke-width=\"1\"")
            // A label at the very end would extend beyond the picture.
            let anchor = x > geometry.width - 40 ? SVGDocument.Anchor.end : .middle
            svg.text(label, x, top - 4, size: 10, fill: theme.mutedText, anchor: anchor)
            if isLine { continue }
            svg.text(label, x, bottom + 16, size: 10, fill: theme.mutedText, anchor: anchor)
        }
    }

    /// - Parameter suspended: nil for operations that are not in one queue.
    func draw(
        _ section: TimelineLayout.Section, at place: TimelineGeometry.Section, _ suspended: SuspendedTime?,
        into svg: inout SVGDocument
    ) {
        svg.rectangle(
            TimelineGeometry.left, place.top, geometry.chartWidth, place.bottom - place.top,
            "fill=\"none\" stroke=\"\(theme.grid)\"")
        drawLabel(section, place, into: &svg)
        if let suspended { drawSuspensions(suspended, place, into: &svg) }
    }

    private func drawLabel(
        _ section: TimelineLayout.Section, _ place: TimelineGeometry.Section, into svg: inout SVGDocument
    ) {
        let queue = section.queue.map { trace.queues[$0] }
        let name =
            queue?.displayName ?? (section.queues > 1 ? "\(section.queues) more queues" : "without a queue")
        let room = TimelineGeometry.left - 24
        let shortened = TerminalText.shortened(name)
        let words = [section.slots.words, Prose.counted(section.operations.count, "operation")].filter {
            !$0.isEmpty
        }
        svg.text(
            SVGTextWidth.fittingAtBothEnds(shortened, pixels: room, size: 11, isBold: true), 12,
            place.top + 13, size: 11,
            fill: theme.text, isBold: true)
        svg.text(
            SVGTextWidth.fitting(words.joined(separator: ", "), pixels: room, size: 9), 12, place.top + 26,
            size: 9, fill: theme.mutedText)
    }

    /// Drawn by columns of pixels, to limit their number.
    private func drawSuspensions(
        _ suspended: SuspendedTime, _ place: TimelineGeometry.Section, into svg: inout SVGDocument
    ) {
        var last: (from: Double, to: Double)?
        func draw(_ stretch: (from: Double, to: Double)?, _ svg: inout SVGDocument) {
            guard let stretch else { return }
            svg.rectangle(
                stretch.from, place.top, stretch.to - stretch.from, place.bottom - place.top,
                "class=\"suspended\" fill=\"url(#suspended)\"")
        }
        for suspension in suspended.suspensions(from: selection.start, to: selection.end) {
            let from = geometry.x(suspension.lowerBound)
            let to = max(geometry.x(suspension.upperBound), from + 1)
            if let before = last, from - before.to < 1 {
                last = (before.from, max(to, before.to))
            } else {
                draw(last, &svg)
                last = (from, to)
            }
        }
        draw(last, &svg)
    }
}
