import InspectorColumns

/// The colours of the bars in a timeline: by kind, as in graphs and on the page; of operations that did not
/// succeed, by their ending.
struct TimelineKinds {
    private static let longestName = 28

    private let theme: PictureTheme
    private let colors: [Int?]
    private let columns: OperationColumns
    private let names: [String]

    /// Linear in operations.
    ///
    /// - Parameter analysis: of operations and tasks.
    init(_ analysis: TraceAnalysis, _ theme: PictureTheme) {
        self.theme = theme
        colors = KindColors(analysis).numbers
        columns = analysis.trace.operations.store.columns
        names = analysis.trace.kinds
    }

    private func color(ofKind kind: Int) -> String {
        colors[kind].map { theme.groupFills[$0] } ?? theme.otherFill
    }

    func fill(_ operation: Int) -> String {
        let ending = OperationEnding(columns, operation)
        return ending == .succeeded ? color(ofKind: Int(columns.kinds[operation])) : theme.fill(ending)
    }

    /// The kinds of the operations that succeeded, in the order of their colours; all further kinds share one
    /// colour and come last.
    func entries(of operations: some Sequence<Int>) -> [TimelineLegend.Entry] {
        var used: Set<Int> = []
        for operation in operations where OperationEnding(columns, operation) == .succeeded {
            used.insert(Int(columns.kinds[operation]))
        }
        let ranked = used.sorted { (colors[$0] ?? .max, $0) < (colors[$1] ?? .max, $1) }
        let others = ranked.filter { colors[$0] == nil }
        let named = others.count == 1 ? ranked : ranked.filter { colors[$0] != nil }
        return named.map { kind in
            let name = names[kind].isEmpty ? "?" : names[kind]
            return .kind(TerminalText.shortened(name, toColumns: Self.longestName), color(ofKind: kind))
        } + (others.count > 1 ? [.kind("\(others.count) other kinds", theme.otherFill)] : [])
    }
}
