import InspectorColumns

extension DelayChain {
    /// Steps of operations of one kind.
    private struct Run {
        let kind: Int32
        var operations: Set<Int> = []
        var time: Int64 = 0

        mutating func add(_ other: Set<Int>, _ nanoseconds: Int64) {
            operations.formUnion(other)
            time = time.saturatingAdd(nanoseconds)
        }
    }

    private static let mostRuns = 5
    private static let mostKinds = 4

    /// Which operations delayed the run, those of one kind that follow one another taken together, and how
    /// long each of these runs of steps took: `3 × Transcode (735 ms) → 32 × Thumbnail (101 ms)`. Runs
    /// under 1 % are left out. If many make up the time, the kinds alone, the longest first.
    ///
    /// Nil if these are the operations of the critical path, or a single one. Linear in the steps.
    func kindsInOrder(of analysis: TraceAnalysis, _ shortened: (String) -> String) -> String? {
        var operations: [Int] = []
        for step in steps where step.operation != operations.last { operations.append(step.operation) }
        guard operations.count > 1, operations != analysis.criticalPath.operations else { return nil }

        let kinds = analysis.trace.operations.store.columns.kinds
        let names = analysis.trace.kinds
        /// Extends the last run if it is of the same kind.
        func append(_ kind: Int32, _ operations: Set<Int>, _ nanoseconds: Int64, to runs: inout [Run]) {
            if runs.last?.kind != kind { runs.append(Run(kind: kind)) }
            runs[runs.count - 1].add(operations, nanoseconds)
        }
        var runs: [Run] = []
        for step in steps {
            append(kinds[step.operation], [step.operation], step.end - step.start, to: &runs)
        }
        var shown: [Run] = []
        for run in runs where run.time >= length / 100 {
            append(run.kind, run.operations, run.time, to: &shown)
        }
        func text(_ run: Run) -> String {
            let name =
                run.operations.count == 1
                ? run.operations.first.map { analysis.trace.operations[$0].displayName } ?? ""
                : names[Int(run.kind)]
            let count = run.operations.count == 1 ? "" : "\(Prose.grouped(run.operations.count)) × "
            return "\(count)\(shortened(name)) (\(DurationFormat.text(nanoseconds: run.time)))"
        }
        if shown.count <= Self.mostRuns, shown.reduce(0, { $0 + $1.time }) >= length / 10 * 9 {
            return shown.map(text).joined(separator: " → ")
        }

        var ofKinds: [Int32: Run] = [:]
        for run in runs { ofKinds[run.kind, default: Run(kind: run.kind)].add(run.operations, run.time) }
        let sorted = ofKinds.values.sorted { ($1.time, $0.kind) < ($0.time, $1.kind) }
        let left = sorted.count - Self.mostKinds
        return sorted.prefix(Self.mostKinds).map(text).joined(separator: ", ")
            + (left > 0 ? ", \(Prose.counted(left, "kind")) more" : "")
    }
}
