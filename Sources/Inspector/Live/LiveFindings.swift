import EventLog
import WaitDiagnosis

/// What everything is waiting for in a running program at one moment, and what misbehaves. This takes longer
/// to find out than reading the log.
struct LiveFindings {
    /// An operation, a Swift task or a queue that others are ultimately waiting for, or an operation that
    /// takes unusually long.
    struct Origin: Sendable {
        /// 0 for a queue or a Swift task.
        let operation: UInt64
        /// The Swift task, or the first of several; 0 for an operation or a queue.
        var task: UInt64 = 0
        /// Its name, and what it does: `upload 1 is still executing, after 3.20 s on thread 17`. Safe for
        /// a terminal.
        let sentence: String
        /// How many are waiting for it, directly or through others; without those of a circle.
        let waiting: Int
        /// How long it has been in this state, in nanoseconds.
        let duration: Int64
        /// Whether the others can never finish.
        let isDeadlock: Bool
        /// Whether its body has returned, so that no thread executes it.
        let isOffThread: Bool
        /// Whether that is unusual, for its kind or for any operation.
        let isUnusual: Bool
    }

    /// A finding of a rule of `opviz lint`.
    struct Hazard: Hashable {
        let rule: String
        let severity: HazardSeverity
        /// A sentence without a full stop, safe for a terminal.
        let summary: String
        /// The operation that it is about, or 0.
        let operation: UInt64

        var isDeadlock: Bool { LiveRules.deadlocks.contains(rule) }
    }

    /// Operations that others wait for are reported only after this time, in nanoseconds: in a working
    /// program, such an operation exists at every moment. 1 s.
    private static let noticeable: Int64 = 1_000_000_000
    private static let mostOrigins = 5

    let moment: LiveMoment
    private let state: LiveState
    /// What a thread does, such as `blocked in futex_wait`; nil if that is not known.
    private let thread: (UInt64) -> String?

    /// Cost: O(n log n) in the operations that are open.
    ///
    /// - Parameters:
    ///   - header: its `lastAlive` is the moment.
    ///   - missed: how many events are known to be missing. Rules that depend on an event not having happened
    ///     then report nothing.
    ///   - thread: what a thread does, such as `blocked in futex_wait`; nil if that is not known.
    ///   - text: returns the text for a number in the log.
    init(
        _ state: LiveState, _ header: LogHeader, missed: UInt64,
        thread: @escaping (UInt64) -> String? = { _ in nil }, text: @escaping (UInt32) -> String
    ) {
        self.state = state
        self.thread = thread
        var header = header
        let (dropped, isTooMany) = header.droppedEvents.addingReportingOverflow(missed)
        header.droppedEvents = isTooMany ? .max : dropped
        moment = LiveMoment(state, header, text: text)
    }

    // MARK: Hazards

    /// The findings of the rules, in their order. Cost: O(n log n) in unfinished operations, and in the last
    /// finished ones.
    func ruleHazards() -> [Hazard] {
        let report = HazardReport(moment.trace, rules: LiveRules.all, atLeast: .warning)
        return report.groups.flatMap { group in
            let isPatient = LiveRules.patient.contains(group.rule)
            return group.findings.filter { !isPatient || $0.cost ?? 0 >= LiveRules.leastTime }.map {
                finding in
                Hazard(
                    rule: group.rule, severity: finding.severity, summary: finding.summary,
                    operation: finding.operations.first.map { report.trace.operations[$0].id.rawValue } ?? 0)
            }
        }
    }

    /// Operations that `opviz lint` would report as `never-finished` if the log ended here, unless that is
    /// usual for them: the first of each kind, with the number of others. Reports nothing if an event may be
    /// missing.
    ///
    /// - Parameter found: the findings of the rules, which are not repeated.
    func stuckHazards(_ origins: [Origin], besides found: [Hazard]) -> [Hazard] {
        guard moment.trace.header.droppedEvents == 0 else { return [] }
        let told = Set(found.map(\.operation))
        let stuck = origins.filter { origin in
            origin.operation != 0 && !origin.isDeadlock && origin.duration >= LiveRules.leastTime
                && !told.contains(origin.operation)
        }
        func kind(_ origin: Origin) -> UInt32? { state.operations[origin.operation]?.kind }
        let counts = Dictionary(stuck.map { (kind($0), 1) }, uniquingKeysWith: +)
        var kinds: Set<UInt32?> = []
        return stuck.filter { kinds.insert(kind($0)).inserted }.prefix(Self.mostOrigins).map { origin in
            let more = (counts[kind(origin)] ?? 1) - 1
            let words =
                more == 0 ? "" : "; \(Prose.grouped(more)) more of its kind \(more == 1 ? "is" : "are") stuck"
            return Hazard(
                rule: LiveRules.neverFinished, severity: origin.isUnusual ? .error : .warning,
                summary: origin.sentence + words, operation: origin.operation)
        }
    }

    // MARK: What everything is waiting for

    /// Deadlocks first, then those with the most operations behind them, then those that have taken longest.
    /// Includes those that nothing waits for, which the picture does not show. Cost: O(n log n) in unfinished
    /// operations.
    func origins() -> [Origin] {
        func rank(_ origin: Origin) -> (Int, Int, Int64) {
            (origin.isDeadlock ? 1 : 0, origin.waiting, origin.duration)
        }
        let report = moment.report { [moment, state] index in
            let operation = moment.trace.operations[index].id.rawValue
            return state.operations[operation]?.kind.flatMap { state.usualTimes[$0] }
        }
        let origins = report.blockers.standstills.compactMap { origin($0, report) } + originsOfTasks()
        return origins.enumerated().sorted {
            one, other in
            let (first, second) = (rank(one.element), rank(other.element))
            return first == second ? one.offset < other.offset : first > second
        }.map(\.element)
    }

    /// Swift tasks that others wait for. Sleeping ones go on by themselves, and loops wait for what comes
    /// next.
    private func originsOfTasks() -> [Origin] {
        let tasks = moment.trace.tasks
        guard !tasks.isEmpty, moment.trace.header.droppedEvents == 0 else { return [] }
        let standstills = TaskStandstills(moment.trace, moment.blockers)
        let noticeable = standstills.all.filter { standstill in
            standstills.neverEnds(standstill)
                || standstill.waiting > 0 && !standstill.isSleep && !standstills.isLoop(standstill.tasks[0])
                    && moment.time - standstill.since >= Self.noticeable
        }
        if noticeable.isEmpty { return [] }
        let text = TaskStandstillText(moment.trace.withTasks()) { thread($0.number) }
        return noticeable.prefix(Self.mostOrigins).map { standstill in
            Origin(
                operation: 0, task: tasks.entries[standstill.tasks[0]].identifier,
                sentence: text.sentence(standstill, countsWaiting: false),
                waiting: standstill.waiting, duration: max(0, moment.time - standstill.since),
                isDeadlock: standstills.neverEnds(standstill), isOffThread: true, isUnusual: true)
        }
    }

    /// The origins that fit on a screen.
    static func shown(_ origins: [Origin]) -> [Origin] {
        Array(origins.lazy.filter { $0.waiting > 0 || $0.isDeadlock }.prefix(mostOrigins))
    }

    /// Nil if it has not taken unusually long.
    private func origin(_ standstill: Standstill, _ report: UnfinishedReport) -> Origin? {
        let members = report.operations([standstill.operation] + standstill.others)
        let operations = moment.trace.operations
        let operation = operations[members[0]]
        let mayBeDeadlock = report.mayBeDeadlock(standstill)
        let tasks = mayBeDeadlock ? standstill.tasks(in: report.blockers.graph).count : 0
        func make(_ duration: Int64, isUnusual: Bool) -> Origin {
            let isQueue = if case .suspended = standstill.cause { true } else { false }
            return Origin(
                operation: isQueue ? 0 : operation.id.rawValue,
                sentence: report.sentence(standstill),
                waiting: standstill.waiting + tasks, duration: duration, isDeadlock: standstill.isDeadlock,
                isOffThread: operation.bodyEnded != nil, isUnusual: isUnusual)
        }
        switch standstill.cause {
        case .executing: break
        case .suspended(let queue):
            let since = moment.trace.queues[queue].suspensions.last?.lowerBound ?? moment.time
            return make(max(0, moment.time - since), isUnusual: false)
        // Operations whose events were missed may have the slots that seem to be free.
        case .notStarted where moment.trace.header.droppedEvents > 0: return nil
        case .notStarted:
            let longest = members.lazy.map { startable(operations[$0].id.rawValue) }.max() ?? 0
            return longest >= Self.noticeable ? make(longest, isUnusual: true) : nil
        case .deadlock, .unnotified, .cancelled, .notAdded, .notReady, .full:
            // Tasks, which a circle may include, are not among the operations.
            let longest =
                members.lazy.filter { operations.indices.contains($0) }
                .map { moment.timings.waits[$0]?.total ?? 0 }.max() ?? 0
            let isCertain = standstill.isDeadlock || standstill.cause == .unnotified
            return isCertain || longest >= Self.noticeable ? make(longest, isUnusual: true) : nil
        }
        let execution = report.execution(of: members[0])
        guard execution.executed >= Self.noticeable,
            execution.usual == nil || execution.isUnusual || mayBeDeadlock
        else { return nil }
        return make(execution.executed, isUnusual: execution.isUnusual || mayBeDeadlock)
    }

    /// How long it has been ready while no operation of its queue started or finished, in nanoseconds. Until
    /// then, others may have had the slot that is free now, or were before it.
    private func startable(_ id: UInt64) -> Int64 {
        guard let operation = state.operations[id], operation.ready != LiveOperation.never else { return 0 }
        var since = operation.ready
        if operation.queue >= 0 {
            let last = state.queues[Int(operation.queue)].lastTurnover
            if last != LiveOperation.never { since = max(since, last) }
        }
        return max(0, moment.time - since)
    }
}
