/// Swift tasks that await each other in a circle, so none of them can go on. Proven: each awaits the result
/// of the next, or a child of its group.
enum AwaitCircle: HazardRule {
    static let name = "await-circle"
    static let meaning = "Swift tasks await each other in a circle: none of them can go on"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        guard let tasks = context.tasks else { return }
        for circle in tasks.standstills.all where circle.isCircle {
            if let incompleteness = context.incompleteness {
                return findings.cannotDecide("tasks await each other at the end, but \(incompleteness)")
            }
            let first = circle.tasks[0]
            let since = circle.tasks.map { tasks.standstills.state($0).since }
            let cost = max(0, tasks.tasks.end - (since.max() ?? circle.since))
            findings.report(.error, tasks.kind(first), cost: cost) {
                let next = circle.tasks.dropFirst() + [first]
                return HazardFinding(
                    .error, circle.tasks.prefix(20).map(tasks.operation), tasks.text.sentence(circle),
                    evidence: zip(circle.tasks, next).prefix(20).enumerated().map { place, pair in
                        .init(since[place], "\(tasks.name(pair.0)) began to wait for \(tasks.name(pair.1))")
                    } + [.init(tasks.tasks.end, "the log ends")],
                    cost: cost,
                    advice:
                        "let one of them go on without the other: hand it the value that it needs, or let a "
                        + "third task await both")
            }
        }
    }
}
