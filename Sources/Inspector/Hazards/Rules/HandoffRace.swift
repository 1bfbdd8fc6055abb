/// A result that is handed to a dependent in a completion block, which the dependent does not wait for.
///
/// Foundation lets dependents go when the operation has finished, and calls the completion block after that, on another
/// thread. No log holds when such a block ran; the rule says so wherever there is a dependency that it could be about.
enum HandoffRace: HazardRule {
    static let name = "handoff-race"
    static let meaning = "a dependent began before the completion block that hands it its input had ended"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let handedOver = context.edges.count {
            context.finished.isKnown($0.predecessor) && context.executing.isKnown($0.successor)
        }
        if handedOver == 0 { return }
        findings.cannotDecide(
            "when completion blocks ran is not in the log (\(Prose.counted(handedOver, "dependency").replacing("dependencys", with: "dependencies"))); hand results over in the body, before finish()"
        )
    }
}
