import InspectorComparison

/// Two runs compared, as an interactive web page: what took longer or is new first, and then all that the
/// page of a single run has, of either run, with each operation beside the same one of the other run on a
/// common time axis.
///
/// A single file that needs no network and no other file. The same traces give the same bytes.
public struct ComparisonPage: Sendable {
    private let analyses: (before: TraceAnalysis, after: TraceAnalysis)
    private let names: (before: String, after: String)
    private let theme: PictureTheme

    /// Constant time: ``html`` does the work.
    ///
    /// - Parameters:
    ///   - before: the earlier run's operations.
    ///   - after: the later run's operations.
    ///   - names: of both runs, for example their files.
    ///   - theme: of the picture of the code. The rest has the colours that the reader's browser prefers.
    public init(
        before: TraceAnalysis, after: TraceAnalysis, names: (before: String, after: String),
        theme: PictureTheme = .light
    ) {
        analyses = (before, after)
        self.names = names
        self.theme = theme
    }

    /// UTF-8. The same traces give the same bytes. Cost: that of the pages of both runs.
    public var html: [UInt8] {
        let pages = (before: ReportPage(analyses.before), after: ReportPage(analyses.after))
        let comparison = PageComparison(
            TraceComparison(before: analyses.before, after: analyses.after), names: names,
            (pages.before.selection, pages.after.selection), theme)
        return PageDocument.html(
            title: "\(TerminalText.shortened(names.before, toColumns: 38)) → "
                + TerminalText.shortened(names.after, toColumns: 38),
            [
                ("trace", pages.after.data), ("trace-before", pages.before.data),
                ("comparison", comparison.object),
            ])
    }
}
