/// A check as SVG: every run of both sides, how much metrics changed and how certain that is, and the parts
/// of the makespans, one side above the other.
public struct CheckPicture: Sendable {
    static let width = 960.0
    static let margin = 20.0
    /// The area of the drawings; names are left of it, times right.
    static let plot = (left: 110.0, right: 870.0)

    /// The largest number of primary metrics for which runs are drawn.
    private static let mostMetrics = 3
    /// How many characters of the headlines fill a line in the widest font.
    private static let lineColumns = 134

    private let check: RegressionCheck
    private let theme: PictureTheme

    /// Constant time: ``svg`` does the work.
    public init(_ check: RegressionCheck, theme: PictureTheme = .light) {
        self.check = check
        self.theme = theme
    }

    /// The file's text. The same runs give the same bytes.
    public var svg: String {
        let words = CheckWords(check: check)
        let title = "Timing check: \(words.title)"
        var document = SVGDocument(width: Self.width, theme: theme, title: title, definitions: "")
        document.text(
            SVGTextWidth.fitting(title, pixels: Self.width - 2 * Self.margin, size: 16, isBold: true),
            Self.margin, 32, size: 16, fill: theme.text, isBold: true)
        var y = 40.0
        func paragraph(_ text: String, _ fill: String, size: Double) {
            for line in Prose.wrapped(text, to: Self.lineColumns).split(separator: "\n") {
                y += size + 5
                document.text(String(line), Self.margin, y, size: size, fill: fill)
            }
        }
        for headline in words.headlines { paragraph(headline, theme.text, size: 12) }
        if !check.baseline.runs.isEmpty, !check.current.runs.isEmpty {
            for comparison in check.primary.prefix(Self.mostMetrics) {
                y = RunsDrawing(check, comparison, theme).draw(below: y + 24, into: &document)
            }
            y = ChangesDrawing(words, theme).draw(below: y + 24, into: &document)
            y = MakespanDrawing(words, theme).draw(below: y + 24, into: &document)
        }
        y += 8
        paragraph(words.sides, theme.mutedText, size: 11)
        return document.closed(height: y + 16)
    }
}

extension PictureTheme {
    /// The colour of the baseline, and of a verdict. An unproven verdict has a neutral colour.
    var baseline: String { color(.suspended) }
    func color(_ verdict: RegressionVerdict) -> String {
        switch verdict {
        case .regressed: slower
        case .improved: faster
        case .unchanged, .inconclusive: text
        }
    }
}
