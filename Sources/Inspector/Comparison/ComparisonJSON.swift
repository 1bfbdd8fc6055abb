/// Two runs compared, for programs.
///
///     {"format": "opviz-diff", "version": 1,
///      "before": {"process", "operations", "makespanNs", "criticalPathNs", "workNs",
///                 "dependencyNs", "suspendedNs", "slotNs", "dispatchNs", "executionNs", "unknownNs"},
///      "after": …, "matched", "moved", "slower", "faster", "new", "gone",
///      "kinds": [{"kind", "before": {"count", "dependencyNs", …}, "after": …}, …],
///      "operations": [{"change", "kind", "name"?, "before"?: {"id", "dependencyNs", …}, "after"?: …, "differenceNs"}, …],
///      "omitted"}
///
/// `operations` are those that changed, the largest difference first: `slower`, `faster`, `new` or `gone`; `omitted` counts
/// those beyond the first thousand. `differenceNs` leaves waits for dependencies out. Times are whole nanoseconds.
public struct ComparisonJSON: Sendable {
    private static let mostOperations = 1000

    private let comparison: TraceComparison

    public init(_ comparison: TraceComparison) { self.comparison = comparison }

    /// One object with a line for each kind and operation, and a newline at the end. The same traces give the same bytes.
    public var bytes: [UInt8] {
        let totals = comparison.totals
        var header = JSONObject()
        header.add("format", "opviz-diff")
        header.add("version", 1)
        header.add("before", run(comparison.before, totals.before))
        header.add("after", run(comparison.after, totals.after))
        let (new, gone) = (comparison.count(of: .new), comparison.count(of: .gone))
        header.add("matched", comparison.rows.count - new - gone)
        header.add("moved", comparison.moved)
        for change in TraceComparison.Change.allCases where change != .same {
            header.add(change.rawValue, comparison.count(of: change))
        }
        let changed = comparison.changed
        var bytes = Array(header.closed.dropLast())
        append("kinds", comparison.kinds.map(kind), to: &bytes)
        append("operations", changed.prefix(Self.mostOperations).map(operation), to: &bytes)
        bytes += ",\n \"omitted\": \(max(0, changed.count - Self.mostOperations))}\n".utf8
        return bytes
    }

    private func append(_ name: String, _ rows: [JSONObject], to bytes: inout [UInt8]) {
        bytes += ",\n \"\(name)\": [".utf8
        for (index, row) in rows.enumerated() {
            bytes += (index == 0 ? "\n  " : ",\n  ").utf8
            bytes += row.closed
        }
        bytes += (rows.isEmpty ? "]" : "\n ]").utf8
    }

    private func run(_ analysis: TraceAnalysis, _ totals: TraceComparison.Totals) -> JSONObject {
        var run = JSONObject()
        run.add("process", analysis.trace.header.process)
        run.add("operations", totals.count)
        run.add("makespanNs", analysis.makespan)
        run.add("criticalPathNs", analysis.criticalPath.length)
        run.add("workNs", analysis.work)
        add(totals.waits, to: &run)
        return run
    }

    private func kind(_ kind: TraceComparison.Kind) -> JSONObject {
        var row = JSONObject()
        row.add("kind", kind.name)
        for (name, totals) in [("before", kind.before), ("after", kind.after)] {
            var side = JSONObject()
            side.add("count", totals.count)
            add(totals.waits, to: &side)
            row.add(name, side)
        }
        return row
    }

    private func operation(_ row: TraceComparison.Row) -> JSONObject {
        let operation = comparison.operation(row)
        var object = JSONObject()
        object.add("change", row.change.rawValue)
        object.add("kind", operation.kind)
        object.add("name", operation.name)
        let sides = [("before", row.before, comparison.before), ("after", row.after, comparison.after)]
        for (name, index, analysis) in sides {
            guard let index else { continue }
            var side = JSONObject()
            side.add("id", analysis.trace.operations[Int(index)].id.description)
            add(analysis.waits[Int(index)] ?? Waits(), to: &side)
            object.add(name, side)
        }
        object.add("differenceNs", row.difference)
        return object
    }

    private func add(_ waits: Waits, to object: inout JSONObject) {
        for part in Waits.Part.allCases { object.add("\(part)Ns", waits[part]) }
    }
}
