import InspectorColumns

/// The parts of the executions that are drawn as bars, in the order of time.
struct TimelineExecutions {
    /// Limits the size of the picture: no bar has more parts than columns.
    private static let mostColumns = 30_000

    private let use: ProcessorUse
    private let stretches: [Int32: [ExecutionStretch]]
    /// The parts that are drawn.
    let parts: Set<ExecutionParts.Part>

    /// Nil if the trace does not say when threads were on processors.
    init?(
        _ use: ProcessorUse?, _ layout: TimelineLayout, _ selection: TimelineSelection, _ bars: TimelineBars,
        pixels: Double
    ) {
        guard let use else { return nil }
        let lanes = layout.sections.reduce(0) { $0 + $1.lanes }
        let columns = TimeColumns(
            from: selection.start, to: selection.end,
            count: min(Int(pixels), Self.mostColumns / max(1, lanes)))
        var stretches: [Int32: [ExecutionStretch]] = [:]
        for (section, content) in layout.sections.enumerated() {
            for (position, bar) in content.bars.enumerated() where bars.contains(position, of: section) {
                stretches[bar.operation] = use.drawnStretches(
                    of: Int(bar.operation), within: selection.start..<selection.end, columns)
            }
        }
        self.use = use
        self.stretches = stretches
        parts = stretches.values.reduce(into: []) { parts, stretches in
            for stretch in stretches { parts.insert(stretch.part) }
        }
    }

    /// Draws over the bar of an execution, which is drawn as if it was on a processor all the time.
    func draw(
        _ operation: Int, y: Double, height: Double, _ geometry: TimelineGeometry, _ style: TimelineStyle,
        into svg: inout SVGDocument
    ) {
        guard let stretches = stretches[Int32(operation)], let first = stretches.first,
            let last = stretches.last
        else { return }
        let size = SVGDocument.number(height)
        for part in ExecutionParts.Part.allCases where part != .onCPU {
            let path = stretches.filter { $0.part == part }.map { stretch in
                let from = geometry.x(stretch.start)
                let width = SVGDocument.number(geometry.x(stretch.end) - from)
                return "M\(SVGDocument.number(from)) \(SVGDocument.number(y))h\(width)v\(size)h-\(width)z"
            }.joined()
            if path.isEmpty { continue }
            for fill in style.fills(part) { svg.path(path, fill) }
        }
        let (from, to) = (geometry.x(first.start), geometry.x(last.end))
        guard to - from > 2 else { return }
        svg.rectangle(from + 0.5, y + 0.5, to - from - 1, height - 1, style.outline)
    }

    /// A line for each part, for the tooltip.
    func lines(_ operation: Int) -> [String] {
        guard let parts = use.parts(of: operation) else { return [] }
        return ExecutionParts.Part.allCases.filter { parts[$0] > 0 }.map { "– \(parts.words($0))" }
    }
}
