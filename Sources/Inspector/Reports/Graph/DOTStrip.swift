import InspectorColumns

/// An execution's parts in the order of time, as the colours of a striped node.
struct DOTStrip {
    /// The length of a line of a hatch with the gap after it, in points.
    private static let hatch = 3.0

    /// A list of `colour;fraction`, as `fillcolor` takes it.
    let colors: String

    /// - Parameters:
    ///   - stretches: not empty.
    ///   - points: the length of all of them.
    init(_ stretches: [ExecutionStretch], points: Double, _ theme: PictureTheme) {
        let length = stretches.reduce(0.0) { $0 + Double($1.end - $1.start) }
        var colors: [String] = []
        func add(_ color: String, _ fraction: Double) {
            let millionths = String(min(999_999, Int((fraction * 1_000_000).rounded(.down))))
            colors.append(
                "\(color);0." + String(repeating: "0", count: max(0, 6 - millionths.count)) + millionths)
        }
        for stretch in stretches {
            let fraction = Double(stretch.end - stretch.start) / length
            if stretch.part == .waitingForCPU {
                // Graphviz has no patterns, but stripes look like a hatch.
                let lines = max(1, (fraction * points / Self.hatch).rounded(.down))
                for _ in 0..<Int(lines) {
                    add(theme.executionHatch, fraction / lines * 0.4)
                    add(theme.color(stretch.part), fraction / lines * 0.6)
                }
            } else {
                add(theme.color(stretch.part), fraction)
            }
        }
        self.colors = colors.joined(separator: ":")
    }
}
