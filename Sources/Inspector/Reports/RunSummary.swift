import InspectorColumns

/// A run in a few lines: what to know before you look at the picture or the table.
public struct RunSummary: Sendable {
    private static let longestName = 24
    private static let shownKinds = 5
    private static let labelWidth = 16

    private let analysis: TraceAnalysis
    /// Of operations and tasks, if it exists already.
    private let knownWhole: TraceAnalysis?

    /// Constant time: ``text(width:)`` does the work.
    public init(_ analysis: TraceAnalysis) { self.init(analysis, whole: nil) }

    /// The same with an analysis of operations and tasks that exists already.
    package init(_ analysis: TraceAnalysis, whole: TraceAnalysis?) {
        self.analysis = analysis
        knownWhole = whole
    }

    /// Lines with a newline each, safe for a terminal. Does not include what the trace lost.
    ///
    /// - Parameter width: the columns of the terminal, at which longer lines are broken; `nil` for no breaks.
    public func text(width: Int? = nil) -> String { text(width: width, path: nil) }

    /// The same, ending with the commands that show more of what was found.
    ///
    /// - Parameters:
    ///   - path: the trace's, for the commands; nil for no commands.
    ///   - addition: what else is known of the run, before what was found; each line with a newline.
    package func text(width: Int?, path: String?, addition: String = "") -> String {
        let whole = knownWhole ?? analysis.withTasks
        // For a large trace it takes longer than everything else.
        let report = BackgroundValue { HazardReport(whole) }
        let end = RunEnd(analysis, whole)
        let delays = LazyValue { DelayChains(whole).ofRun }
        var lines = facts(whole, end, delays)
        for (index, kind) in slowestKinds.enumerated() {
            lines.append((index == 0 ? "slowest kinds" : "", kind))
        }
        let ending = WhyEnding(
            whole, report.value, end.unfinished, delays, saysWhatIsUnfinished: !end.lines.isEmpty)
        let why = ending.lines(width: width.map { max(1, $0 - Self.labelWidth) }, path: path)
        return lines.map { Self.line($0, $1, width: width) }.joined() + addition
            + why.enumerated().map { Self.line($0 == 0 ? WhyEnding.label : "", $1, width: nil) }.joined()
    }

    /// A text beside its label, broken at the columns of the terminal, and a newline.
    package static func line(_ label: String, _ text: String, width: Int?) -> String {
        let wrapped = Prose.wrapped(text, to: width.map { max(1, $0 - labelWidth) })
        let indent = "\n" + String(repeating: " ", count: labelWidth)
        return pad(label, to: labelWidth) + wrapped.replacing("\n", with: indent) + "\n"
    }

    private var processes: String {
        let programs = ProcessNames.programs(analysis.trace.processes, shortened: shortened)
        let list = Prose.list(programs.prefix(4), of: programs.count)
        return analysis.trace.header.processors.map { "\(list) on \($0.text)" } ?? list
    }

    /// Everything except the kinds. An entry without a label continues the one before.
    var facts: [(label: String, text: String)] {
        let whole = knownWhole ?? analysis.withTasks
        return facts(whole, RunEnd(analysis, whole), LazyValue { DelayChains(whole).ofRun })
    }

    /// - Parameters:
    ///   - whole: of operations and tasks.
    ///   - delays: of the same.
    private func facts(
        _ whole: TraceAnalysis, _ end: RunEnd, _ delays: LazyValue<DelayChain>
    ) -> [(label: String, text: String)] {
        let trace = analysis.trace
        // For a large trace this takes as long as everything else.
        let concurrency = BackgroundValue { [analysis] in ConcurrencySummary(analysis).lines }
        let processors = ProcessorSummary(analysis)
        var lines: [(label: String, text: String)] = []
        for line in end.lines { lines.append((lines.isEmpty ? "never finished" : "", line)) }
        lines.append((trace.isMerged ? "processes" : "process", processes))
        let tasks = TaskSummary(analysis.timings)
        // In a run that hangs, they would measure how long somebody waited before ending it.
        let hasPaths = !end.unfinished.isStandingStill
        if let tasks, trace.operations.isEmpty {
            return lines + tasks.lines + (hasPaths ? paths(of: whole, nil, delays) : [])
        }
        lines.append(("operations", operations))
        lines += tasks?.lines ?? []
        lines.append(("edges", Prose.grouped(trace.edges.count)))
        lines.append(("queues", Prose.grouped(trace.queues.count)))
        lines.append(("makespan", DurationFormat.text(nanoseconds: whole.makespan)))
        if hasPaths {
            lines += paths(of: whole, processors, delays)
            if leavesOutParents {
                lines.append(("", "work and concurrency: \(ConcurrencySummary.parents)"))
            }
        }
        lines += concurrency.value
        lines += processors?.lines ?? []
        if let times = ProcessorTimesText(analysis) {
            lines.append((ProcessorTimesText.label, times.text))
        }
        return lines
    }

    /// What made the run as long as it was, and what could make it shorter.
    ///
    /// - Parameters:
    ///   - analysis: of operations and tasks.
    ///   - delays: of the same.
    private func paths(
        of analysis: TraceAnalysis, _ processors: ProcessorSummary?, _ delays: LazyValue<DelayChain>
    ) -> [(label: String, text: String)] {
        let trace = analysis.trace
        var lines: [(label: String, text: String)] = []
        let delays = delays.value
        let composition = delays.composition { shortened(trace.operations[$0].displayName) }
        if !composition.isEmpty {
            let additions = delays.additions(in: analysis) { OperationNames(trace)[$0] }
            let lead = delays.noticeableLead(in: analysis) ?? ""
            lines.append(("delayed by", additions ?? composition + lead))
            if additions == nil, let chain = delays.kindsInOrder(of: analysis, shortened) {
                lines.append(("", chain))
            }
        }
        if !analysis.criticalPath.operations.isEmpty {
            lines.append(("critical path", criticalPath(analysis)))
            lines.append(("", chain(analysis)))
            if trace.tasks.isEmpty, let path = processors?.criticalPath { lines.append(("", path)) }
        }
        if let parallelism = analysis.parallelism {
            lines.append(
                (
                    "parallelism",
                    "at most \(Prose.twoDecimals(parallelism)) × as fast as one operation at a time, "
                        + "with unlimited slots and CPUs (this run: "
                        + "\(Prose.twoDecimals(Double(analysis.work) / Double(analysis.makespan))) ×)"
                ))
        }
        return lines
    }

    /// Whether a parent executed to the end without being counted.
    private var leavesOutParents: Bool {
        let columns = analysis.trace.operations.store.columns
        if analysis.kinds.unfinished == 0 { return false }
        let (waits, children) = (ChildWaits(analysis.trace), analysis.nesting.children)
        return analysis.trace.operations.indices.contains { parent in
            columns.executing.has(parent) && !columns.finished.has(parent)
                && waits.isWaiting(parent)
                && children[parent].contains { !columns.finished.has(Int($0)) }
        }
    }

    /// `45: 43 succeeded, 1 failed, 1 cancelled`.
    private var operations: String {
        let kinds = analysis.kinds
        let (count, failed) = (kinds.operations, kinds.failed)
        let (cancelled, unfinished) = (kinds.cancelled, kinds.unfinished)
        let parts = [
            (count - failed - cancelled - unfinished, "succeeded"), (failed, "failed"),
            (cancelled, "cancelled"),
            (unfinished, "never finished"),
        ]
        if count == 0 { return "none" }
        if parts[0].0 == count { return "\(Prose.grouped(count)), all succeeded" }
        let shown = parts.filter { $0.0 > 0 }.map { "\(Prose.grouped($0.0)) \($0.1)" }
        return "\(Prose.grouped(count)): " + shown.joined(separator: ", ")
    }

    private func criticalPath(_ analysis: TraceAnalysis) -> String {
        let path = analysis.criticalPath
        let length = DurationFormat.text(nanoseconds: path.length)
        let count = path.countText(in: analysis.trace)
        if analysis.makespan == 0 { return "\(length), \(count)" }
        let share = Prose.percent(path.length, of: analysis.makespan)
        return "\(length), \(share) % of the makespan, \(count)"
    }

    /// The names along the critical path; for a long path, its beginning and its end.
    private func chain(_ analysis: TraceAnalysis) -> String {
        let path = analysis.criticalPath.operations
        func names(_ indices: some Sequence<Int>) -> [String] {
            indices.map { shortened(analysis.trace.operations[$0].displayName) }
        }
        if path.count <= 5 { return names(path).joined(separator: " → ") }
        let left = path.count - 4
        return (names(path.prefix(2)) + ["… \(Prose.grouped(left)) more …"] + names(path.suffix(2))).joined(
            separator: " → ")
    }

    /// Name, count, mean and longest execution of each kind, in columns.
    private var slowestKinds: [String] {
        // A kind that was never started has no times.
        let kinds = analysis.kinds.prefix(Self.shownKinds).filter { $0[.execution].max > 0 }
        let cells = kinds.map { kind in
            [
                shortened(kind.name), "\(Prose.grouped(kind.count)) ×",
                DurationFormat.text(nanoseconds: kind[.execution].mean),
                DurationFormat.text(nanoseconds: kind[.execution].max),
            ]
        }
        let widths = (0..<4).map { column in
            cells.reduce(0) { max($0, TextWidth.columns(of: $1[column])) }
        }
        return cells.map { row in
            let numbers = (1..<4).map { Self.padLeft(row[$0], to: widths[$0]) }
            return "\(Self.pad(row[0], to: widths[0]))  \(numbers[0])  mean \(numbers[1])  max \(numbers[2])"
        }
    }

    private func shortened(_ name: String) -> String {
        TerminalText.shortened(name, toColumns: Self.longestName)
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - TextWidth.columns(of: text)))
    }

    private static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - TextWidth.columns(of: text))) + text
    }
}

extension CriticalPath {
    /// `3 operations and 4 tasks`.
    func countText(in trace: Trace) -> String {
        let tasks = operations.count { trace.task($0) != nil }
        return Prose.counted(operations: operations.count - tasks, tasks: tasks)
    }
}
