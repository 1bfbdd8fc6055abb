/// What a limit is called in a file of budgets: `makespan`, `p95 execution`, `slot wait`.
enum BudgetTerm: Hashable {
    case makespan, criticalPathLength, concurrency, count, hazards, noHazards
    case ended(Budget.Ending)
    case none(Budget.Ending)
    case part(Waits.Part, Budget.Statistic?)
    case lifetime(Budget.Statistic)

    /// Every name, in the order in which they are offered.
    static let all: [(name: String, term: BudgetTerm)] = {
        var all: [(String, BudgetTerm)] = [
            ("makespan", .makespan), ("critical path", .criticalPathLength), ("concurrency", .concurrency),
            ("count", .count), ("hazards", .hazards), ("no hazards", .noHazards),
        ]
        for ending in Budget.Ending.allCases {
            all.append((ending.rawValue, .ended(ending)))
            all.append(("no \(ending.rawValue)", .none(ending)))
        }
        for part in Waits.Part.allCases {
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

    /// Which are of no kind and no queue.
    var isOfRunOnly: Bool {
        switch self {
        case .makespan, .criticalPathLength, .hazards, .noHazards: true
        default: false
        }
    }

    /// The one of these words that differs from it by the fewest letters; nil where none is near.
    static func similar(to word: String, among words: some Sequence<String>) -> String? {
        let word = Array(word.lowercased().prefix(60))
        return words.map { ($0, distance(word, Array($0.lowercased().prefix(60)))) }
            .filter { $0.1 <= max(1, word.count / 3) }.min { $0.1 < $1.1 }?.0
    }

    /// Letters to insert, remove or replace (V. I. Levenshtein, 1965).
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in second.indices {
                let replaced = diagonal + (letter == second[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[second.count]
    }
}
