import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression

@Suite struct RegressionCheckTests {
    private let inTurn = CheckPolicy(isInterleaved: true)

    private func check(_ baseline: CheckSide, _ current: CheckSide) -> RegressionCheck {
        RegressionCheck(baseline: baseline, current: current, policy: inTurn)
    }

    @Test("a slower parse is a regression, and the report names the parse")
    func slower() throws {
        let slow = check(side(12, seed: 1), side(12, seed: 2, offset: 0.2, parse: 20))
        #expect(slow.verdict == .regressed)
        #expect(slow.delays.rows.first?.label == "execution of Parse")
        #expect(!slow.path.isChange)
        #expect(slow.notes == [])
        try Golden("check-regressed.txt").expect(CheckText(slow).text(width: 80))
    }

    @Test("faster runs are improved, the same ones unchanged or open")
    func others() {
        #expect(check(side(12, seed: 1), side(12, seed: 2, parse: 10)).verdict == .improved)
        #expect(check(side(30, seed: 1), side(30, seed: 3)).verdict == .unchanged)
        #expect(check(side(2, seed: 1), side(2, seed: 2, parse: 60)).verdict == .inconclusive)
    }

    @Test("the delays of both sides sum to their makespans")
    func sums() {
        let delays = check(side(5, seed: 1), side(6, seed: 2, parse: 18)).delays
        #expect(abs(delays.rest.baseline) < 1 && abs(delays.rest.current) < 1)
        let sum = delays.rows.reduce(0) { $0 + $1.difference }
        #expect(abs(sum - (delays.makespan.current - delays.makespan.baseline)) < 1)
    }

    @Test("runs of other hosts decide nothing, however slow they are")
    func hosts() {
        let far = side(12, seed: 2) { timings(host: "far", minute: Double($0), parse: 30 * $1) }
        let result = check(side(12, seed: 1), far)
        #expect(result.verdict == .inconclusive)
        #expect(result.primary.map(result.verdict(of:)) == [.inconclusive])
        #expect(result.obstacle?.contains("different hosts (box and far)") == true)
    }

    @Test("runs without a host are compared, with a note")
    func unnamedHosts() {
        let sides = [1, 2].map { seed in
            side(12, seed: seed) { timings(host: "", minute: Double($0), parse: 15 * $1) }
        }
        #expect(
            check(sides[0], sides[1]).notes.first?.hasPrefix("The runs do not name their machine") == true)
    }

    @Test("a check compares what operations do, however long others waited for them")
    func smallExecution() {
        func waiting(_ seed: UInt64) -> CheckSide {
            side(12, seed: seed) { index, noise in
                let run = timings(minute: Double(index) / 2, parse: 15 * noise)
                let kinds = run.kinds.map { kind in
                    RunTimings.Kind(
                        name: kind.name, count: kind.count,
                        samples: kind.samples.merging(
                            [.dependency: TimingSamples(3_600_000_000_000), .slot: TimingSamples(1000)]
                        ) { own, _ in own })
                }
                return RunTimings(
                    process: run.process, host: run.host, start: run.start, droppedEvents: 0,
                    isClosed: true, failed: 0, cancelled: 0, unfinished: 0, makespan: run.makespan,
                    criticalPathLength: run.criticalPathLength, totals: run.totals, kinds: kinds,
                    delays: run.delays, path: run.path)
            }
        }
        let labels = check(waiting(1), waiting(2)).others.map(\.metric.label)
        #expect(labels.contains("execution of Parse") && labels.contains("dependency wait of Parse"))
        #expect(!labels.contains("slot wait of Parse"))
    }

    @Test("a check compares only runs of hosts that both sides have")
    func sharedHosts() {
        let mixed = side(12, seed: 2) { index, noise in
            timings(host: index < 6 ? "box" : "far", minute: Double(index), parse: 15 * noise)
        }
        let result = check(side(12, seed: 1), mixed)
        #expect(result.current.runs.count == 6)
        #expect(result.obstacle == nil)
        #expect(result.notes.count == 6)
        #expect(result.notes.last == "1 more run of the current runs is left out.")
    }

    @Test("runs with losses, empty runs and duplicates are left out, and named")
    func leftOut() {
        var runs = side(5, seed: 2)
        runs.runs += [
            TimedRun(name: "lost.json", timings: timings(minute: 20, dropped: 3)),
            TimedRun(name: "killed.json", timings: timings(minute: 21, isClosed: false)),
            TimedRun(name: "again.json", timings: runs.runs[0].timings),
            TimedRun(name: "cut.json", timings: timings(minute: 22), damage: "the file is cut off at byte 7"),
        ]
        let result = check(side(5, seed: 1), runs)
        #expect(result.current.runs.count == 5)
        #expect(
            result.notes == [
                "lost.json of the current runs is left out: 3 events could not be recorded.",
                "killed.json of the current runs is left out: its log was not closed: the program was "
                    + "killed, or is still running.",
                "again.json of the current runs is left out: it duplicates another run.",
                "cut.json of the current runs is left out: the file is cut off at byte 7.",
            ])
    }

    @Test("a check reports runs that are on both sides")
    func onBothSides() {
        #expect(
            check(side(5, seed: 1), side(5, seed: 1)).notes == [
                "5 runs are on both sides, which hides a change."
            ])
    }

    @Test("a check gives no verdict, and does not trap, without a usable run")
    func nothing() {
        let lost = CheckSide(runs: [TimedRun(name: "a", timings: timings(dropped: 1))])
        for result in [check(lost, side(3, seed: 1)), check(side(3, seed: 1), lost), check(lost, lost)] {
            #expect(result.verdict == .inconclusive)
            #expect(result.obstacle?.contains("no usable run") == true)
            #expect(CheckText(result).text().hasPrefix("inconclusive: no usable run"))
            _ = (CheckMarkdown(result).text, CheckJSON(result).bytes, CheckJUnit(result).text)
        }
    }

    @Test("different work is reported, and the verdict stands")
    func structure() {
        let other = side(12, seed: 2) { index, noise in
            timings(
                process: "app2", minute: Double(index), parse: 20 * noise, others: ["Upload": 5],
                failed: 2, unfinished: 1)
        }
        let result = check(side(12, seed: 1), other)
        #expect(result.verdict == .regressed)
        #expect(
            result.notes == [
                "The runs do different work (operations a run): Upload is new (1).",
                "Operations failed: 0 → 2 a run.",
                "Operations never finished: 0 → 1 a run.",
                "Some operations never finished; their times end with their logs, so they are too short.",
                "The programs have different names: app → app2.",
            ])
        #expect(result.path.isChange)
    }

    @Test("differences in counts within one side do not count as different work")
    func varying() {
        func varied(_ seed: UInt64, _ counts: [Int]) -> CheckSide {
            side(counts.count, seed: seed) { index, noise in
                timings(
                    minute: Double(index), parse: 15 * noise,
                    others: Dictionary(uniqueKeysWithValues: (0..<counts[index]).map { ("K\($0)", 1) }))
            }
        }
        #expect(check(varied(1, [0, 1, 2]), varied(2, [1, 2, 0])).notes == [])
    }

    @Test("a primary metric of a kind that one side does not have leaves the check open")
    func missingKind() {
        let result = RegressionCheck(
            baseline: side(5, seed: 1), current: side(5, seed: 2),
            primary: [.makespan, TimingMetric(kind: "Upload", .part(.execution))], policy: inTurn)
        #expect(result.verdict == .inconclusive)
        #expect(result.obstacle == "one side has no operations of the kind Upload")
    }

    @Test("a hundred runs of a thousand kinds are compared by the largest kinds only")
    func manyKinds() {
        let others = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("K\($0)", Int64($0 * 1000)) })
        let many = side(50, seed: 1) { timings(minute: Double($0), parse: 15 * $1, others: others) }
        let result = check(
            many, side(50, seed: 2) { timings(minute: Double($0), parse: 15 * $1, others: others) })
        #expect(result.others.count < 40)
    }

    @Test(
        "metrics are found by the names that they are printed with",
        arguments: [
            ("makespan", "makespan"), ("critical path", "critical path length"),
            ("slot wait", "slot wait of all operations"), ("slot of Fetch of A", "slot wait of Fetch of A"),
            ("execution of Parse", "execution of Parse"), ("Parse", nil),
            ("execution", "execution of all operations"), ("", nil),
        ] as [(String, String?)])
    func names(name: String, label: String?) { #expect(TimingMetric(named: name)?.label == label) }
}
