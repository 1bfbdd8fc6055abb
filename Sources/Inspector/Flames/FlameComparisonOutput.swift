/// The code of two runs compared, to be written as text or as a differential flame graph.
package struct FlameComparisonOutput: Sendable {
    let heading: String
    let notes: [String]
    let theme: PictureTheme
    private let profiles: (before: StackProfile, after: StackProfile)

    var comparison: FlameComparison { FlameComparison(before: profiles.before, after: profiles.after) }

    /// - Parameters:
    ///   - names: of the files, for the heading.
    package init(
        before: StackProfile, after: StackProfile, names: (before: String, after: String),
        theme: PictureTheme = .light
    ) {
        profiles = (before, after)
        self.theme = theme
        heading =
            "\(TerminalText.shortened(names.before, toColumns: 60)) → "
            + "\(TerminalText.shortened(names.after, toColumns: 60)): where the code takes time"
        notes = Self.notes(before, after)
    }

    private static func notes(_ before: StackProfile, _ after: StackProfile) -> [String] {
        var notes = [ChangeText.caution]
        let counts = [before, after].map { $0.counts(isBlocked: false).inside }
        notes.append(
            "\(Prose.counted(counts[0], "sample")) before, \(Prose.grouped(counts[1])) after; times before "
                + "are for as many executions of each kind as after")
        if before.period == nil || after.period == nil {
            notes.append(
                "one of the traces does not say how often samples were taken, so that only "
                    + "numbers of samples are compared")
        }
        return notes
    }

    /// A differential flame graph as SVG without a program, for a page that runs none.
    package var still: String { FlameComparisonPicture(output: self, isInteractive: false).svg }

    /// What the runs do not have in common.
    static func kinds(_ comparison: FlameComparison) -> [String] {
        [("only after", comparison.newKinds), ("only before", comparison.goneKinds)].compactMap {
            words, kinds in
            guard !kinds.isEmpty else { return nil }
            let names = kinds.prefix(Self.mostKinds).map { TerminalText.shortened($0) }
            return "\(words): operations of \(Prose.list(names, of: kinds.count))"
        }
    }

    private static let mostKinds = 5
}

extension FlameComparisonOutput: Writable {
    package static var renderers: [Renderer<FlameComparisonOutput>] {
        [
            Renderer(.text, text: { FlameComparisonText(output: $0).text($1) }),
            Renderer(.svg, text: { output, _ in FlameComparisonPicture(output: output).svg }),
        ]
    }
}
