import WaitDiagnosis

/// An operation that did not finish while the log went on. Reported once for each operation that others wait
/// for in the end, unless another rule explains it.
///
/// A log that was cut off, by a signal or because the program still runs, shows operations on their way.
/// These are notes, unless they took so long that they are stuck.
enum NeverFinished: HazardRule {
    static let name = "never-finished"
    static let meaning =
        "it was started, cancelled or waited for, but had not finished when the log ended"

    /// In a log that was cut off, an operation that waited for less and had not started is not a finding.
    /// Nanoseconds; 100 ms.
    private static let leastWait = UnfinishedReport.shortest
    /// In a log that was cut off, an operation that executed for less was on its way. Nanoseconds.
    static let longExecution = UnfinishedReport.longExecution

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let standstills = context.unfinished.blockers.standstills
        if standstills.isEmpty { return }
        if let incompleteness = context.incompleteness {
            let unfinished = (0..<context.count).count { context.isUnfinished($0) }
            let operations = Prose.counted(unfinished, "operation")
            return findings.cannotDecide("\(operations) without a finish in the log, but \(incompleteness)")
        }
        for standstill in standstills {
            let origins = context.unfinished.operations(standstill.origins)
            guard context.explained.isDisjoint(with: origins) else { continue }
            let cost = waited(standstill, origins[0], context)
            let severity = severity(standstill, origins[0], cost, context)
            if !isClosed(origins[0], context), isAboutToGoOn(standstill, origins[0], context) {
                continue
            }
            let known = severity == .note ? nil : cost
            findings.report(severity, context.kind(origins[0]), cost: known) {
                finding(standstill, origins[0], severity, cost, context)
            }
        }
    }

    /// An operation that no queue has begun may wait on purpose.
    private static func severity(
        _ standstill: Standstill, _ origin: Int, _ cost: Int64, _ context: HazardContext
    ) -> HazardSeverity {
        if context.trace.isProvenLost(origin) { return .error }
        let isClosed = isClosed(origin, context)
        // A program that ends in the middle of its work leaves operations that nothing held up.
        if context.unfinished.endsInTheMiddle { return .note }
        // Each other wait of the circle is certain.
        if !isClosed, cost >= UnfinishedReport.shortest, context.unfinished.mayBeDeadlock(standstill) {
            return .warning
        }
        return switch standstill.cause {
        case .executing where !isClosed && cost < longExecution: .note
        // A long operation that nothing waits for may be meant to be long.
        case .executing where !isClosed && standstill.waiting == 0: .warning
        // The operations that execute may have all threads.
        case .notStarted where !isClosed: .note
        case .deadlock, .executing, .unnotified, .cancelled: .error
        case .suspended, .notAdded, .notReady, .full, .notStarted: .warning
        }
    }

    /// Whether its queue may have been about to start it, or to finish it after its cancellation.
    private static func isAboutToGoOn(
        _ standstill: Standstill, _ origin: Int, _ context: HazardContext
    ) -> Bool {
        switch standstill.cause {
        case .deadlock, .executing, .unnotified: return false
        case .suspended, .cancelled, .notAdded, .notReady, .full, .notStarted:
            let since = context.cancelled[origin] ?? added(standstill, origin, context)
            return context.lastMoment(origin) - since < leastWait
        }
    }

    private static func finding(
        _ standstill: Standstill, _ origin: Int, _ severity: HazardSeverity, _ cost: Int64,
        _ context: HazardContext
    ) -> HazardFinding {
        let others = context.unfinished.operations(standstill.others)
        let mayBeDeadlock = severity != .note && context.unfinished.mayBeDeadlock(standstill)
        let tasks =
            mayBeDeadlock
            ? context.unfinished.operations(standstill.tasks(in: context.unfinished.blockers.graph)) : []
        var summary =
            severity == .note
            ? onItsWay(origin, cost, context) + context.unfinished.claimOfSearch(origin)
            : context.unfinished.sentence(standstill)
        summary += childrenOver(origin, context)
        if case .suspended(let queue) = standstill.cause {
            summary += waiting(in: queue, standstill, context)
        } else if standstill.waiting > 0 {
            let relation =
                switch (severity, standstill.cause) {
                case (.note, _), (_, .notAdded): "waiting for it"
                case (.error, _): "stuck behind it"
                case (.warning, _): "and with it"
                }
            summary += "; \(relation): "
            summary += context.waiting(standstill)
        }
        return HazardFinding(
            severity, [origin] + others.prefix(20) + tasks.prefix(20), summary,
            evidence: evidence(standstill, origin, context), cost: severity == .note ? nil : cost,
            advice: severity == .note
                ? "nothing, unless it should have finished earlier: the trace shows only how far it came"
                : mayBeDeadlock
                    ? StandstillText.taskAdvice
                    : StandstillText.advice(
                        standstill.cause,
                        isInBody: !context.bodyEnded.isKnown(origin) && !context.trace.isProvenLost(origin)))
    }

    /// `; waiting in it: 2 operations (parse, store); behind it: 1 operation (index)`
    private static func waiting(
        in queue: Int, _ standstill: Standstill, _ context: HazardContext
    ) -> String {
        let (inside, behind) = context.unfinished.members(of: standstill, in: queue)
        return "; waiting in it: \(context.counted(inside))"
            + (behind.isEmpty ? "" : "; behind it: \(context.counted(behind))")
    }

    /// `resize 7 was executing when the program was ended by SIGINT, 1.20 µs after its start`
    private static func onItsWay(_ origin: Int, _ cost: Int64, _ context: HazardContext) -> String {
        let isStarted = context.executing.isKnown(origin)
        let end =
            context.trace.isOfAnotherProgram
            ? "the trace ended"
            : signal(context).map { "the program was \($0)" }
                ?? (isClosed(origin, context) ? "the program ended" : "the log was cut off")
        return
            "\(context.name(origin)) was \(isStarted ? "executing" : "ready, but not started,") when \(end), "
            + "\(DurationFormat.text(nanoseconds: cost)) after \(isStarted ? "its start" : "it was added")"
    }

    /// `ended by SIGINT`, where the log says so.
    private static func signal(_ context: HazardContext) -> String? {
        context.trace.header.endingSignal.map { SignalName.ending($0, isComplete: false) }
    }

    private static func evidence(
        _ standstill: Standstill, _ origin: Int, _ context: HazardContext
    ) -> [HazardFinding.Evidence] {
        var evidence = context.events(origin, .enqueued)
        if context.executing.isKnown(origin) { evidence += context.events(origin, .executing) }
        if context.unfinished.mayBeDeadlock(standstill) {
            evidence += context.evidence(context.openWaits(of: standstill.possibleCircle.map(\.operation)))
        }
        if context.cancelled.isKnown(origin) { evidence += context.events(origin, .cancelled) }
        if let ended = context.bodyEnded[origin] {
            evidence.append(.init(ended, "\(context.name(origin)) left its body"))
        }
        if let mark = context.trace.marks.last(where: { $0.operation == origin }) {
            let text = TerminalText.shortened(mark.text, toColumns: 60)
            evidence.append(.init(TraceMoment.bounded(mark.time), "\(context.name(origin)) said: \(text)"))
        }
        if case .suspended(let queue) = standstill.cause,
            let since = context.trace.queues[queue].suspensions.last?.lowerBound
        {
            evidence.append(.init(TraceMoment.bounded(since), "\(context.queueName(queue)) was suspended"))
        }
        if standstill.cause == .unnotified, let asked = context.trace.operations[origin].unnotifiedFinish {
            evidence.append(
                .init(
                    TraceMoment.bounded(asked.notAfter),
                    "\(context.name(origin)) answered true to isFinished, but did not notify its queue"))
        }
        if let search = context.trace.searches[Int32(origin)] {
            evidence.append(.init(search.time, search.evidence(of: "finish")))
        }
        evidence.append(
            .init(
                context.end,
                context.trace.isOfAnotherProgram
                    ? "the trace ends"
                    : isClosed(origin, context)
                        ? "the log was closed"
                        : signal(context).map { "the program was \($0)" } ?? "the log ends; it was not closed"
            ))
        return evidence
    }

    /// Whether it has no known reason to wait: its children have all finished.
    private static func childrenOver(_ operation: Int, _ context: HazardContext) -> String {
        let children = context.children[operation]
        guard context.executing.isKnown(operation), !children.isEmpty, !context.trace.isOfAnotherProgram,
            children.allSatisfy({ context.finished.isKnown($0) })
        else { return "" }
        return children.count == 1
            ? ", though its child has finished"
            : ", though its \(Prose.grouped(children.count)) children have finished"
    }

    private static func isClosed(_ operation: Int, _ context: HazardContext) -> Bool {
        context.trace.processes[context.trace.operations[operation].process].isClosed
    }

    /// The time since it started; or since it was enqueued, if it did not start.
    private static func waited(_ standstill: Standstill, _ origin: Int, _ context: HazardContext) -> Int64 {
        let since = context.executing[origin] ?? added(standstill, origin, context)
        return max(0, context.lastMoment(origin) - since)
    }

    /// When it was enqueued; or when the first operation was that waits for it, if it never was.
    private static func added(_ standstill: Standstill, _ origin: Int, _ context: HazardContext) -> Int64 {
        context.enqueued[origin]
            ?? context.unfinished.operations(standstill.others).compactMap { context.enqueued[$0] }.min()
            ?? context.end
    }
}
