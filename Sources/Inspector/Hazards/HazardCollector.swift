/// Takes what one rule finds. Of findings about operations of the same kind only the first few are kept, the others counted.
struct HazardCollector {
    private static let shownOfAKind = 3

    private(set) var groups: [HazardReport.Group] = []
    private(set) var undecided: [String] = []
    private let rule: String
    private var places: [Place: Int] = [:]

    private struct Place: Hashable {
        let kind: String
        let severity: HazardSeverity
    }

    init(rule: String) { self.rule = rule }

    /// - Parameters:
    ///   - kind: of the operation that misbehaved; or what else the findings are to be summed up by.
    ///   - cost: see `HazardFinding.cost`.
    ///   - finding: called only where the finding is shown.
    mutating func report(
        _ severity: HazardSeverity, kind: String, cost: Int64? = nil, _ finding: () -> HazardFinding
    ) {
        let place = Place(kind: kind, severity: severity)
        let index: Int
        if let known = places[place] {
            index = known
        } else {
            index = groups.count
            places[place] = index
            groups.append(HazardReport.Group(rule: rule, severity: severity, kind: kind))
        }
        if groups[index].findings.count < Self.shownOfAKind {
            groups[index].findings.append(finding())
        } else {
            groups[index].omitted += 1
        }
        if let cost { groups[index].cost = (groups[index].cost ?? 0).saturatingAdd(cost) }
    }

    /// The log does not say whether the rule would find something.
    mutating func cannotDecide(_ reason: String) { undecided.append(reason) }
}
