import InspectorColumns

/// What had not finished at the end of a trace, and what it waited for.
struct RunEnd {
    let unfinished: UnfinishedReport
    private let ofTasks: LazyValue<String?>

    /// - Parameters:
    ///   - analysis: of operations, or of operations and tasks.
    ///   - whole: of operations and tasks.
    init(_ analysis: TraceAnalysis, _ whole: TraceAnalysis) {
        unfinished = UnfinishedReport(analysis)
        ofTasks = LazyValue { TaskStandstillText.line(whole.trace, whole.blockers) }
    }

    /// What operations, and what Swift tasks wait for. Safe for a terminal; without a full stop.
    var lines: [String] { [unfinished.line, ofTasks.value].compactMap(\.self) }

    /// What a run waited for that did not finish. Of tasks only if it stood still because of them: most
    /// programs end while some of their tasks wait for more to do.
    var reason: String? {
        guard unfinished.isHeldUpByTasks else { return unfinished.line }
        return lines.joined(separator: "; ")
    }
}
