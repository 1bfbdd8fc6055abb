/// A check for programs; the schema is Documentation/schemas/check.schema.json. Times are whole
/// nanoseconds, means and medians may have a fraction. A ratio without a number (nothing before, something
/// now) is `null`.
public struct CheckJSON: Sendable {
    private let check: RegressionCheck
    private let budgets: BudgetReport?

    /// - Parameter budgets: the budgets that the current runs were also checked against.
    public init(_ check: RegressionCheck, _ budgets: BudgetReport? = nil) {
        self.check = check
        self.budgets = budgets
    }

    /// One object with a line for each metric and delay, and a newline at the end. The same runs give the
    /// same bytes.
    public var bytes: [UInt8] {
        let words = CheckWords(check: check)
        var header = JSONObject()
        header.add("format", "opviz-check")
        header.add("version", 2)
        header.add("verdict", check.verdict.rawValue)
        header.add("sentences", words.headlines)
        header.add("obstacle", check.obstacle)
        header.add("notes", check.notes)
        header.add("policy", policy)
        header.add("baseline", side(check.baseline, check.sessions.baseline, check.path.baseline))
        header.add("current", side(check.current, check.sessions.current, check.path.current))
        var bytes = Array(header.closed.dropLast())
        JSONObject.append(
            "metrics",
            check.primary.map { metric($0, isPrimary: true) }
                + check.others.map { metric($0, isPrimary: false) },
            to: &bytes)
        let witnesses = ExecutionWitness.all(of: check)
        JSONObject.append("executions", witnesses.map { execution($0, words) }, to: &bytes)
        JSONObject.append("delays", check.delays.rows.map(delay), to: &bytes)
        if let budgets { JSONObject.append("budgets", budgets.rows, to: &bytes) }
        bytes += "}\n".utf8
        return bytes
    }

    private var policy: JSONObject {
        var policy = JSONObject()
        policy.add("relativeThreshold", check.policy.relativeThreshold)
        policy.add("absoluteThresholdNs", check.policy.absoluteThreshold)
        policy.add("errorRate", check.policy.errorRate)
        policy.add("looks", check.policy.looks)
        policy.add("seed", check.policy.seed)
        policy.add("isInterleaved", check.policy.isInterleaved)
        policy.add("orderSeed", check.policy.orderSeed)
        return policy
    }

    private func side(_ side: CheckSide, _ sessions: Int, _ path: PathChange.Path?) -> JSONObject {
        var object = JSONObject()
        object.add("label", side.label)
        object.add("runs", side.runs.count)
        object.add("sessions", sessions)
        object.add("hosts", side.hosts)
        object.add("criticalPath", path?.kinds ?? [])
        object.add("runsWithThatPath", path?.runs ?? 0)
        return object
    }

    private func metric(_ comparison: MetricComparison, isPrimary: Bool) -> JSONObject {
        var row = JSONObject()
        row.add("metric", comparison.metric.label)
        row.add("kind", comparison.metric.kind)
        row.add("isPrimary", isPrimary)
        row.add("verdict", check.verdict(of: comparison).rawValue)
        row.add("baselineNs", comparison.baselineTime)
        row.add("currentNs", comparison.currentTime)
        row.add("ratio", comparison.ratio)
        row.add("lower", comparison.isIntervalSound ? comparison.interval.lowerBound : .nan)
        row.add("upper", comparison.isIntervalSound ? comparison.interval.upperBound : .nan)
        row.add("confidence", comparison.confidence)
        row.add("isPaired", comparison.isPaired)
        row.add("pSlower", comparison.pSlower)
        row.add("pFaster", comparison.pFaster)
        row.add("reason", comparison.reason?.description)
        return row
    }

    private func execution(_ witness: ExecutionWitness, _ words: CheckWords) -> JSONObject {
        var row = JSONObject()
        row.add("kind", witness.kind)
        row.add("differenceNs", witness.difference)
        for (part, difference) in witness.parts { row.add("\(part.row.key)DifferenceNs", difference) }
        row.add("sentence", witness.sentence(words))
        return row
    }

    private func delay(_ delay: DelayShift.Row) -> JSONObject {
        var row = JSONObject()
        row.add("kind", delay.kind)
        row.add("part", delay.part.name)
        row.add("baselineNs", delay.baseline)
        row.add("currentNs", delay.current)
        row.add("differenceNs", delay.difference)
        row.add("isProven", delay.isProven)
        return row
    }
}
