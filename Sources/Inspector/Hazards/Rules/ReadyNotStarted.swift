import WaitDiagnosis

/// An operation that was ready, in a queue with a free slot that was not suspended, but that was never
/// started, or only when something else happened to its queue.
///
/// Foundation on Linux forgets an operation whose last dependency finishes while it is being added. The
/// thread that adds it overwrites the `true` of the thread that finished the dependency with the `false` that
/// it got before.
enum ReadyNotStarted: HazardRule {
    static let name = "ready-not-started"
    static let meaning = "it was ready and its queue had a slot, but nothing started it"

    /// For at least this long, in nanoseconds, because a thread must be found. 100 ms.
    private static let leastTime: Int64 = 100_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        var executing = 0
        for index in 0..<context.count where context.isUnfinished(index) && context.executing.isKnown(index) {
            executing += 1
        }
        var unknown = 0
        var unproven: [Int] = []
        var forgotten = ForgottenOperations(context)
        for operation in 0..<context.count {
            if let waits = context.waits[operation], waits.dispatch >= leastTime,
                let wakening = forgotten.wakening(of: operation, after: waits.dispatch)
            {
                if wakening.isProven {
                    findings.report(.warning, context.kind(operation), cost: waits.dispatch) {
                        forgottenFinding(operation, until: wakening.time, waits, context)
                    }
                } else {
                    unproven.append(operation)
                }
            }
            guard context.isUnfinished(operation), !context.executing.isKnown(operation),
                !context.cancelled.isKnown(operation), !context.deadlocked.contains(operation),
                context.unfinished.blockers[operation]?.reason != .blockedThread
            else { continue }
            guard let ready = context.ready[operation] else {
                if isReadyByDependencies(operation, context) { unknown += 1 }
                continue
            }
            guard context.end - ready >= leastTime else { continue }
            // Then it is also unknown what it waited for.
            if let incompleteness = context.incompleteness {
                return findings.cannotDecide(
                    "\(context.name(operation)) was ready and not started, but \(incompleteness)")
            }
            guard let waits = context.waits[operation], waits.dispatch >= leastTime else { continue }
            // Executing operations may occupy all threads.
            guard executing == 0 else {
                findings.cannotDecide(
                    "\(context.name(operation)) was ready and not started, but "
                        + "\(Prose.counted(executing, "operation")) were still executing, and may have "
                        + "occupied every thread"
                )
                return
            }
            context.explain(CollectionOfOne(operation))
            findings.report(.error, context.kind(operation), cost: waits.dispatch) {
                finding(operation, waits, context)
            }
        }
        if !unproven.isEmpty {
            findings.cannotDecide(
                "\(context.names(unproven)) had a slot and started only when something else changed the "
                    + "queue; nothing else finished meanwhile, so the machine may have been too busy"
            )
        }
        if unknown > 0 {
            findings.cannotDecide(
                "\(Prose.counted(unknown, "operation")) whose dependencies had finished was not started; "
                    + "nothing asked for isReady, so the log does not say whether it was true"
            )
        }
    }

    private static func isReadyByDependencies(_ operation: Int, _ context: HazardContext) -> Bool {
        context.predecessors[operation].allSatisfy { context.finished.isKnown($0) }
            && context.end - (context.enqueued[operation] ?? context.end) >= leastTime
    }

    private static func finding(_ operation: Int, _ waits: LifetimeParts, _ context: HazardContext)
        -> HazardFinding
    {
        let name = context.name(operation)
        return HazardFinding(
            .error, [operation],
            "\(name) was ready and \(context.queueName(context.queue[operation])) had a slot for "
                + "\(DurationFormat.text(nanoseconds: waits.dispatch)), but nothing started it",
            evidence: context.events(operation, .enqueued, .ready)
                + [.init(context.end, "the log ends; \(name) has not started")],
            cost: waits.dispatch,
            advice: advice(operation, context)
        )
    }

    private static func forgottenFinding(
        _ operation: Int, until time: Int64, _ waits: LifetimeParts, _ context: HazardContext
    ) -> HazardFinding {
        let name = context.name(operation)
        let queue = context.queueName(context.queue[operation])
        return HazardFinding(
            .warning, [operation],
            "\(name) was ready and \(queue) had a slot for "
                + "\(DurationFormat.text(nanoseconds: waits.dispatch)), but it was started only when "
                + "something else changed the queue",
            evidence: context.events(operation, .enqueued, .ready, .executing)
                + [
                    .init(
                        time,
                        "\(queue) was changed: an operation was added, it was resumed, or its limit was set")
                ],
            cost: waits.dispatch,
            advice: advice(operation, context)
        )
    }

    private static func advice(_ operation: Int, _ context: HazardContext) -> String {
        let forgot =
            "Foundation on Linux forgets an operation whose last dependency finishes during addOperation. "
            + "Add the operation before its dependencies can finish, or set isSuspended to false "
            + "afterwards to wake the queue"
        return context.isFoundationsClass(operation)
            ? forgot
            : "if you override isReady, call willChangeValue and didChangeValue when its value changes; a "
                + "dependency is better. If you do not override it: \(forgot)"
    }
}
