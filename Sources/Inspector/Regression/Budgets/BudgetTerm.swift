/// The name of a limit in a file of budgets: `makespan`, `p95 execution`, `slot wait`.
enum BudgetTerm: Hashable {
    case makespan, criticalPathLength, concurrency, count, hazards, noHazards
    case ended(Budget.Ending)
    case none(Budget.Ending)
    case part(LifetimeParts.Part, Budget.Statistic?)
    case lifetime(Budget.Statistic)

    /// Every name, in the order of suggestions.
    static let all: [(name: String, term: BudgetTerm)] = {
        var all: [(String, BudgetTerm)] = [
            ("makespan", .makespan), ("critical path", .criticalPathLength), ("concurrency", .concurrency),
            ("count", .count), ("hazards", .hazards), ("no hazards", .noHazards),
        ]
        for ending in Budget.Ending.allCases {
            all.append((ending.rawValue, .ended(ending)))
            all.append(("no \(ending.rawValue)", .none(ending)))
        }
        for part in LifetimeParts.Part.allCases {
            all.append((part.label, .part(part, nil)))
            for statistic in Budget.Statistic.allCases {
                all.append(("\(statistic.rawValue) \(part.label)", .part(part, statistic)))
            }
        }
        for statistic in Budget.Statistic.allCases {
            all.append(("\(statistic.rawValue) lifetime", .lifetime(statistic)))
        }
        return all
    }()

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.term) })

    init?(_ name: String) {
        guard let term = Self.byName[name] else { return nil }
        self = term
    }

    /// Whether it can be limited for an executor.
    var isOfExecutors: Bool { self == .concurrency || self == .count }

    /// Whether it cannot be limited for a kind or a queue.
    var isOfRunOnly: Bool {
        switch self {
        case .makespan, .criticalPathLength, .hazards, .noHazards: true
        default: false
        }
    }
}
