import WaitDiagnosis

/// Operations whose threads block until others have finished that can never start, because the waiting ones
/// have their slots; and such circles that include Swift tasks.
enum SelfWaitDeadlock: HazardRule {
    static let name = "self-wait-deadlock"
    static let meaning =
        "operations or tasks wait for each other in a circle with a blocked thread: none will finish"

    /// How many of a circle's operations are named.
    private static let shown = 6

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for standstill in context.unfinished.blockers.standstills {
            // DependencyCycle reports the others.
            guard case .deadlock(let hops) = standstill.cause,
                !hops.allSatisfy({ $0.reason == .dependency })
            else { continue }
            if let incompleteness = context.incompleteness {
                return findings.cannotDecide("threads still wait when the log ends, but \(incompleteness)")
            }
            let circle = context.unfinished.operations(standstill.origins)
            let waits = context.openWaits(of: standstill.origins)
            let since = waits.map { TraceMoment.bounded($0.wait.start) }.max()
            let cost = max(0, context.end - (since ?? context.end))
            context.explain(circle)
            findings.report(.error, context.kind(circle[0]), cost: cost) {
                HazardFinding(
                    .error, Array(circle.prefix(20)), summary(standstill, context),
                    evidence: context.evidence(waits.prefix(shown))
                        + [.init(context.end, "the log ends; they still wait")], cost: cost,
                    advice: StandstillText.advice(standstill.cause))
            }
        }
    }

    private static func summary(_ standstill: Standstill, _ context: HazardContext) -> String {
        let sentence = context.unfinished.sentence(standstill)
        if standstill.waiting == 0 { return sentence }
        return "\(sentence); stuck behind it: \(context.waiting(standstill))"
    }
}
