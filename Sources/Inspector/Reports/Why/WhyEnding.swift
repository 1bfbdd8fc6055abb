/// The end of a summary: what `opviz why` says first, and the commands that show more of it. Without the
/// replays of ``WhyReport``.
struct WhyEnding {
    static let label = "why"

    private let makespan: Int64
    private let cause: WhyReport.Cause?
    /// Whether the summary has the sentence of the cause already.
    private let isSaid: Bool
    private let conclusion: String?
    /// Whether `opviz why` finds more wrong.
    private let hasMore: Bool

    /// - Parameters:
    ///   - whole: of operations and tasks.
    ///   - report: of the same.
    ///   - unfinished: of the operations.
    ///   - delaying: what delayed the whole.
    ///   - saysWhatIsUnfinished: whether the summary says what never finished, and why.
    init(
        _ whole: TraceAnalysis, _ report: HazardReport, _ unfinished: UnfinishedReport,
        _ delaying: LazyValue<DelayChain>, saysWhatIsUnfinished: Bool
    ) {
        makespan = whole.makespan
        let wrong = WhyReport.wrong(report, unfinished, makespan: makespan)
        hasMore = wrong.causes.count > 1
        if let first = wrong.causes.first {
            cause = first
            isSaid = saysWhatIsUnfinished && WhyReport.neverEnds.contains(first.rule ?? "")
            conclusion = nil
        } else {
            // What never finished may be too short for a finding, but it is not right either.
            let isWell = !saysWhatIsUnfinished && !whole.trace.operations.isEmpty
            var delays = isWell ? WhyReport.delays(delaying.value, in: whole) : nil
            // Whether more slots would help takes replays, which only the command does.
            delays?.commands = [["critical-path", nil], ["whatif", nil]]
            cause = delays
            // A summary has what delayed the run.
            isSaid = true
            conclusion = isWell ? WhyReport.nothingWrong : nil
        }
    }

    /// The lines below each other, without the label.
    ///
    /// - Parameters:
    ///   - width: the columns, at which sentences are broken; commands are not.
    ///   - path: the trace's, for the commands; nil for no commands.
    func lines(width: Int?, path: String?) -> [String] {
        var lines: [String] = []
        if let sentence = isSaid ? conclusion : cause?.text(ofRun: makespan) {
            lines += Prose.wrapped(sentence, to: width).split(separator: "\n").map(String.init)
        }
        guard let path else { return lines }
        if let cause { lines.append(cause.commandLine(path, width: width)) }
        if hasMore { lines.append("more: " + WhyReport.command(["why", nil], path)) }
        return lines
    }
}
