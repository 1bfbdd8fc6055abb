/// One operation, or several together, that misbehaved, with the events that prove it.
///
/// The sentences contain names from the trace, shortened and safe for a terminal. Escape them for other uses.
public struct HazardFinding: Sendable {
    /// An event of the trace that proves the finding.
    public struct Evidence: Sendable {
        /// Nanoseconds since the start of the trace. Nil for evidence that is not an event, such as a missing
        /// end.
        public let time: Int64?
        /// What happened at that time, as a fragment for a sentence.
        public let text: String

        init(_ time: Int64?, _ text: String) {
            self.time = time
            self.text = text
        }
    }

    /// The severity of the finding.
    public let severity: HazardSeverity
    /// Indices into the operations of the report's trace, where Swift tasks come after the operations; the
    /// one that misbehaved first; at most the first few. Empty for a finding about a queue or the whole
    /// run.
    public let operations: [Int]
    /// What happened: a sentence without a full stop.
    public let summary: String
    /// Ordered by time.
    public let evidence: [Evidence]
    /// Nanoseconds that it cost the run, if known.
    public let cost: Int64?
    /// What to change: a sentence without a full stop.
    public let advice: String
    /// Its place among all findings of the trace, from 1, as in `finding:3`; nil in a report of some rules.
    package internal(set) var number: Int?

    /// - Parameter evidence: in any order; evidence without a time comes last.
    init(
        _ severity: HazardSeverity, _ operations: [Int], _ summary: String, evidence: [Evidence],
        cost: Int64? = nil, advice: String
    ) {
        self.severity = severity
        self.operations = operations
        self.summary = summary
        self.evidence = evidence.enumerated().sorted {
            ($0.element.time ?? .max, $0.offset) < ($1.element.time ?? .max, $1.offset)
        }.map(\.element)
        self.cost = cost
        self.advice = advice
    }
}
