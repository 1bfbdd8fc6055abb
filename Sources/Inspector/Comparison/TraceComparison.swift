import InspectorColumns

/// Two runs of one program, operation by operation: what is new, what is gone, what took longer and what took
/// less time. Swift tasks are operations here.
///
/// Two single runs prove nothing, because runs of the same program differ, too.
public struct TraceComparison: Sendable {
    /// A difference is ignored below this fraction of the longer time, or below that fraction of the longer
    /// makespan.
    private static let leastShare = 0.1
    private static let leastShareOfRun = 0.001

    package enum Change: String, CaseIterable, Sendable {
        /// The endings differ: for example, it succeeded in one run, and failed, was cancelled, never
        /// finished or never started in the other.
        case endedDifferently
        /// It finished in neither run.
        case neverFinished
        case slower, faster, same, new, gone
    }

    /// One operation in the runs that contain it.
    package struct Row {
        /// Indices into the operations of either trace.
        package let before: Int32?
        package let after: Int32?
        package let change: Change
        /// How many nanoseconds longer it took, without waiting for its dependencies; negative if it took
        /// less. The full time of a new operation, and minus the full time of one that disappeared. `nil` if
        /// the operation ended differently or never, so that its times cannot be compared.
        package let difference: Int64?
    }

    /// The operations of a kind, in both runs.
    package struct Kind {
        package let name: String
        package var before = Totals()
        package var after = Totals()
    }

    /// Sums over operations.
    package struct Totals {
        package var count = 0
        var started = 0
        var waits = LifetimeParts()
        var endings = EndingCounts()

        /// The mean for one operation.
        package var mean: LifetimeParts { waits.mean(over: count, started: started) }
        /// Nanoseconds.
        package var meanWait: Int64 { mean.total - mean.execution }

        mutating func add(_ waits: LifetimeParts, hasStarted: Bool, _ ending: ExactEnding) {
            count += 1
            if hasStarted { started += 1 }
            self.waits += waits
            endings.count(ending)
        }

        static func + (lhs: Totals, rhs: Totals) -> Totals {
            Totals(
                count: lhs.count + rhs.count, started: lhs.started + rhs.started,
                waits: lhs.waits + rhs.waits,
                endings: lhs.endings + rhs.endings)
        }
    }

    package let before: TraceAnalysis
    package let after: TraceAnalysis
    /// In the order of the later log; those that are gone come last.
    let rows: [Row]
    /// Kinds whose operations ended differently come first, then by the largest difference in execution time;
    /// equal ones by name.
    package let kinds: [Kind]
    /// How many operations of both runs have other dependencies, or another position in the graph.
    let moved: Int
    /// Nanoseconds: a smaller difference of one operation means nothing for the run.
    private let least: Int64

    /// Cost: linear in operations and edges.
    public init(before: TraceAnalysis, after: TraceAnalysis) {
        let (before, after) = (before.withTasks, after.withTasks)
        self.before = before
        self.after = after
        let matching = OperationMatching(before.trace, after.trace)
        moved = matching.moved
        least = Int64(Double(max(before.makespan, after.makespan)) * Self.leastShareOfRun)
        var rows: [Row] = []
        rows.reserveCapacity(matching.pairs.count + matching.new.count + matching.gone.count)
        for pair in matching.pairs { rows.append(Self.row(pair, before, after, least: least)) }
        for index in matching.new {
            let isTimed = !Self.ending(after, index).isUnfinished
            let time = Self.ownTime(after, index)
            rows.append(Row(before: nil, after: index, change: .new, difference: isTimed ? time : nil))
        }
        rows = rows.sortedByDigits { Int64($0.after ?? .max) }
        for index in matching.gone {
            let isTimed = !Self.ending(before, index).isUnfinished
            let time = Self.ownTime(before, index)
            rows.append(Row(before: index, after: nil, change: .gone, difference: isTimed ? -time : nil))
        }
        self.rows = rows
        kinds = Self.kinds(before, after)
    }

    private static func row(
        _ pair: OperationMatching.Pair, _ before: TraceAnalysis, _ after: TraceAnalysis, least: Int64
    ) -> Row {
        let endings = (ending(before, pair.before), ending(after, pair.after))
        if endings.0 != endings.1 || endings.0.isUnfinished {
            let change: Change = endings.0 == endings.1 ? .neverFinished : .endedDifferently
            return Row(before: pair.before, after: pair.after, change: change, difference: nil)
        }
        let (first, second) = (ownTime(before, pair.before), ownTime(after, pair.after))
        return Row(
            before: pair.before, after: pair.after, change: change(from: first, to: second, least: least),
            difference: second - first)
    }

    private static func ending(_ analysis: TraceAnalysis, _ index: Int32) -> ExactEnding {
        ExactEnding(analysis.trace.operations.store.columns, Int(index))
    }

    /// - Parameter least: nanoseconds; smaller differences are ignored.
    static func change(from before: Int64, to after: Int64, least: Int64) -> Change {
        let difference = after - before
        guard difference.magnitude > least.magnitude,
            Double(difference.magnitude) >= Double(max(before, after)) * leastShare
        else { return .same }
        return difference > 0 ? .slower : .faster
    }

    /// Nanoseconds from when its dependencies had finished: its own time, including waits for slots and
    /// threads.
    static func ownTime(_ analysis: TraceAnalysis, _ index: Int32) -> Int64 {
        guard let waits = analysis.waits[Int(index)] else { return 0 }
        return waits.total - waits.dependency
    }

    /// Of a run's operation: how long it took after its dependencies had finished, and how long of that it
    /// executed, in nanoseconds; zero if the run does not contain it.
    package func times(_ row: Row) -> (
        before: (took: Int64, executed: Int64), after: (took: Int64, executed: Int64)
    ) {
        func times(_ index: Int32?, _ analysis: TraceAnalysis) -> (took: Int64, executed: Int64) {
            guard let index else { return (0, 0) }
            return (Self.ownTime(analysis, index), analysis.waits[Int(index)]?.execution ?? 0)
        }
        return (times(row.before, before), times(row.after, after))
    }

    /// For an operation that ended alike in both runs: the change of its execution, and of its wait after its
    /// dependencies had finished. `nil` for others.
    func parts(of row: Row) -> (execution: Change, wait: Change)? {
        guard [.slower, .faster, .same].contains(row.change), let first = row.before, let second = row.after,
            let old = before.waits[Int(first)], let new = after.waits[Int(second)]
        else { return nil }
        func wait(_ waits: LifetimeParts) -> Int64 { waits.total - waits.dependency - waits.execution }
        return (
            Self.change(from: old.execution, to: new.execution, least: least),
            Self.change(from: wait(old), to: wait(new), least: least)
        )
    }

    func count(of change: Change) -> Int { rows.reduce(0) { $0 + ($1.change == change ? 1 : 0) } }

    /// How it ended in each of the runs that contain it.
    func endings(_ row: Row) -> (before: ExactEnding?, after: ExactEnding?) {
        (row.before.map { Self.ending(before, $0) }, row.after.map { Self.ending(after, $0) })
    }

    /// Whether its ending is more important than its time.
    func isAboutEnding(_ row: Row) -> Bool {
        switch row.change {
        case .endedDifferently, .neverFinished: true
        case .new: endings(row).after != .succeeded
        case .slower, .faster, .same, .gone: false
        }
    }

    /// The operations that changed. First those that ended differently, failures and unfinished ones before
    /// all others; then those that never finished in either run; then by the largest difference in time.
    var changed: [Row] {
        rows.filter { $0.change != .same }
            .sortedByDigits { -Int64(clamping: ($0.difference ?? 0).magnitude) }
            .sortedByDigits { rank($0) }
    }

    /// All operations. What changed comes first: what ended differently or never, then what took longer or is
    /// new, then what took less time or is gone; each as in ``changed``.
    package var byInterest: [Row] {
        let changed = changed.sortedByDigits { row in
            if isAboutEnding(row) { return 0 }
            return row.change == .slower || row.change == .new ? 1 : 2
        }
        return changed + rows.filter { $0.change == .same }
    }

    private func rank(_ row: Row) -> Int64 {
        guard isAboutEnding(row) else { return 10 }
        if row.change == .neverFinished { return 9 }
        switch endings(row).after {
        case .failed: return 0
        case .neverFinished: return 1
        case .neverStarted: return 2
        case .cancelled: return 3
        case .succeeded, nil: return 4
        }
    }

    /// The totals of the whole runs.
    var totals: (before: Totals, after: Totals) {
        kinds.reduce((Totals(), Totals())) { ($0.0 + $1.before, $0.1 + $1.after) }
    }

    /// How many of the operations of each run, and of those in both, are Swift tasks.
    var tasks: (before: Int, after: Int, both: Int) {
        func isTask(_ index: Int32?, _ analysis: TraceAnalysis) -> Bool {
            index.map { analysis.trace.task(Int($0)) != nil && analysis.waits[Int($0)] != nil } ?? false
        }
        return rows.reduce(into: (before: 0, after: 0, both: 0)) { counts, row in
            let (first, second) = (isTask(row.before, before), isTask(row.after, after))
            if first { counts.before += 1 }
            if second { counts.after += 1 }
            if first, second { counts.both += 1 }
        }
    }

    private static func kinds(_ before: TraceAnalysis, _ after: TraceAnalysis) -> [Kind] {
        // There may be as many kinds as operations, so each name is stored once.
        var kinds: [Kind] = []
        var numbers: [String: Int32] = [:]
        func add(_ analysis: TraceAnalysis, _ side: WritableKeyPath<Kind, Totals>) {
            let ofTrace = analysis.trace.kinds.map { name in
                if let number = numbers[name] { return number }
                numbers[name] = Int32(kinds.count)
                kinds.append(Kind(name: name))
                return Int32(kinds.count - 1)
            }
            let columns = analysis.trace.operations.store.columns
            for (index, waits) in analysis.waits.enumerated() {
                guard let waits else { continue }
                kinds[Int(ofTrace[Int(columns.kinds[index])])][keyPath: side].add(
                    waits, hasStarted: columns.executing.has(index), ExactEnding(columns, index))
            }
        }
        add(before, \.before)
        add(after, \.after)
        numbers = [:]
        kinds.removeAll { $0.before.count + $0.after.count == 0 }
        func difference(_ kind: Kind) -> (Int, UInt64) {
            (
                kind.change == .endedDifferently ? 1 : 0,
                (kind.after.waits.execution - kind.before.waits.execution).magnitude
            )
        }
        kinds.sort { one, other in
            let (left, right) = (difference(one), difference(other))
            return left == right ? one.name < other.name : left > right
        }
        return kinds
    }
}
