/// Sentences about what a graph combines or leaves out, and how to see it.
struct GraphNotes {
    /// The facts only, for the picture.
    let statements: [String]
    /// The same with reasons and advice.
    let sentences: [String]

    init(
        _ trace: Trace, _ options: GraphOptions, _ selection: GraphSelection, _ collapsing: GraphCollapsing,
        isMoved: Bool
    ) {
        var statements: [String] = []
        var sentences: [String] = []
        func noun(_ count: Int) -> String {
            switch trace.tasks.asOperations?.first {
            case nil: Prose.counted(count, "operation")
            case 0: Prose.counted(count, "task")
            default: Prose.counted(count, "operation or task", "operations and tasks")
            }
        }
        func add(_ statement: String, _ advice: String = "") {
            statements.append(statement)
            sentences.append(statement + advice)
        }
        // A filter that keeps everything leaves nothing to say.
        if let condition = selection.condition, selection.count < trace.operations.count {
            let edges = collapsing.edges.omitted
            add(
                "\(Prose.grouped(selection.count)) of \(noun(trace.operations.count)) "
                    + (selection.count == 1 ? "is" : "are") + " drawn, \(condition)"
                    + (edges == 0
                        ? ""
                        : "; \(Prose.counted(edges, "edge")) to or between others "
                            + (edges == 1 ? "is" : "are") + " left out"))
        }
        if collapsing.collapse != .none {
            let reason =
                options.collapse == .auto
                ? ", because \(options.effectiveBounds.reason); see more with --focus NAME, --critical, "
                    + "--kind or --window"
                    + Self.whole(selection, options.effectiveBounds)
                : ""
            add(
                "\(noun(selection.count)) "
                    + "\(selection.count == 1 ? "is" : "are") drawn as "
                    + Self.nodes(collapsing), reason)
        }
        let waits = collapsing.edges.omittedWaits
        if waits > 0 {
            add("\(Prose.counted(waits, "wait")) for a slot \(waits == 1 ? "has" : "have") no arrow")
        }
        if isMoved {
            add(
                "nodes are placed by time",
                ", because a layout by ranks would take minutes; --layout ranks forces it")
        }
        self.statements = statements
        self.sentences = sentences
    }

    /// How to see all of them, if possible.
    private static func whole(_ selection: GraphSelection, _ bounds: GraphBounds) -> String {
        selection.count > GraphBounds.mostNodes ? "" : ", or all of them \(bounds.alternative)"
    }

    /// `12 kinds`, `100 nodes: the 99 largest kinds and one of the 401 others`.
    private static func nodes(_ collapsing: GraphCollapsing) -> String {
        let contents = collapsing.folding.contents
        let noun = collapsing.collapse.noun
        guard case .others(let others)? = contents.last else {
            if collapsing.collapse != .group { return Prose.counted(contents.count, noun) }
            let groups = contents.reduce(0) { if case .group = $1 { $0 + 1 } else { $0 } }
            let single = contents.count - groups
            return Prose.counted(groups, noun)
                + (single == 0 ? "" : " and \(Prose.grouped(single)) outside of them")
        }
        return
            "\(Prose.counted(contents.count, "node")): the \(Prose.counted(contents.count - 1, noun)) "
            + "of the longest execution, and one node of the \(Prose.grouped(others)) others"
    }
}
