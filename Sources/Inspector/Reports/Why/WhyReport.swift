import EventLog
import InspectorColumns

/// Why a run took as long as it did, or did not end, in at most a dozen lines: the one to three things that
/// cost most, each with the command that shows more. Nothing is in it that another report does not prove.
public struct WhyReport: Sendable {
    /// One of the things that made the run long, or keep it from ending.
    public struct Cause: Sendable {
        /// A sentence without a full stop, safe for a terminal.
        public let sentence: String
        /// Nanoseconds that it cost, if known.
        public let cost: Int64?
        /// The rule of `lint` that found it; nil for what delayed the run without anything being wrong.
        public let rule: String?
        /// How bad the finding is; nil without a rule.
        public let severity: HazardSeverity?
        /// The first operation or Swift task that it is about; nil if it is about none.
        public let operation: OperationID?
        /// Arguments of `opviz`, without the trace: the command that shows more. `nil` stands for the trace.
        var commands: [[String?]]
        /// `finding:3`: what `lint` found; nil without a rule.
        var handle: String?
    }

    private static let most = 3
    /// A smaller part of the run, in percent, is not worth a change.
    private static let leastPart: Int64 = 5
    /// With more operations, replays would take longer than everything else here.
    private static let mostReplayed = 50_000

    /// The run in a clause, such as `quotes (pid 4711): 1.20 s, 45 operations`. Safe for a terminal.
    public let heading: String
    /// The most important first. Empty for a run in which nothing was wrong, and nothing took long.
    public let causes: [Cause]
    /// What else is known of a run without findings; nil for others. A sentence without a full stop, safe for
    /// a terminal.
    public let conclusion: String?
    let makespan: Int64
    let process: String

    /// Cost: that of all rules of `lint`; and for at most 50,000 operations, three replays.
    ///
    /// - Parameter analysis: of the operations of a trace, without its Swift tasks.
    public init(_ analysis: TraceAnalysis) {
        let whole = analysis.withTasks
        let delays = BackgroundValue { Self.delays(DelayChains(whole).ofRun, in: whole) }
        let unfinished = UnfinishedReport(analysis)
        self.init(
            analysis, whole, HazardReport(whole), unfinished, delays.value,
            predictions: Predictions(analysis, unfinished))
    }

    /// From what is known already.
    ///
    /// - Parameters:
    ///   - whole: the same with Swift tasks, of which the others are.
    ///   - unfinished: of the operations.
    ///   - delays: what delayed the whole.
    ///   - predictions: for the operations; nil if none of them was added.
    ///   - known: what was predicted already.
    init(
        _ analysis: TraceAnalysis, _ whole: TraceAnalysis, _ report: HazardReport,
        _ unfinished: UnfinishedReport, _ delays: Cause?, predictions: @autoclosure () -> Predictions?,
        _ known: [WhatIfReport.Row] = []
    ) {
        makespan = whole.makespan
        process = analysis.trace.header.process
        heading = Self.heading(analysis, whole)
        let wrong = Self.wrong(report, unfinished, makespan: makespan)
        if wrong.isStuck {
            causes = wrong.causes
            conclusion = nil
            return
        }
        let gain = Self.gain(analysis, predictions(), known)
        var causes = wrong.causes
        if let delays { causes.append(delays) }
        if causes.count < Self.most, let saved = Self.cause(gain) { causes.append(saved) }
        self.causes = causes
        conclusion = wrong.causes.isEmpty ? Self.conclusion(whole, gain) : nil
    }

    static let neverEnds = Set(HazardReport.rulesOfWhatNeverEnds)

    // MARK: The run

    private static func heading(_ analysis: TraceAnalysis, _ whole: TraceAnalysis) -> String {
        let trace = analysis.trace
        let programs = ProcessNames.programs(trace.processes) { TerminalText.shortened($0, toColumns: 40) }
        let tasks = trace.tasks.entries.indices.count { trace.tasks.start(of: $0) != nil }
        var heading = Prose.list(programs.prefix(2), of: programs.count)
        heading += ": \(DurationFormat.text(nanoseconds: whole.makespan)), "
        heading += Prose.counted(operations: trace.operations.count, tasks: tasks)
        guard let use = ProcessorUse(whole.timings), whole.makespan > 0 else { return heading }
        let onCPU = use.parts(of: whole.trace.operations.indices).onCPU
        let outside = OutsideStretches(use).onCPU
        let average = Double(onCPU + outside) / Double(whole.makespan)
        if average < 0.01 { return heading + ", hardly any CPU used" }
        let usable = trace.processes.compactMap(\.processors).map(\.usable).max()
        return heading + ", \(Prose.twoDecimals(average))" + (usable.map { " of \($0)" } ?? "")
            + " CPUs in use"
            + (outside > onCPU ? ", mostly by threads without operations" : "")
    }

    // MARK: What was wrong

    /// The causes that `lint` found, and whether the run could not end because of them. Only in a run that
    /// could end are other causes worth a line.
    static func wrong(
        _ report: HazardReport, _ unfinished: UnfinishedReport, makespan: Int64
    ) -> (causes: [Cause], isStuck: Bool) {
        let findings = findings(report, makespan: makespan)
        let stuck = findings.filter { neverEnds.contains($0.rule ?? "") }
        guard unfinished.isStandingStill || stuck.contains(where: { $0.severity == .error }) else {
            return (Array(findings.prefix(most - 1)), false)
        }
        return (Array((stuck.isEmpty ? findings : stuck).prefix(most)), true)
    }

    /// The worst finding of each rule, the worst first; of equal severity those that cost most. Notes only if
    /// they cost a noticeable part of the run.
    private static func findings(_ report: HazardReport, makespan: Int64) -> [Cause] {
        var found: [Cause] = []
        for rule in report.rules {
            let groups = report.groups.filter { group in
                group.rule == rule
                    && (group.severity >= .warning || report.isNoticeable(group, ofRun: makespan))
            }
            let worst = groups.max { ($0.severity, $0.cost ?? 0) < ($1.severity, $1.cost ?? 0) }
            guard let worst, let first = worst.findings.max(by: { $0.cost ?? 0 < $1.cost ?? 0 }) else {
                continue
            }
            let more = groups.reduce(-1) { $0 + ($1.severity == first.severity ? $1.count : 0) }
            let handle = "finding:\(first.number ?? 0)"
            let operation = first.operations.first.map { report.trace.operations[$0].id }
            found.append(
                Cause(
                    sentence: first.summary + (more > 0 ? "; \(Prose.grouped(more)) more like it" : ""),
                    cost: first.cost, rule: rule, severity: first.severity, operation: operation,
                    commands: [["lint", nil, handle]]
                        + (operation.map { [["explain", nil, "\($0)"]] } ?? [])
                        + (more > 0 ? [["lint", "--rule", rule, nil]] : []),
                    handle: handle))
        }
        return found.enumerated().sorted {
            let (one, other) = ($0.element, $1.element)
            let order = (one.severity ?? .note, one.cost ?? 0)
            let otherOrder = (other.severity ?? .note, other.cost ?? 0)
            return order == otherOrder ? $0.offset < $1.offset : order > otherOrder
        }.map(\.element)
    }

    // MARK: What delayed it

    /// What made it as long as it was, though nothing was wrong with that.
    static func delays(_ chain: DelayChain, in whole: TraceAnalysis) -> Cause? {
        guard !chain.steps.isEmpty, !chain.isCircular else { return nil }
        let names = OperationNames(whole.trace, longestName: 30)
        let composition = chain.composition { names[$0] }
        guard !composition.isEmpty else { return nil }
        if let additions = chain.additions(in: whole, { names[$0] }) {
            return Cause(
                sentence: additions, cost: nil, rule: nil, severity: nil, operation: nil,
                commands: [["critical-path", nil]])
        }
        let kinds = chain.kindsInOrder(of: whole) { TerminalText.shortened($0, toColumns: 30) }
        let last = chain.steps.last.map { whole.trace.operations[$0.operation].id }
        return Cause(
            sentence: "the run was delayed by \(composition)\(chain.noticeableLead(in: whole) ?? "")"
                + (kinds.map { ": \($0)" } ?? ""),
            cost: nil, rule: nil, severity: nil, operation: nil,
            commands: [["critical-path", nil]] + (last.map { [["explain", nil, "\($0)"]] } ?? []))
    }

    // MARK: What would help

    /// What a run with unlimited slots would have taken.
    private struct Gain {
        let makespan: ClosedRange<Int64>
        let recorded: Int64

        /// The most that it would be shorter, as a fraction.
        var most: Double { 1 - Double(makespan.lowerBound) / Double(recorded) }
        /// As a fraction, by how much it would be shorter at least.
        var least: Double { 1 - Double(makespan.upperBound) / Double(recorded) }
        var isNoticeable: Bool { most * 100 >= Double(leastPart) }
    }

    /// Nil if it cannot be predicted, or would take too long.
    private static func gain(
        _ analysis: TraceAnalysis, _ predictions: @autoclosure () -> Predictions?, _ known: [WhatIfReport.Row]
    ) -> Gain? {
        guard (1...mostReplayed).contains(analysis.trace.operations.count),
            let predictions = predictions(), predictions.obstacle == nil, predictions.recorded > 0
        else { return nil }
        let unlimited = ReplayScenario(slots: .unlimited)
        let prediction =
            known.first { $0.scenario == unlimited }?.prediction ?? predictions.predict(unlimited)
        guard prediction.stuckOperations == 0, !prediction.isBoundByQuota else { return nil }
        return Gain(makespan: prediction.range, recorded: predictions.recorded)
    }

    private static func cause(_ gain: Gain?) -> Cause? {
        guard let gain, gain.isNoticeable else { return nil }
        let shortest = DurationFormat.text(nanoseconds: gain.makespan.lowerBound)
        var sentence = "with unlimited slots in every queue it would have taken "
        if gain.least * 100 >= Double(leastPart) {
            sentence += "\(DurationFormat.text(nanoseconds: gain.makespan.upperBound)), "
            sentence += "\(DurationFormat.percent(gain.least)) less"
        } else {
            sentence += "\(shortest) with a thread for each slot, and may not have been shorter otherwise"
        }
        return Cause(
            sentence: sentence, cost: nil, rule: nil, severity: nil, operation: nil,
            commands: [["whatif", nil]])
    }

    static let nothingWrong = "nothing was found wrong"

    private static func conclusion(_ whole: TraceAnalysis, _ gain: Gain?) -> String {
        var text = nothingWrong
        if let gain, !gain.isNoticeable { text += "; more slots would not make it noticeably shorter" }
        let path = whole.criticalPath
        if whole.makespan > 0, !path.operations.isEmpty {
            let share = Prose.percent(path.length, of: whole.makespan)
            text += "; the critical path is \(share) % of it (\(path.countText(in: whole.trace)))"
        }
        return text
    }
}
