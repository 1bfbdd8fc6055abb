import EventLog
import WaitDiagnosis

/// What all wait for in a running program, and what misbehaves in it: what takes longer to find out than a look at the log.
struct LiveFindings {
    /// An operation, or a queue, that others wait for in the end.
    struct Origin {
        /// Its name, with what it does: `upload 1 is still executing, after 3.2 s on thread 17`. Safe for a terminal.
        let sentence: String
        /// How many wait for it, through others too.
        let waiting: Int
        /// Nothing of it will ever finish.
        let isDeadlock: Bool
    }

    /// What a rule of `opviz lint` found.
    struct Hazard: Hashable {
        let rule: String
        let severity: HazardSeverity
        /// A sentence without a full stop, safe for a terminal.
        let summary: String
        /// The operation that it is about, or 0.
        let operation: UInt64

        var isDeadlock: Bool { rule == SelfWaitDeadlock.name || rule == DependencyCycle.name }

        /// As a picture has it.
        var pictured: LivePicture.Hazard {
            .init(sentence: "\(rule): \(summary)", isError: severity == .error, isDeadlock: isDeadlock)
        }
    }

    /// Those of the rules that say something of a program that goes on. The others are about a run as a whole, or about
    /// what had not finished when it ended.
    static let rules: Set<String> = [
        SelfWaitDeadlock.name, DependencyCycle.name, LostFinisher.name, Limbo.name, ReadyNotStarted.name,
        FinishedBeforeStart.name, StartedAfterFinish.name, DoubleStart.name, DoubleFinish.name,
        RanWhileCancelled.name, CancelNotPropagated.name, SlowToCancel.name, WorkBeforeStart.name,
        RanAfterFailedDependency.name, StartedEarly.name, LateEdge.name, ThreadStarvation.name,
        PriorityInversion.name, PriorityStarvation.name,
    ]

    /// What is said of operations that could still go on is said only after so long, in nanoseconds. 5 s.
    private static let patience: Int64 = 5_000_000_000
    private static let patientRules: Set<String> = [LostFinisher.name, Limbo.name, ReadyNotStarted.name]
    private static let mostOrigins = 5

    private let state: LiveState
    private var header: LogHeader
    private let text: (UInt32) -> String

    /// - Parameters:
    ///   - missed: how many events are known to be missing. Rules that would take one for not having happened then say
    ///     nothing.
    ///   - text: the texts of the log, by their numbers.
    init(_ state: LiveState, _ header: LogHeader, missed: UInt64, text: @escaping (UInt32) -> String) {
        self.state = state
        self.header = header
        self.header.droppedEvents += missed
        self.text = text
    }

    /// In the order of the rules. Cost: O(n log n) in what has not finished, and in the operations that finished last.
    func hazards() -> [Hazard] {
        var made = LiveTrace(state, text: text)
        let report = HazardReport(
            made.make(header, includingRecent: true), rules: Self.rules, atLeast: .warning)
        return report.groups.flatMap { group in
            let isPatient = Self.patientRules.contains(group.rule)
            return group.findings.filter { !isPatient || $0.cost ?? 0 >= Self.patience }.map { finding in
                Hazard(
                    rule: group.rule, severity: finding.severity, summary: finding.summary,
                    operation: finding.operations.first.map { report.trace.operations[$0].id.rawValue } ?? 0)
            }
        }
    }

    /// Deadlocks first, then those with the most behind them. Cost: O(n log n) in what has not finished.
    func origins() -> [Origin] {
        var made = LiveTrace(state, text: text)
        return Self.origins(made.make(header, includingRecent: false))
    }

    private static func origins(_ trace: Trace) -> [Origin] {
        let timings = TraceTimings(trace)
        let report = UnfinishedReport(trace, timings.waits, end: timings.end)
        let origins = report.blockers.standstills.map { standstill in
            Origin(
                sentence: report.sentence(standstill),
                waiting: standstill.isDeadlock ? standstill.others.count : standstill.waiting,
                isDeadlock: standstill.isDeadlock)
        }
        let sorted = origins.filter { $0.waiting > 0 }.enumerated().sorted { one, other in
            if one.element.isDeadlock != other.element.isDeadlock { return one.element.isDeadlock }
            return (other.element.waiting, one.offset) < (one.element.waiting, other.offset)
        }
        return sorted.prefix(mostOrigins).map(\.element)
    }
}
