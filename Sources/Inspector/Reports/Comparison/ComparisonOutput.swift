import InspectorComparison

/// Two runs compared, as the command `diff` writes it.
package struct ComparisonOutput: Sendable {
    fileprivate let analyses: (before: TraceAnalysis, after: TraceAnalysis)
    fileprivate let names: (before: String, after: String)
    fileprivate let theme: PictureTheme

    /// - Parameters:
    ///   - analyses: of the operations of both traces.
    ///   - names: of both runs, for example their files.
    package init(
        _ analyses: (before: TraceAnalysis, after: TraceAnalysis), _ names: (before: String, after: String),
        theme: PictureTheme
    ) {
        self.analyses = analyses
        self.names = names
        self.theme = theme
    }

    fileprivate var comparison: TraceComparison {
        TraceComparison(before: analyses.before, after: analyses.after)
    }

    fileprivate var report: ComparisonReport {
        ComparisonReport(comparison, before: names.before, after: names.after)
    }
}

extension ComparisonOutput: Writable {
    package static var renderers: [Renderer<ComparisonOutput>] {
        [
            Renderer(.text, text: { $0.report.text($1) }),
            Renderer(.markdown, text: { $0.report.markdown($1) }),
            Renderer(.json, bytes: { output, _ in ComparisonJSON(output.comparison).bytes }),
            Renderer(
                .svg,
                making: {
                    ComparisonPicture(
                        $0.comparison, before: $0.names.before, after: $0.names.after, theme: $0.theme)
                },
                notes: { [$0.omission].compactMap(\.self) },
                write: { picture, emit in emit(Array(picture.svg.utf8)) }),
            Renderer(
                .html,
                bytes: { output, _ in
                    ComparisonPage(
                        before: output.analyses.before, after: output.analyses.after, names: output.names,
                        theme: output.theme
                    ).html
                }),
        ]
    }
}
