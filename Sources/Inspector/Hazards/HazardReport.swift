/// The findings of the rules in a trace.
public struct HazardReport: Sendable {
    /// The findings of one rule about operations of one kind.
    public struct Group: Sendable {
        /// The name of the rule, one of ``allRules``.
        public let rule: String
        /// The severity of each of the findings.
        public let severity: HazardSeverity
        /// The kind as it is in the trace: not safe for a terminal.
        public let kind: String
        /// The first few, in the order of the rule.
        public internal(set) var findings: [HazardFinding] = []
        /// How many findings are not shown.
        public internal(set) var omitted = 0
        /// Nanoseconds that all findings cost together, including those that are not shown, if known. Time
        /// that several findings cost at once is counted for each.
        public internal(set) var cost: Int64?

        /// Nanoseconds that the findings which are not shown cost together, if known.
        public var omittedCost: Int64? {
            guard omitted > 0, let cost else { return nil }
            return findings.reduce(cost) { max(0, $0 - ($1.cost ?? 0)) }
        }

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

    /// The checked trace, with its Swift tasks after the operations.
    public let trace: Trace
    /// The names of the rules that were checked.
    public internal(set) var rules: [String]
    /// Unfinished operations first, then the worst findings; equal severity in the order of the rules.
    public internal(set) var groups: [Group]
    /// The findings that were left out because of their severity. Without severities that were shown.
    public internal(set) var hidden: [HazardSeverity: Int]
    /// How many rules this log can decide.
    public var decidedRules: Int { rules.count - Set(undecided.map(\.rule)).count }
    /// The rules that this log cannot decide, and why. A report without findings omits them.
    public internal(set) var undecided: [Undecided]

    /// Whether other findings were left out by their numbers.
    package internal(set) var isOfOneFinding = false

    /// The names of all rules, and what a finding of each means.
    public static let allRules: [(name: String, meaning: String)] = HazardRules.all.map {
        ($0.name, $0.meaning)
    }

    /// The names of the rules about operations and tasks that never end.
    package static let rulesOfWhatNeverEnds = HazardRules.ofWhatNeverEnds.map { $0.name }

    /// `no rule named 'deadlok'; did you mean 'self-wait-deadlock'?`.
    package static func unknownRule(_ name: String) -> String {
        let near = NearestNames(to: name, among: allRules.map(\.name)).question
        return "no rule named \(NearestNames.quoted(name)); \(near ?? "opviz help lint lists the rules")"
    }

    /// Checks the rules.
    ///
    /// Cost: O(n log n) in operations and edges. Accepts any trace, even an inconsistent one.
    ///
    /// - Parameters:
    ///   - names: checks only these rules; all if nil. Unknown names are ignored.
    ///   - leastSeverity: lower findings are left out.
    public init(
        _ trace: Trace, rules names: Set<String>? = nil, atLeast leastSeverity: HazardSeverity = .note
    ) {
        self.init(rules: names, atLeast: leastSeverity) { HazardContext(trace) }
    }

    /// Checks the rules, with what the analysis has computed.
    package init(_ analysis: TraceAnalysis, rules names: Set<String>? = nil) {
        self.init(rules: names, atLeast: .note) { HazardContext(analysis) }
    }

    /// Two threads check the rules, each with a context of its own.
    private init(
        rules names: Set<String>?, atLeast leastSeverity: HazardSeverity,
        _ makeContext: @escaping @Sendable () -> HazardContext
    ) {
        let asked = HazardRules.all.filter { names?.contains($0.name) ?? true }
        let beside = HazardRules.throughTime.filter { rule in asked.contains { $0 == rule } }
        let foundBeside = BackgroundValue { () -> [String: HazardCollector] in
            if beside.isEmpty { return [:] }
            let context = makeContext()
            return Self.check(beside, context, in: context.trace)
        }
        let context = makeContext()
        let rest = asked.filter { rule in !beside.contains { $0 == rule } }
        let trace = context.tasks?.trace ?? context.trace
        let found = Self.check(rest, context, in: trace).merging(foundBeside.value) { one, _ in one }
        let collectors = asked.compactMap { found[$0.name] }
        let groups = collectors.flatMap(\.groups)
        self.trace = trace
        hidden = [:]
        rules = asked.map { $0.name }
        // For a stuck run, its cause is the most important finding.
        let ofStuck = Set(Self.rulesOfWhatNeverEnds)
        self.groups = [true, false].flatMap { isStuck in
            HazardSeverity.allCases.reversed().flatMap { severity in
                groups.filter { ofStuck.contains($0.rule) == isStuck && $0.severity == severity }
            }
        }
        undecided = collectors.flatMap { collector in
            collector.undecided.map { Undecided(rule: collector.rule, reason: $0) }
        }
        if names == nil { number() }
        hide(below: leastSeverity)
    }

    /// What each of the rules found, by its name. Checks them in their order.
    private static func check(
        _ rules: [any HazardRule.Type], _ context: HazardContext, in trace: Trace
    ) -> [String: HazardCollector] {
        var found: [String: HazardCollector] = [:]
        for rule in rules {
            var collector = HazardCollector(rule: rule.name, in: trace)
            rule.check(context, &collector)
            found[rule.name] = collector
        }
        return found
    }

    /// How many findings have this severity, including those that are not shown.
    public func count(_ severity: HazardSeverity) -> Int {
        groups.reduce(0) { $0 + ($1.severity == severity ? $1.count : 0) }
    }
}
