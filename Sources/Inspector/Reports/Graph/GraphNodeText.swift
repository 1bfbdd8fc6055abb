import InspectorColumns

/// The lines of a node, for all formats. Only the title, the subtitle and the lines about unfinished
/// operations contain texts of the trace.
struct GraphNodeText {
    /// Shorter waits only clutter the picture: those below this many nanoseconds, or below a 20th of the
    /// execution time.
    private static let smallestWait: Int64 = 10_000
    private static let smallestShare: Int64 = 20
    private static let longestName = 20
    /// Marks operations that the focus names.
    static let focusMark = "◉"

    /// Before the title; usually empty.
    let mark: String
    let title: String
    let subtitle: String?
    /// How it ended and how long it executed.
    let figures: String
    /// What it waited for, the distribution of executions, and the number of failures.
    let details: [String]
    /// Which part of a node with several operations is on the critical path.
    let critical: String?
    /// The unfinished operation to look at first, and why it has not finished.
    let unfinished: [String]

    init(_ graph: DrawnGraph, _ index: Int) {
        let node = graph.nodes[index]
        if case .operation(let operation) = node.content {
            self.init(
                graph.trace.operations[operation], node, graph.options.label,
                isTask: graph.trace.task(operation) != nil)
        } else {
            self.init(folded: node, graph)
        }
    }

    private init(
        _ operation: TracedOperation, _ node: DrawnGraph.Node, _ label: GraphOptions.Label, isTask: Bool
    ) {
        let ending = node.ending
        mark = Self.mark(node)
        switch label {
        case .name:
            title = operation.displayName
            subtitle = operation.displayName == operation.kind ? nil : operation.kind
        case .kind:
            title = operation.kind
            subtitle = nil
        case .id:
            title = operation.id.description
            subtitle = operation.displayName
        }
        var figures = ending.label
        if operation.executing != nil, ending != .unobserved {
            let time = DurationFormat.text(nanoseconds: node.waits.execution)
            figures = ending == .succeeded ? time : "\(ending.label) · \(time)"
        }
        if isTask {
            let time = DurationFormat.text(nanoseconds: node.taskParts.total)
            figures = ending == .succeeded ? time : "\(ending.label) · \(time)"
        }
        if let slack = node.slack, !node.isCritical, slack > 0, operation.executing != nil {
            figures += " · slack \(DurationFormat.text(nanoseconds: slack))"
        }
        self.figures = figures
        details = isTask ? Self.parts(node.taskParts) : Self.wait(node.waits).map { [$0] } ?? []
        critical = nil
        unfinished = []
    }

    /// The two parts that took longest: `180 ms sleeping`. Those under a 20th of the lifetime are left out.
    private static func parts(_ parts: TaskParts) -> [String] {
        let sorted = TaskPart.allCases.sorted { (parts[$1], $0.rawValue) < (parts[$0], $1.rawValue) }
        return sorted.prefix(2).filter { parts[$0] > parts.total / smallestShare }.map {
            "\(DurationFormat.text(nanoseconds: parts[$0])) \($0.row.activity)"
        }
    }

    private static func mark(_ node: DrawnGraph.Node) -> String { node.focused > 0 ? focusMark + " " : "" }

    private init(folded node: DrawnGraph.Node, _ graph: DrawnGraph) {
        let trace = graph.trace
        let operations = node.members
        mark = Self.mark(node)
        switch node.content {
        case .kind(let kind):
            title = trace.operations.store.texts[trace.operations.store.columns.kindTexts[kind]]
            subtitle = operations
        case .group(let index):
            title = trace.operations[index].displayName
            subtitle = "group of \(operations)"
        case .queue(let queue):
            title = trace.queues[queue].displayName
            subtitle = operations
        case .noQueue:
            title = "in no queue"
            subtitle = operations
        case .others(let nodes):
            title = "others"
            subtitle = "\(Prose.counted(nodes, graph.collapse.noun)), \(operations)"
        case .operation:
            title = "?"
            subtitle = nil
        }
        let mean = node.meanWaits
        let isOfTasks = node.tasks == node.count
        let length = isOfTasks ? node.meanTaskParts.total : mean.execution
        figures = "mean \(DurationFormat.text(nanoseconds: length))"
        var details = isOfTasks ? Self.parts(node.meanTaskParts) : []
        if !isOfTasks, let execution = node.execution, execution.count > 1 {
            details.append(
                "p50 \(DurationFormat.text(nanoseconds: execution.p50)) · p95 "
                    + "\(DurationFormat.text(nanoseconds: execution.p95)) · max "
                    + "\(DurationFormat.text(nanoseconds: execution.max))"
            )
        }
        if !isOfTasks, let wait = Self.wait(mean, verb: "mean wait") { details.append(wait) }
        let endings = OperationEnding.allCases.filter { $0 != .succeeded && node.count($0) > 0 }
        if !endings.isEmpty {
            details.append(
                endings.map { "\(Prose.grouped(node.count($0))) \($0.label)" }.joined(separator: ", "))
        }
        self.details = details
        critical = node.criticalWords
        unfinished = node.lead.map { Self.unfinished($0, graph.analysis) } ?? []
    }

    private static func unfinished(_ lead: UnfinishedLead, _ analysis: TraceAnalysis) -> [String] {
        let operations = analysis.trace.operations
        let first = operations[lead.operation]
        func name(_ operation: TracedOperation) -> String {
            TerminalText.shortened(operation.displayName, toColumns: longestName)
        }
        var line = name(first)
        if let blocker = lead.blocker {
            line += " waits for \(name(operations[blocker]))"
        } else if first.executing != nil {
            let time = DurationFormat.text(nanoseconds: analysis.waits[lead.operation]?.execution ?? 0)
            line += " still executing, after \(time)"
        } else {
            line += first.ready == nil ? " was never ready" : " never started"
        }
        if lead.waiting == 0 { return [line] }
        return [
            line,
            lead.waiting == 1 ? "1 other waits for it" : "\(Prose.grouped(lead.waiting)) others wait for it",
        ]
    }

    /// `waited 3.2 ms, for a slot`: the total of all waits, and the largest one by name. Nil if they are
    /// short.
    private static func wait(_ waits: LifetimeParts, verb: String = "waited") -> String? {
        let parts = LifetimeParts.Part.allCases.filter { $0 != .execution }
        let total: Int64 = parts.reduce(0) { $0.saturatingAdd(waits[$1]) }
        guard let largest = parts.max(by: { waits[$0] < waits[$1] }), waits[largest] > 0 else { return nil }
        guard total >= max(waits.execution / Self.smallestShare, Self.smallestWait) else { return nil }
        let time = DurationFormat.text(nanoseconds: total)
        return largest.row.aside.isEmpty ? "\(time) unknown" : "\(verb) \(time), \(largest.row.aside)"
    }
}
