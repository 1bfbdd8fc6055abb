/// How the figures of a tree are written.
struct FlameWords {
    let tree: FlameTree

    func amount(_ weight: Int64) -> String {
        tree.isTime ? DurationFormat.text(nanoseconds: weight) : Prose.counted(weight, "sample")
    }

    /// `12.3 %` of `whole`.
    static func share(_ weight: Int64, of whole: Int64) -> String {
        DurationFormat.percent(whole > 0 ? Double(weight) / Double(whole) : 0)
    }

    /// What a pointer on the node shows. The first line is the whole name.
    func tooltip(_ node: Int) -> String {
        let (figures, label) = (tree.nodes[node], tree.label(node))
        var lines = [TerminalText.shortened(label.name, toColumns: Self.longestName)]
        if let module = label.module, module != label.name {
            lines[0] += " (\(TerminalText.shortened(module)))"
        }
        var line = amount(figures.total)
        if node > 0 { line += ", \(Self.share(figures.total, of: tree.total)) of all" }
        if figures.own > 0, figures.own < figures.total { line += "; \(amount(figures.own)) in itself" }
        lines.append(line)
        return lines.joined(separator: ": ")
    }

    static let longestName = 160
}
