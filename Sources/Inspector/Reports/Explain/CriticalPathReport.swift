/// The critical path read in two ways: what happened, and what more slots could change.
public struct CriticalPathReport: Sendable {
    let analysis: TraceAnalysis
    /// Nil if the trace does not say when threads were on processors.
    let parts: CriticalPathParts?

    /// The rows above each step cover its wait for dependencies.
    private static let waits = LifetimeParts.Part.allCases.filter { $0 != .dependency && $0 != .execution }
    private static let taskWaits: [TaskPart] = [.executor, .actor, .sleep, .unknown]

    /// Whether the steps of an operation are shown; nil to show all.
    private let isSelected: (@Sendable (Int) -> Bool)?

    /// Linear in switches; its members do the other work.
    public init(_ analysis: TraceAnalysis) { self.init(analysis, only: nil) }

    /// - Parameter isSelected: whether to show the steps of an operation; nil to show all.
    package init(_ analysis: TraceAnalysis, only isSelected: (@Sendable (Int) -> Bool)?) {
        self.analysis = analysis
        self.isSelected = isSelected
        // They would count the threads of tasks as threads that do nothing for the path.
        let hasTasks = !analysis.trace.tasks.isEmpty
        parts = hasTasks ? nil : CriticalPathParts(analysis, ProcessorUse(analysis.timings))
    }

    func isShown(_ operation: Int) -> Bool { isSelected?(operation) ?? true }

    /// Safe for a terminal with this many columns; `nil` to use as many as the names need.
    ///
    /// - Parameter all: whether to show every step of a long chain instead of only its beginning and its end.
    public func text(width: Int? = 80, all: Bool = false) -> String {
        let chain = DelayChains(analysis).ofRun
        if chain.steps.isEmpty { return "No operations.\n" }
        let (names, end) = (OperationNames(analysis.trace), RunEnd(analysis, analysis))
        return WritingStyle(width: width, isWhole: all).fitting(rows: DelayChainTable.shownSteps) {
            text(chain, names, end, limit: $1, width: $0.width)
        }
    }

    private func text(
        _ chain: DelayChain, _ names: OperationNames, _ end: RunEnd, limit: Int, width: Int?
    ) -> String {
        let standstill = end.unfinished.isStandingStill || chain.isCircular ? end.reason : nil
        if let standstill {
            let length = DurationFormat.text(nanoseconds: analysis.makespan)
            return Prose.wrapped("The run had not finished after \(length): \(standstill).", to: width)
                + "\n\n"
                + DelayChainTable(names: names, isNumbered: true, isSelected: isSelected).text(
                    chain, title: "What its last operation waited for (times since the start of the trace)",
                    limit: limit, width: width)
        }
        return Prose.wrapped(answer(chain, names), to: width) + "\n\n"
            + DelayChainTable(names: names, isNumbered: true, isSelected: isSelected).text(
                chain, title: "Through everything that delayed it (times since the start of the trace)",
                limit: limit, width: width)
            + "\n" + dependencies(names, limit: limit, width: width)
            + (parts.map { "\n" + Prose.wrapped("Executions on this path: \($0.text).", to: width) + "\n" }
                ?? "")
    }

    private func answer(_ chain: DelayChain, _ names: OperationNames) -> String {
        let length = DurationFormat.text(nanoseconds: analysis.makespan)
        if let additions = chain.additions(in: analysis, { names[$0] }) {
            return "The run took \(length): \(additions)."
        }
        var text =
            "The run took \(length). What delayed it, step by step: \(chain.compositionInWords { names[$0] })"
        if let lead = chain.lead(in: analysis, names) { text += ", " + lead }
        return text + "."
    }

    private func dependencies(_ names: OperationNames, limit: Int, width: Int?) -> String {
        let path = analysis.criticalPath
        let share =
            analysis.makespan == 0
            ? ""
            : ", \(Prose.percent(path.length, of: analysis.makespan)) % of the run; "
                + "more slots cannot make it shorter"
        var table = TextTable(
            title: "Through dependencies only (\(DurationFormat.text(nanoseconds: path.length))\(share))",
            columns: [
                .number("at"), .number("waited"), .word("for"), .number("executed"), .wrapped("operation"),
            ])
        let shown = path.operations.filter(isShown)
        table.append(shown, most: limit) { index in
            let waits = analysis.waits[index] ?? LifetimeParts()
            let (waited, reason) = wait(of: index, waits)
            let start =
                analysis.trace.operations[index].executing ?? analysis.trace.operations[index].enqueued
            return [
                DurationFormat.text(nanoseconds: start?.notAfter ?? 0),
                waited == 0 ? "-" : DurationFormat.text(nanoseconds: waited),
                waited == 0 ? "" : reason,
                waits.execution == 0 ? "-" : DurationFormat.text(nanoseconds: waits.execution),
                names[index],
            ]
        } more: { hidden in
            [
                "…", "", "", "",
                "\(Prose.counted(hidden, "more operation"))\(DelayChainTable.howToSee)",
            ]
        }
        return table.text(width: width)
            + DelayChainTable.others(path.operations.count - shown.count, "operation", width)
    }

    /// How long an operation or task waited for what no row above it covers, and for what longest.
    private func wait(of index: Int, _ waits: LifetimeParts) -> (time: Int64, reason: String) {
        guard let task = analysis.trace.task(index) else {
            let longest = Self.waits.max { waits[$0] < waits[$1] }
            return (waits.total - waits.dependency - waits.execution, longest?.row.object ?? "")
        }
        let parts = TaskLifetimes(analysis.trace.tasks).parts(of: task)
        let longest = Self.taskWaits.max { parts[$0] < parts[$1] }
        return (Self.taskWaits.reduce(0) { $0 + parts[$1] }, longest?.row.object ?? "")
    }
}

extension CriticalPathReport: Writable {
    package static var renderers: [Renderer<CriticalPathReport>] {
        [
            Renderer(.text, text: { $0.text(width: $1.width, all: $1.isWhole) }),
            Renderer(.json, bytes: { report, _ in report.json }),
        ]
    }
}
