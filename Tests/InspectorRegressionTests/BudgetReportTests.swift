import InspectorRegression
import TestTraces
import Testing

@Suite("Budgets: the report of several runs")
struct BudgetReportTests {
    private func run(_ makespan: Int64, failing: Bool = false) -> TraceAnalysis {
        TraceAnalysis(
            trace {
                op(
                    "a", kind: "Parse", enqueued: 0, ready: 0, start: 0, finish: makespan,
                    outcome: failing ? .failed(message: "no") : .succeeded)
            })
    }

    private func report(_ yaml: String, _ runs: TraceAnalysis...) throws -> BudgetReport {
        try BudgetReport(
            Budgets(yaml: yaml, named: "budgets.yml"),
            runs.enumerated().map { ("run\($0.offset + 1).json", $0.element) })
    }

    @Test func `a limit on a time is broken if most runs break it`() throws {
        #expect(try !report("makespan: 10ns", run(5), run(20)).isBroken)
        #expect(try !report("makespan: 10ns", run(5), run(20), run(6)).isBroken)
        let broken = try report("makespan: 10ns", run(30), run(20), run(6))
        #expect(broken.isBroken)
        #expect(
            broken.sentence
                == "makespan is 30 ns, 20 ns over the limit of 10 ns, in run1.json; 2 of 3 runs broke it "
                + "(budgets.yml:1)"
        )
    }

    @Test func `any other limit is broken if one run breaks it`() throws {
        let broken = try report("no failures", run(1), run(1, failing: true), run(1))
        #expect(broken.isBroken)
        #expect(
            broken.sentence
                == "failures is 1, over the limit of 0, in run2.json; 1 of 3 runs broke it (budgets.yml:1)")
    }

    @Test func `the text says which was broken first`() throws {
        let report = try report(
            "- makespan: 1s\n- max execution: 10ns\n- no failures", run(20, failing: true))
        try Golden("budgets.txt").expect(report.text(width: 60))
        #expect(
            report.verdict.hasPrefix(
                "broken: max execution of all operations is 20 ns, 10 ns over the limit of 10 ns "
                    + "(budgets.yml:2); "
            ))
    }

    @Test func `a report of budgets says what a log lost`() throws {
        var lossy = trace { op("a", enqueued: 0, ready: 0, start: 0, finish: 9) }
        lossy.losses = ["12 events were dropped"]
        let report = try report("makespan: 1s", TraceAnalysis(lossy))
        #expect(report.notes == ["run1.json: 12 events were dropped"])
        #expect(report.text().contains("\nNote: run1.json: 12 events were dropped\n"))
        #expect(report.markdown.contains("Note: run1.json: 12 events were dropped"))
        #expect(report.annotations.contains("::warning title=Budgets%3A the runs::run1.json"))
    }

    @Test func `with lost events, the recorded ones may break a budget, but cannot keep one`() throws {
        let lossy = TraceAnalysis(
            trace(dropped: 3) { op("a", enqueued: 0, ready: 0, start: 0, finish: 9) })
        let open = try report("- makespan: 1s\n- count: at least 1", lossy)
        #expect(!open.isBroken && open.isInconclusive)
        #expect(open.verdict == "inconclusive: 1 budget kept; 1 depends on events that were not recorded.")
        #expect(open.text().contains("\ninconclusive  makespan "))
        #expect(open.markdown.contains("**inconclusive:** 1 budget kept"))
        #expect(open.annotations.hasPrefix("::warning title=Budgets::inconclusive: "))
        #expect(CheckJUnit(nil, open).text.contains("failures=\"0\" errors=\"0\" skipped=\"1\""))
        let strict = CheckJUnit(nil, open, isStrict: true).text
        #expect(
            strict.contains("errors=\"1\" skipped=\"0\"") && strict.contains("<error type=\"inconclusive\""))
        func verdict(_ limit: String, _ runs: TraceAnalysis...) throws -> BudgetReport.Line.Verdict {
            let all = runs.enumerated().map { ("\($0.offset)", $0.element) }
            return try BudgetReport(Budgets(yaml: limit), all).lines[0].verdict
        }
        #expect(try verdict("count: 0", lossy) == .broken)
        #expect(try verdict("count: exactly 0", lossy) == .broken)
        #expect(try verdict("count: exactly 2", lossy) == .inconclusive)
        #expect(try verdict("count: at least 2", lossy) == .inconclusive)
        // Two of three keep it, so the third does not matter.
        #expect(try verdict("makespan: 1s", lossy, run(5), run(5)) == .kept)
        #expect(try verdict("makespan: 1s", lossy, lossy, run(5)) == .inconclusive)
        #expect(try verdict("no failures", lossy, run(5), run(5)) == .inconclusive)
    }

    @Test func `without runs, no budget is kept`() throws {
        let report = try BudgetReport(Budgets(yaml: "makespan: 1s"), [])
        #expect(report.isBroken)
        #expect(report.sentence == "no run was checked")
    }

    @Test func `a report without a broken budget says so`() throws {
        #expect(try report("makespan: 1s", run(20)).sentence == "1 budget kept")
        #expect(try report("makespan: 1s", run(20), run(21)).sentence == "1 budget kept in 2 runs")
    }

    @Test func `cases of a report have the file and the line`() throws {
        let cases = try report(
            "- makespan: 1s\n- kind: Store\n  optional: true\n  count: 1\n- no failures",
            run(1, failing: true)
        ).cases
        #expect(cases.map(\.name) == ["makespan", "count of Store", "failures"])
        #expect(cases.map(\.line) == [1, 4, 5])
        #expect(cases.map(\.verdict) == [.kept, .unused, .broken])
        #expect(cases.map(\.failure) == [nil, nil, "failures is 1, over the limit of 0"])
    }

    @Test func `a kind that only one run has is an error that names the other`() throws {
        let other = TraceAnalysis(
            trace { op("a", kind: "Store", enqueued: 0, ready: 0, start: 0, finish: 9) })
        #expect {
            try report("- kind: Parse\n  count: 1", run(1), other)
        } throws: {
            "\($0)" == "budgets.yml:2: run2.json: no operation of kind 'Parse'; the only kind is 'Store'"
        }
    }

    @Test func `names are never markup in Markdown`() throws {
        let hostile = TraceAnalysis(
            trace { op("a", kind: "<b>|x", enqueued: 0, ready: 0, start: 0, finish: 9) })
        let text = try report("- kind: '<b>|x'\n  max execution: 1ns", hostile).markdown
        #expect(!text.contains("<b>"))
        #expect(text.contains("&lt;b&gt;\\|x"))
        #expect(text.contains("**broken:**"))
    }
}
