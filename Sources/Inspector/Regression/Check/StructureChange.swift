/// Differences in what the runs of the two sides consist of: their operations, and how these end.
struct StructureChange {
    private static let mostKinds = 5

    /// One sentence each.
    let sentences: [String]

    init(baseline: CheckSide, current: CheckSide) {
        let (before, after) = (baseline.timings, current.timings)
        guard !before.isEmpty, !after.isEmpty else {
            sentences = []
            return
        }
        var sentences = Self.kinds(
            before, after, areAllKnown: baseline.omittedKinds + current.omittedKinds == 0)
        let endings: [(String, KeyPath<RunTimings, Int>)] = [
            ("failed", \.failed), ("cancelled", \.cancelled), ("never finished", \.unfinished),
        ]
        for (word, count) in endings {
            let (first, second) = (
                Counts(before.map { $0[keyPath: count] }), Counts(after.map { $0[keyPath: count] })
            )
            if first.isUnlike(second) {
                sentences.append("Operations \(word): \(first) → \(second) a run.")
            }
        }
        if (before + after).contains(where: { $0.unfinished > 0 }) {
            sentences.append(
                "Some operations never finished; their times end with their logs, so they are too short."
            )
        }
        let processes = (Set(before.map(\.process)).sorted(), Set(after.map(\.process)).sorted())
        if processes.0 != processes.1 {
            sentences.append(
                "The programs have different names: \(RunSelection.named(processes.0)) → "
                    + "\(RunSelection.named(processes.1)).")
        }
        self.sentences = sentences
    }

    private static func kinds(
        _ before: [RunTimings], _ after: [RunTimings], areAllKnown: Bool
    ) -> [String] {
        var counts: [String: (before: [Int], after: [Int])] = [:]
        for run in before {
            for kind in run.kinds { counts[kind.name, default: ([], [])].before.append(kind.count) }
        }
        for run in after {
            for kind in run.kinds { counts[kind.name, default: ([], [])].after.append(kind.count) }
        }
        var changes: [(words: String, difference: Int)] = []
        for (kind, counts) in counts.sorted(by: { $0.key < $1.key }) {
            let first = Counts(counts.before, runs: before.count)
            let second = Counts(counts.after, runs: after.count)
            guard first.isUnlike(second) else { continue }
            let name = TerminalText.shortened(kind)
            if second.highest == 0 {
                if areAllKnown { changes.append(("no more \(name) (was \(first))", first.highest)) }
            } else if first.highest == 0 {
                if areAllKnown { changes.append(("\(name) is new (\(second))", second.highest)) }
            } else {
                changes.append(("\(name) \(first) → \(second)", abs(second.highest - first.highest)))
            }
        }
        guard !changes.isEmpty else { return [] }
        let shown = changes.enumerated().sorted {
            ($1.element.difference, $0.offset) < ($0.element.difference, $1.offset)
        }.prefix(mostKinds).map(\.element.words)
        let rest =
            changes.count > mostKinds ? ", and \(Prose.counted(changes.count - mostKinds, "more kind"))" : ""
        return [
            "The runs do different work (operations a run): " + shown.joined(separator: ", ") + rest + "."
        ]
    }
}

/// The range of a count in the runs of a side.
private struct Counts: CustomStringConvertible {
    let lowest: Int
    let highest: Int

    /// - Parameter runs: the number of runs. Runs that are not in `counts` count as 0.
    init(_ counts: [Int], runs: Int? = nil) {
        lowest = counts.count < runs ?? 0 ? 0 : counts.min() ?? 0
        highest = counts.max() ?? 0
    }

    /// Whether the two ranges are further apart than the runs of each side are among themselves.
    func isUnlike(_ other: Counts) -> Bool {
        let gap = max(other.lowest - highest, lowest - other.highest)
        return gap > max(highest - lowest, other.highest - other.lowest)
    }

    var description: String {
        lowest == highest ? Prose.grouped(lowest) : "\(Prose.grouped(lowest)) to \(Prose.grouped(highest))"
    }
}
