/// The texts about one operation in two runs, for texts and pictures.
extension TraceComparison {
    /// The operation in the later run, or in the earlier run if it is gone.
    func operation(_ row: Row) -> TracedOperation {
        row.after.map { after.trace.operations[Int($0)] }
            ?? before.trace.operations[Int(row.before ?? 0)]
    }

    /// `▲ +12.0 ms`; `+ 3.00 ms` for a new operation; `≠ succeeded → never finished after 3.00 s`.
    func marked(_ row: Row) -> String {
        let mark = row.change.mark
        let words = endingWords(row)
        switch row.change {
        case .endedDifferently:
            return "\(mark) \(endings(row).before?.label ?? "new") → \(words.after ?? "gone")"
        case .neverFinished: return "\(mark) \(words.after ?? "")"
        case .new where isAboutEnding(row): return "\(mark) \(words.after ?? "")"
        case .new, .gone:
            let time = row.difference.map {
                DurationFormat.text(nanoseconds: Int64(clamping: $0.magnitude))
            }
            return "\(mark) \(time ?? words.before ?? "")"
        case .slower, .faster, .same: return "\(mark) \(ChangeText.duration(row.difference ?? 0))"
        }
    }

    /// `failed after 12.0 ms`, `never started`, without waits for dependencies.
    func endingWords(_ row: Row) -> (before: String?, after: String?) {
        func words(_ ending: ExactEnding?, _ index: Int32?, _ analysis: TraceAnalysis) -> String? {
            guard let ending, let index else { return nil }
            let time = Self.ownTime(analysis, index)
            // An operation that never started existed until the end of the run, so its time means nothing.
            return ending == .neverStarted
                ? ending.label : "\(ending.label) after \(DurationFormat.text(nanoseconds: time))"
        }
        let (first, second) = endings(row)
        return (words(first, row.before, before), words(second, row.after, after))
    }

    /// `Load 7 took longer: 100 ms → 400 ms (+300 ms)`.
    package func sentence(_ row: Row) -> String {
        let operation = operation(row)
        let name =
            operation.displayName == operation.kind
            ? operation.kind : "\(operation.displayName) (\(operation.kind))"
        let times = times(row)
        let (first, second) = (
            DurationFormat.text(nanoseconds: times.before.took),
            DurationFormat.text(nanoseconds: times.after.took)
        )
        let words = endingWords(row)
        func existed(_ ending: ExactEnding?, _ words: String?, _ time: String) -> String {
            guard let ending, ending != .succeeded else { return "it took \(time)" }
            return "it \(ending.isUnfinished ? ending.label : words ?? ending.label)"
        }
        switch row.change {
        case .endedDifferently:
            return "\(name) \(row.change.label): \(words.before ?? "new") → \(words.after ?? "gone")"
        case .neverFinished: return "\(name) \(row.change.label)"
        case .slower, .faster, .same:
            let difference = ChangeText.duration(row.difference ?? 0)
            return "\(name) \(row.change.label): \(first) → \(second) (\(difference))"
        case .new:
            return "\(name) is new: \(existed(endings(row).after, words.after, second))"
        case .gone:
            return "\(name) is gone: \(existed(endings(row).before, words.before, first))"
        }
    }

    /// Why the figures of unfinished runs are not comparable, in one sentence; `nil` if both ended.
    package var incompleteness: String? {
        let sums = totals
        let runs = [("earlier", sums.before.endings), ("later", sums.after.endings)]
            .compactMap { name, counts in counts.unfinishedWords.map { "in the \(name) run \($0)" } }
        if runs.isEmpty { return nil }
        return "The figures of an unfinished run are not comparable: \(runs.joined(separator: "; "))."
    }

    /// `succeeded 29 → 26, never finished 0 → 3`; `nil` if the operations of both runs ended alike.
    package var endingChanges: String? {
        let sums = totals
        return EndingCounts.changeWords(from: sums.before.endings, to: sums.after.endings)
    }
}

extension TraceComparison.Kind {
    /// The change of its operations' mean execution time, if they ended alike.
    package var change: TraceComparison.Change {
        if before.count == 0 { return .new }
        if after.count == 0 { return .gone }
        if before.endings.isUnlike(after.endings) { return .endedDifferently }
        if after.endings.neverFinished > 0 { return .neverFinished }
        return TraceComparison.change(
            from: before.mean.execution, to: after.mean.execution, least: 0)
    }

    /// Whether the times of its operations in the two runs can be compared.
    package var isComparable: Bool {
        before.endings.neverFinished == 0 && after.endings.neverFinished == 0
            && !before.endings.isUnlike(after.endings)
    }
}

extension TraceComparison.Change {
    /// The mark before a change, so that colour is not needed.
    package var mark: String {
        switch self {
        case .endedDifferently: "≠"
        case .neverFinished: "…"
        case .slower: "▲"
        case .faster: "▼"
        case .same: "="
        case .new: "+"
        case .gone: "−"
        }
    }

    /// What an operation did.
    package var label: String {
        switch self {
        case .endedDifferently: "ended differently"
        case .neverFinished: "never finished in either run"
        case .slower: "took longer"
        case .faster: "took less time"
        case .same: "took about as long"
        case .new: "new"
        case .gone: "gone"
        }
    }
}
