/// One way in which operations and queues misbehave, and how a trace proves it.
protocol HazardRule: Sendable {
    /// The name for `--rule`, and in Documentation/Hazards.md.
    static var name: String { get }

    /// What a finding of the rule means, in a few words.
    static var meaning: String { get }

    /// Reports what it finds in a trace, and what it cannot decide. Accepts any trace, even an inconsistent
    /// one.
    ///
    /// Cost: O(n log n) in operations and edges, whatever the shape of the graph.
    static func check(_ context: HazardContext, _ findings: inout HazardCollector)
}
