/// Two runs compared, for programs: `Documentation/schemas/diff.schema.json` describes it.
public struct ComparisonJSON: Sendable {
    private static let mostOperations = 1000

    private let comparison: TraceComparison

    /// Constant time: ``bytes`` does the work.
    public init(_ comparison: TraceComparison) { self.comparison = comparison }

    /// One object with a line for each kind and operation, and a newline at the end. The same traces give the
    /// same bytes.
    public var bytes: [UInt8] {
        let totals = comparison.totals
        var header = JSONObject()
        header.add("format", "opviz-diff")
        header.add("version", 2)
        header.add("before", run(comparison.before, totals.before))
        header.add("after", run(comparison.after, totals.after))
        var endings = JSONObject()
        endings.add("before", self.endings(totals.before.endings))
        endings.add("after", self.endings(totals.after.endings))
        header.add("endings", endings)
        let (new, gone) = (comparison.count(of: .new), comparison.count(of: .gone))
        header.add("matched", comparison.rows.count - new - gone)
        header.add("moved", comparison.moved)
        for change in TraceComparison.Change.allCases where change != .same {
            header.add(change.rawValue, comparison.count(of: change))
        }
        let changed = comparison.changed
        var bytes = Array(header.closed.dropLast())
        JSONObject.append("kinds", comparison.kinds.map(kind), to: &bytes)
        JSONObject.append("operations", changed.prefix(Self.mostOperations).map(operation), to: &bytes)
        bytes += ",\n \"omittedOperations\": \(max(0, changed.count - Self.mostOperations))}\n".utf8
        return bytes
    }

    private func run(_ analysis: TraceAnalysis, _ totals: TraceComparison.Totals) -> JSONObject {
        var run = JSONObject()
        run.add("process", analysis.trace.header.process)
        run.add("operations", totals.count)
        run.add("makespanNs", analysis.makespan)
        run.add("criticalPathNs", analysis.criticalPath.length)
        run.add("workNs", analysis.work)
        totals.waits.add(to: &run)
        return run
    }

    private func kind(_ kind: TraceComparison.Kind) -> JSONObject {
        var row = JSONObject()
        row.add("kind", kind.name)
        for (name, totals) in [("before", kind.before), ("after", kind.after)] {
            var side = JSONObject()
            side.add("count", totals.count)
            side.add("endings", endings(totals.endings))
            totals.waits.add(to: &side)
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
        let endings = comparison.endings(row)
        object.add("outcomeBefore", endings.before?.rawValue)
        object.add("outcomeAfter", endings.after?.rawValue)
        let sides = [("before", row.before, comparison.before), ("after", row.after, comparison.after)]
        for (name, index, analysis) in sides {
            guard let index else { continue }
            var side = JSONObject()
            side.add("operation", analysis.trace.operations[Int(index)].id.description)
            (analysis.waits[Int(index)] ?? LifetimeParts()).add(to: &side)
            object.add(name, side)
        }
        object.add("differenceNs", row.difference)
        return object
    }

    private func endings(_ counts: EndingCounts) -> JSONObject {
        var object = JSONObject()
        object.add("succeeded", counts.succeeded)
        object.add("failed", counts.failed)
        object.add("cancelled", counts.cancelled)
        object.add("unfinished", counts.neverFinished)
        object.add("neverStarted", counts.neverStarted)
        return object
    }
}
