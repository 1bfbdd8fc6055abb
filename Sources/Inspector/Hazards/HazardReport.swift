/// What the rules found in a trace.
public struct HazardReport: Sendable {
    /// The findings of one rule about operations of one kind.
    public struct Group: Sendable {
        /// The name of the rule, one of ``allRules``.
        public let rule: String
        /// How bad each of the findings is.
        public let severity: HazardSeverity
        /// As it is in the trace: not safe for a terminal.
        public let kind: String
        /// The first few, in the order of the rule.
        public internal(set) var findings: [HazardFinding] = []
        /// How many more there are.
        public internal(set) var omitted = 0
        /// Nanoseconds that all of them cost together, those that are not shown included; as far as that can
        /// be told. What several cost at the same time is counted for each.
        public internal(set) var cost: Int64?

        /// All findings of the group, shown or not.
        public var count: Int { findings.count + omitted }
    }

    /// What a rule cannot decide from this log.
    public struct Undecided: Sendable {
        /// The name of the rule, one of ``allRules``.
        public let rule: String
        /// What the log lacks: a sentence without a full stop.
        public let reason: String
    }

    /// What was checked.
    public let trace: Trace
    /// The names of the rules that were asked.
    public let rules: [String]
    /// What never finished, then the worst first; of equal severity in the order of the rules.
    public let groups: [Group]
    /// The rules that this log cannot decide, and why. A report without findings omits them.
    public let undecided: [Undecided]

    /// The names of all rules, and what a finding of each means.
    public static let allRules: [(name: String, meaning: String)] = HazardRules.all.map {
        ($0.name, $0.meaning)
    }

    /// `no rule named 'deadlok'; did you mean 'self-wait-deadlock'?`.
    package static func unknownRule(_ name: String) -> String {
        let near = NearestNames(to: name, among: allRules.map(\.name)).question
        return "no rule named \(NearestNames.quoted(name)); \(near ?? "opviz help lint lists the rules")"
    }

    /// Asks the rules.
    ///
    /// Cost: O(n log n) in operations and edges. Any trace will do, also one that makes no sense.
    ///
    /// - Parameters:
    ///   - names: only those of these names; all when nil. Names that no rule has are ignored.
    ///   - leastSeverity: findings below it are left out.
    public init(
        _ trace: Trace, rules names: Set<String>? = nil, atLeast leastSeverity: HazardSeverity = .note
    ) {
        let context = HazardContext(trace)
        var groups: [Group] = []
        var undecided: [Undecided] = []
        var asked: [String] = []
        for rule in HazardRules.all where names?.contains(rule.name) ?? true {
            var collector = HazardCollector(rule: rule.name, in: trace)
            rule.check(context, &collector)
            asked.append(rule.name)
            groups += collector.groups.filter { $0.severity >= leastSeverity }
            undecided += collector.undecided.map { Undecided(rule: rule.name, reason: $0) }
        }
        self.trace = trace
        rules = asked
        // Who looks at a run that is stuck wants to know that first.
        let ofStuck = Set(HazardRules.ofWhatNeverEnds.map { $0.name })
        self.groups = [true, false].flatMap { isStuck in
            HazardSeverity.allCases.reversed().flatMap { severity in
                groups.filter { ofStuck.contains($0.rule) == isStuck && $0.severity == severity }
            }
        }
        self.undecided = undecided
    }

    /// How many findings there are of a severity, those that are not shown included.
    public func count(_ severity: HazardSeverity) -> Int {
        groups.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }
}
