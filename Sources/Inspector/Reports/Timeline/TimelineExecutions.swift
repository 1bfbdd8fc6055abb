import InspectorColumns

/// The parts of the executions that are drawn as bars, in the order of time: a strip along the lower edge of
/// each bar.
struct TimelineExecutions {
    /// Limits the size of the picture: no bar has more parts than columns.
    private static let mostColumns = 30_000
    /// In a narrower bar, a strip would only hide the colour of the kind.
    private static let leastWidth = 3.0
    private static let shareOfBar = 0.3

    private let use: ProcessorUse
    private let stretches: [Int32: [ExecutionStretch]]
    /// The parts that occur in strips.
    let parts: Set<ExecutionParts.Part>

    /// Nil if the trace does not say when threads were on processors.
    init?(
        _ use: ProcessorUse?, _ layout: TimelineLayout, _ selection: TimelineSelection, _ bars: TimelineBars,
        _ geometry: TimelineGeometry
    ) {
        guard let use else { return nil }
        let lanes = layout.sections.reduce(0) { $0 + $1.lanes }
        let columns = TimeColumns(
            from: selection.start, to: selection.end,
            count: min(Int(geometry.chartWidth), Self.mostColumns / max(1, lanes)))
        var stretches: [Int32: [ExecutionStretch]] = [:]
        for (section, content) in layout.sections.enumerated() {
            for (position, bar) in content.bars.enumerated() where bars.contains(position, of: section) {
                let parts = use.drawnStretches(
                    of: Int(bar.operation), within: selection.start..<selection.end, columns)
                guard let first = parts.first, let last = parts.last,
                    geometry.x(last.end) - geometry.x(first.start) >= Self.leastWidth
                else { continue }
                stretches[bar.operation] = parts
            }
        }
        self.use = use
        self.stretches = stretches
        parts = stretches.values.reduce(into: []) { parts, stretches in
            for stretch in stretches { parts.insert(stretch.part) }
        }
    }

    /// The height of the strip in a bar of this height; 0 if the operation has no strip.
    func stripHeight(_ operation: Int, inBar height: Double) -> Double {
        stretches[Int32(operation)] == nil ? 0 : max(3, (height * Self.shareOfBar).rounded())
    }

    /// Draws the strip of an operation over its bar.
    ///
    /// - Parameters:
    ///   - y: the top of the bar.
    ///   - height: of the bar.
    func draw(
        _ operation: Int, y: Double, height: Double, _ geometry: TimelineGeometry, _ style: TimelineStyle,
        into svg: inout SVGDocument
    ) {
        guard let stretches = stretches[Int32(operation)], let first = stretches.first,
            let last = stretches.last
        else { return }
        let strip = stripHeight(operation, inBar: height)
        let top = y + height - strip
        let size = SVGDocument.number(strip)
        for part in ExecutionParts.Part.allCases {
            let path = stretches.filter { $0.part == part }.map { stretch in
                let from = geometry.x(stretch.start)
                let width = SVGDocument.number(geometry.x(stretch.end) - from)
                return "M\(SVGDocument.number(from)) \(SVGDocument.number(top))h\(width)v\(size)h-\(width)z"
            }.joined()
            if path.isEmpty { continue }
            for fill in style.fills(part) { svg.path(path, fill) }
        }
        svg.line(geometry.x(first.start), top, geometry.x(last.end), top, style.stripEdge)
    }

    /// A line for each part, for the tooltip.
    func lines(_ operation: Int) -> [String] {
        guard let parts = use.parts(of: operation) else { return [] }
        return ExecutionParts.Part.allCases.filter { parts[$0] > 0 }.map { "– \(parts.words($0))" }
    }
}
