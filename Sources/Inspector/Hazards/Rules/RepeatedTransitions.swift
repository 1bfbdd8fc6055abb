/// An operation that was started twice.
enum DoubleStart: HazardRule {
    static let name = "double-start"
    static let meaning = "it was started twice"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        RepeatedTransitions(
            transition: .executing, word: "started",
            advice: "do not call start() of an operation that is in a queue"
        ).check(context, &findings)
    }
}

/// An operation that finished twice.
enum DoubleFinish: HazardRule {
    static let name = "double-finish"
    static let meaning = "it finished twice"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        RepeatedTransitions(
            transition: .finished, word: "finished",
            advice: "call finish() once, after the last data; make further calls do nothing"
        ).check(context, &findings)
    }
}

/// Shared by both rules. opviz's own recorder logs a transition once, but other writers of logs may repeat
/// it.
struct RepeatedTransitions {
    let transition: Trace.RepeatedTransition.Transition
    let word: String
    let advice: String

    func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for again in context.trace.repeatedTransitions where again.transition == transition {
            guard again.operation >= 0, again.operation < context.count else { continue }
            findings.report(.error, context.kind(again.operation)) {
                HazardFinding(
                    .error, [again.operation], "\(context.name(again.operation)) \(word) twice",
                    evidence: context.events(again.operation, .executing, .finished)
                        + [
                            .init(
                                TraceMoment.bounded(again.time),
                                "\(context.name(again.operation)) \(word) again"
                            )
                        ],
                    advice: advice)
            }
        }
    }
}
