/// One way in which operations and queues misbehave, and what in a trace proves it.
protocol HazardRule: Sendable {
    /// As it is given to `--rule`, and stands in Documentation/Hazards.md.
    static var name: String { get }

    /// What a finding of the rule means, in a few words.
    static var meaning: String { get }

    /// Says of a trace what it finds, and what it cannot decide. Any trace will do, also one that makes no
    /// sense.
    ///
    /// Cost: O(n log n) in operations and edges, whatever the shape of the graph.
    static func check(_ context: HazardContext, _ findings: inout HazardCollector)
}
