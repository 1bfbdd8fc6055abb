import InspectorColumns

/// Collects the findings of one rule. Keeps only the first few findings about operations of the same kind,
/// and counts the others.
struct HazardCollector: Sendable {
    private static let shownOfAKind = 3
    /// A trace may have as many kinds as operations, so further kinds are counted together.
    private static let shownKinds = 50

    /// What findings are grouped by.
    enum Subject: Hashable, Sendable {
        /// Index into the kinds of the trace, or into its queues.
        case kind(Int)
        case queue(Int)
        /// Index into the executors of the trace's tasks.
        case executor(Int)
        case others
    }

    private struct Place: Hashable {
        let subject: Subject
        let severity: HazardSeverity
    }

    private(set) var groups: [HazardReport.Group] = []
    private(set) var undecided: [String] = []
    let rule: String
    private let trace: Trace
    private var places: [Place: Int] = [:]
    /// The last place, which the next finding is likely to belong to as well.
    private var last: (place: Place, index: Int)?

    init(rule: String, in trace: Trace) {
        self.rule = rule
        self.trace = trace
    }

    /// - Parameters:
    ///   - cost: see `HazardFinding.cost`.
    ///   - finding: called only if the finding is shown.
    mutating func report(
        _ severity: HazardSeverity, _ subject: Subject, cost: Int64? = nil, _ finding: () -> HazardFinding
    ) {
        let index = index(of: Place(subject: subject, severity: severity))
        if groups[index].findings.count < Self.shownOfAKind {
            groups[index].findings.append(finding())
        } else {
            groups[index].omitted += 1
        }
        if let cost { groups[index].cost = (groups[index].cost ?? 0).saturatingAdd(cost) }
    }

    /// Reports that the log does not show whether the rule applies.
    mutating func cannotDecide(_ reason: String) { undecided.append(reason) }

    private mutating func index(of place: Place) -> Int {
        if let last, last.place == place { return last.index }
        var place = place
        if places[place] == nil, places.count >= Self.shownKinds {
            place = Place(subject: .others, severity: place.severity)
        }
        let index = places[place] ?? groups.count
        if index == groups.count {
            places[place] = index
            groups.append(
                HazardReport.Group(rule: rule, severity: place.severity, kind: name(of: place.subject)))
        }
        last = (place, index)
        return index
    }

    private func name(of subject: Subject) -> String {
        switch subject {
        case .kind(let kind):
            trace.operations.store.texts[trace.operations.store.columns.kindTexts[kind]]
        case .queue(let queue): trace.queues[queue].name
        case .executor(let executor): trace.tasks.executors[executor].name
        case .others: "other kinds"
        }
    }
}
