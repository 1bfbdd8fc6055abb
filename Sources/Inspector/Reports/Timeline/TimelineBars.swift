import InspectorColumns

/// The operations of a timeline that are drawn as bars; all others are drawn as a share of their lane.
struct TimelineBars {
    /// Limits the size of the picture, whatever the names are.
    static let most = 1200

    /// For each section, whether each of its bars is drawn.
    private let isDrawn: [[Bool]]
    /// The number of bars that are not drawn.
    let omitted: Int

    /// Draws the longest bars of at least a pixel; or all bars, if there are at most `most`. Linear in bars.
    init(_ layout: TimelineLayout, _ geometry: TimelineGeometry) {
        let total = layout.sections.reduce(0) { $0 + $1.bars.count }
        guard layout.style != .rows else {
            isDrawn = layout.sections.map { Array(repeating: true, count: $0.bars.count) }
            omitted = 0
            return
        }
        var candidates: [(section: Int32, bar: Int32, length: Int64)] = []
        for (section, content) in layout.sections.enumerated() {
            for (position, bar) in content.bars.enumerated() {
                let length = bar.to - bar.from
                // A bar that is narrower than a pixel is drawn only if all bars can be drawn.
                guard geometry.pixels(length) >= 1 || total <= Self.most else { continue }
                candidates.append((Int32(section), Int32(position), length))
            }
        }
        if candidates.count > Self.most { candidates = candidates.sortedByDigits { -$0.length } }
        var isDrawn = layout.sections.map { Array(repeating: false, count: $0.bars.count) }
        for candidate in candidates.prefix(Self.most) {
            isDrawn[Int(candidate.section)][Int(candidate.bar)] = true
        }
        self.isDrawn = isDrawn
        omitted = total - min(candidates.count, Self.most)
    }

    func contains(_ bar: Int, of section: Int) -> Bool { isDrawn[section][bar] }
}
