import WaitDiagnosis

/// Operations that depend on each other in a circle: none of them can ever be ready.
enum DependencyCycle: HazardRule {
    static let name = "dependency-cycle"
    static let meaning = "operations depend on each other in a circle"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for circle in circles(context) {
            let circle = Array(circle.reversed())
            let hasFinished = circle.allSatisfy { context.finished.isKnown($0) }
            let severity: HazardSeverity = hasFinished ? .warning : .error
            if !hasFinished { context.explain(circle) }
            findings.report(severity, context.kind(circle[0])) {
                return HazardFinding(
                    severity, Array(circle.prefix(20)),
                    (hasFinished ? "" : "deadlock: ")
                        + StandstillText.dependencyCircle(circle) { context.name($0) }
                        + (hasFinished
                            ? "; they finished, so the edge that closes the circle came late or had no effect"
                            : context.stuckBehind(circle.min() ?? circle[0])),
                    evidence: evidence(circle, context),
                    advice: "remove one of these dependencies; addDependency does not look for circles")
            }
        }
    }

    /// The dependencies that form the circle, each with the time by which its dependent was added to a queue.
    private static func evidence(_ circle: [Int], _ context: HazardContext) -> [HazardFinding.Evidence] {
        zip(circle, circle.dropFirst() + circle.prefix(1)).prefix(20).map { operation, next in
            let isAdded = context.enqueued.isKnown(operation)
            return HazardFinding.Evidence(
                isAdded ? context.enqueued[operation] : nil,
                context.name(operation) + (isAdded ? " was enqueued" : " was never enqueued")
                    + "; it depends on \(context.name(next))")
        }
    }

    /// Each circle once, predecessors first. Linear in operations and edges.
    private static func circles(_ context: HazardContext) -> [[Int]] {
        let isLeft = remaining(context)
        var passedBy = Array(repeating: -1, count: context.count)
        var circles: [[Int]] = []
        for start in 0..<context.count where isLeft[start] && passedBy[start] < 0 {
            var path: [Int] = []
            var current = start
            while passedBy[current] < 0 {
                passedBy[current] = start
                path.append(current)
                guard let next = context.predecessors[current].first(where: { isLeft[$0] }) else { break }
                current = next
            }
            guard passedBy[current] == start, let begin = path.firstIndex(of: current),
                path.count - begin > 1
            else { continue }
            circles.append(path[begin...].reversed())
        }
        return circles
    }

    /// Operations that a topological sort (A. B. Kahn, 1962) never reaches: those in circles, and those after
    /// them.
    private static func remaining(_ context: HazardContext) -> [Bool] {
        let successors = context.successors
        var isLeft = Array(repeating: true, count: context.count)
        var missing = [Int32](repeating: 0, count: context.count)
        for edge in context.edges { missing[edge.successor] += 1 }
        var work = (0..<context.count).filter { missing[$0] == 0 }
        while let operation = work.popLast() {
            isLeft[operation] = false
            for successor in successors[operation] {
                missing[successor] -= 1
                if missing[successor] == 0 { work.append(successor) }
            }
        }
        return isLeft
    }
}
