import Foundation
import InspectorRegression
import TestTraces
import Testing

@Suite("Budgets: what a file means, and what is wrong with it")
struct BudgetsTests {
    private func all(_ yaml: String) throws -> [Budget] { try Budgets(yaml: yaml, named: "budgets.yml").all }

    private func error(_ yaml: String) -> String {
        do {
            _ = try Budgets(yaml: yaml, named: "b.yml")
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test func `a limit is at most its value, and knows its line`() throws {
        let budgets = try all("- makespan: 2s\n\n- kind: Parse\n  p95 execution: 20ms\n  count: exactly 3\n")
        #expect(budgets.map(\.label) == ["makespan", "p95 execution of Parse", "count of Parse"])
        #expect(budgets.map(\.line) == [1, 4, 5])
        #expect(budgets.map(\.limit) == [.time(2_000_000_000), .time(20_000_000), .number(3)])
        #expect(budgets.map(\.relation) == [.atMost, .atMost, .exactly])
    }

    @Test(arguments: [
        ("makespan: 1.5s", Budget.Amount.time(1_500_000_000)), ("makespan: 250 us", .time(250_000)),
        ("makespan: '2min'", .time(120_000_000_000)), ("slot wait: 12.5%", .share(0.125)),
        ("max slot wait: 10 %", .share(0.1)), ("concurrency: at most 4", .number(4)),
        ("count: '>= 4'", .number(4)), ("no failures", .number(0)), ("- no unfinished:", .number(0)),
    ])
    func `values have units`(yaml: String, amount: Budget.Amount) throws {
        #expect(try all(yaml).map(\.limit) == [amount])
    }

    @Test(arguments: [
        ("- makspan: 2s", "b.yml:1: no limit named 'makspan'; did you mean 'makespan'?"),
        (
            "- kind: A\n  p95 excution: 2s",
            "b.yml:2: no limit named 'p95 excution'; did you mean 'p95 execution'?"
        ),
        ("- makespan: 2", "b.yml:1: makespan: has no unit; use ns, us, ms, s, min or h"),
        ("- makespan: 2 parsecs", "b.yml:1: makespan: 2 parsecs is not a time such as 20ms"),
        ("- makespan: 1e400s", "b.yml:1: makespan: 1e400s is not a time such as 20ms"),
        (
            "\n- p95 execution: 9223372037s",
            "b.yml:2: p95 execution: 9223372037s is not a time such as 20ms, or a share such as 10%"
        ),
        ("- makespan: 0x10s", "b.yml:1: makespan: 0x10s is not a time such as 20ms"),
        ("- makespan: infs", "b.yml:1: makespan: infs is not a time such as 20ms"),
        ("- makespan: nanms", "b.yml:1: makespan: nanms is not a time such as 20ms"),
        ("- makespan: -5ms", "b.yml:1: makespan: -5ms is not a time such as 20ms"),
        ("- slot wait: 101%", "b.yml:1: slot wait: 101% is more than 100%"),
        ("- count: 99999999999999999999", "b.yml:1: count: 99999999999999999999 is not a whole number"),
        ("- makespan: 10%", "b.yml:1: makespan: expected a time such as 20ms, not a share"),
        ("- makespan:", "b.yml:1: makespan: has no value; it needs a time such as 20ms"),
        ("- makespan: [1s]", "b.yml:1: makespan: needs one value, not several"),
        ("- makespan: 1s\n  makespan: 2s", "b.yml:2: makespan is given more than once"),
        (
            "- kind: A\n  makespan: 2s",
            "b.yml:2: makespan applies to the whole run; put it into an entry of its own"
        ),
        ("- kind: A", "b.yml:1: this entry has no limit"),
        (
            "- makespan: 2s\n  optional: true",
            "b.yml:1: optional needs a kind, a queue or an executor"
        ),
        (
            "- executor: Cache\n  kind: A\n  count: 2",
            "b.yml:1: an executor is not limited to a kind or a queue; write two entries"
        ),
        (
            "- executor: Cache\n  max execution: 2s",
            "b.yml:2: max execution does not apply to an executor; concurrency and count do"
        ),
        (
            "- kind: A\n  optional: perhaps\n  count: 1",
            "b.yml:2: optional: perhaps is neither true nor false"
        ),
        ("- kind:\n  count: 1", "b.yml:1: kind: has no value"),
        (
            "- slot wait: 20ms",
            "b.yml:1: slot wait: expected a statistic; write max, p95, mean or total before it"
        ),
        (
            "- p95 slot wait: 2%",
            "b.yml:1: p95 slot wait: a share refers to all lifetimes together; write `slot wait: …%`"
        ),
        ("- count: 2ms", "b.yml:1: count: needs a whole number, not 2ms"),
        ("- count: -2", "b.yml:1: count: -2 is not a whole number"),
        (
            "- no hazards: [late-edge, lat-edge]",
            "b.yml:1: no rule named 'lat-edge'; did you mean 'late-edge'?"
        ),
        (
            "- no hazards: fatal",
            "b.yml:1: no severity named 'fatal'; the severities are 'note', 'warning' and 'error'"
        ),
        (
            "- no hazards:\n    above: note",
            "b.yml:2: above: unknown key; use `at least`, `only` or `except`"
        ),
        ("- no failures: 3", "b.yml:1: no failures: takes no value; to allow some, write `failures: 2`"),
        ("- makespan", "b.yml:1: makespan: has no limit"),
        ("- - makespan: 2s", "b.yml:1: a list cannot contain a list; write `name: value`"),
        ("", "b.yml: holds no budgets"), ("# nothing\n", "b.yml: holds no budgets"),
        ("[]", "b.yml: holds no budgets"),
        ("- \u{1B}[31m: 2s", "b.yml:1: is not YAML: control characters are not allowed"),
    ])
    func `what is wrong is said with its line`(yaml: String, sentence: String) {
        #expect(error(yaml) == sentence)
    }

    @Test func `a name out of the file cannot act on a terminal`() {
        #expect(error("- \"a\\e[31m\": 2s").contains("no limit named 'a\\u{1b}[31m'"))
    }

    @Test func `a missing file of budgets, a folder and a file that is too large are reported`() throws {
        #expect(throws: BudgetsError.self) { try Budgets(file: "/nowhere/budgets.yml") }
        #expect(throws: BudgetsError.self) { try Budgets(file: NSTemporaryDirectory()) }
        let large = String(repeating: "# much\n", count: Budgets.largestFile / 7 + 1)
        #expect(error(large) == "b.yml: is larger than 256 KB, the limit for budgets")
    }

    @Test func `hazards can be chosen`() throws {
        func choice(_ yaml: String) throws -> Budget.HazardChoice? {
            guard case .hazards(let choice)? = try all(yaml).first?.quantity else { return nil }
            return choice
        }
        #expect(try choice("no hazards")?.least == .warning)
        #expect(try choice("no hazards: note")?.least == .note)
        let only = try choice("no hazards: [late-edge]")
        #expect(only?.only == ["late-edge"] && only?.least == .note)
        let except = try choice("no hazards: {at least: error, except: late-edge}")
        #expect(except?.except == ["late-edge"] && except?.least == .error)
    }

    @Test func `the example of the documentation is read as it says`() throws {
        let budgets = try all(Self.example())
        #expect(budgets.count == 20)
        let labels = budgets.map(\.label)
        #expect(labels.contains("slot wait of all operations"))
        #expect(labels.contains("concurrency in queue store"))
        #expect(budgets.filter(\.isOptional).map(\.label) == ["count of Retry"])
    }

    @Test
    func
        `the documented example holds for the run of the example quotes, but for what it lacks`()
        throws
    {
        let analysis = TraceAnalysis(
            try TraceReader(path: Self.root.appending(path: "Tests/OpvizTests/Traces/quotes.json").path)
                .read())
        let yaml = try Self.example().replacing("- queue: store", with: "- queue: page 1")
            .replacing("- executor: Cache", with: "- executor: Cache\n  optional: true")
        let results = try Budgets(yaml: yaml).check(analysis)
        #expect(results.count == 20)
        #expect(results.first { $0.budget.kind == "Retry" }?.verdict == .unused)
        #expect(results.first { $0.budget.label == "count of DownloadPage" }?.verdict == .kept)
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The first block of YAML in Documentation/Budgets.md.
    private static func example() throws -> String {
        let page = try String(contentsOf: root.appending(path: "Documentation/Budgets.md"), encoding: .utf8)
        let start = try #require(page.firstRange(of: "```yaml\n"))
        let end = try #require(page[start.upperBound...].firstRange(of: "```"))
        return String(page[start.upperBound..<end.lowerBound])
    }
}
