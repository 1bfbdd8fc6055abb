import InspectorColumns
import InspectorComparison
import InspectorFlames

/// Two runs compared, as a web page: what took longer or is new, what took less time or is gone, both runs on
/// one time axis, operation by operation and lane by lane, and the difference of their code.
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
    public init(
        before: TraceAnalysis, after: TraceAnalysis, names: (before: String, after: String),
        theme: PictureTheme = .light
    ) {
        analyses = (before, after)
        self.names = names
        self.theme = theme
    }

    /// UTF-8. The same traces give the same bytes. Cost: O(n log n) in operations and edges.
    public var html: [UInt8] {
        let comparison = TraceComparison(before: analyses.before, after: analyses.after)
        let report = ComparisonReport(comparison, before: names.before, after: names.after)
        let picture = ComparisonPicture(comparison, names, theme, hasHeading: false)
        var page = HTMLDocument(
            title: "\(TerminalText.shortened(names.before, toColumns: 60)) → "
                + "\(TerminalText.shortened(names.after, toColumns: 60))", theme: theme)
        for words in [comparison.incompleteness, comparison.endingChanges] {
            if let words { page.paragraph(words, .strong) }
        }
        page.paragraph(picture.figures, .strong)
        page.paragraph(report.structure)
        page.paragraph(ComparisonReport.caution, .quiet)
        for section in [report.endings, report.longer, report.shorter] {
            guard let section else { continue }
            let most = ComparisonReport.mostRows
            page.table(
                section.table(most), targets: picture.hasRows ? section.rows.prefix(most).map(\.anchor) : [])
            if let rest = section.rest(after: most) { page.paragraph(rest, .quiet) }
        }
        page.heading("Both runs on one time axis")
        if let omission = picture.omission { page.paragraph("\(omission).", .quiet) }
        page.picture(picture.svg)
        let windows = window
        for (name, analysis, window) in [
            ("Before", analyses.before, windows.before), ("After", analyses.after, windows.after),
        ] {
            page.heading("\(name): what executed when")
            page.picture(TimelinePicture(analysis, window, theme: theme).svg)
        }
        if let flames {
            page.heading("Where the code takes time")
            page.picture(flames)
        }
        page.heading("Figures")
        page.table(report.figures)
        if let kinds = report.kinds {
            page.table(kinds.table(ComparisonReport.mostRows))
            if let rest = kinds.rest(after: ComparisonReport.mostRows) { page.paragraph(rest, .quiet) }
        }
        return page.closed
    }
    /// The same length for both runs.
    private var window: (before: TimelineOptions, after: TimelineOptions) {
        let runs = [analyses.before, analyses.after].map(\.extent)
        let length = runs.map { $0.upperBound - $0.lowerBound }.max() ?? 0
        let windows = runs.map { run in
            TimelineOptions(window: run.lowerBound..<run.lowerBound.saturatingAdd(max(1, length)))
        }
        return (windows[0], windows[1])
    }

    /// Nil unless both traces have samples of the code.
    private var flames: String? {
        guard let before = StackProfile(analyses.before.timings),
            let after = StackProfile(analyses.after.timings)
        else { return nil }
        let samples = [before, after].map { $0.counts(isBlocked: false).inside }
        guard samples.allSatisfy({ $0 > 0 }) else { return nil }
        return FlameComparisonOutput(before: before, after: after, names: names, theme: theme).still
    }
}
