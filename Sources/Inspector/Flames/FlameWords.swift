/// How the figures of a tree are written.
struct FlameWords {
    let tree: FlameTree
    /// For each node its call, if tooltips of functions in libraries say which function called these.
    var calls: [FlameCall]?

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
        if let caller = caller(of: node) {
            lines[0] += ", called by \(TerminalText.shortened(caller, toColumns: Self.longestName))"
        }
        var line = amount(figures.total)
        if node > 0 { line += ", \(Self.share(figures.total, of: tree.total)) of all" }
        if figures.own > 0, figures.own < figures.total { line += "; \(amount(figures.own)) in itself" }
        lines.append(line)
        return lines.joined(separator: ": ")
    }

    /// The function of the program that called a library, and through which function of the library.
    private func caller(of node: Int) -> String? {
        guard let call = calls?[node], let caller = call.caller else { return nil }
        let isFirst = tree.nodes[node].label == call.label
        return isFirst ? tree.labels[Int(caller)].name : call.name(in: tree)
    }

    static let longestName = 160
}
