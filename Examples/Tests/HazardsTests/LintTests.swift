import Inspector
import Testing

@testable import hazards

/// What `opviz lint` finds in the programs that go wrong, and not in those that do the same job right.
@Suite("The rules of opviz lint")
struct LintTests {
    /// A rule, and the program whose trace shows what it is about.
    struct Pair: Sendable, CustomTestStringConvertible {
        let program: String
        let rule: String
        let severity: HazardSeverity
        /// Whether its queue follows freed memory then: it may crash, and it may forget operations before,
        /// which is found too.
        let damagesItsQueue: Bool

        init(
            _ program: String, _ rule: String, _ severity: HazardSeverity = .error,
            damagesItsQueue: Bool = false
        ) {
            self.program = program
            self.rule = rule
            self.severity = severity
            self.damagesItsQueue = damagesItsQueue
        }

        var testDescription: String { "\(rule): \(program)" }
    }

    /// What all rules together find in each program.
    static let shownInLogs = [
        Pair("cancel-calls-finish", "finished-before-start", damagesItsQueue: true),
        Pair("finish-only-if-executing", "limbo"),
        Pair("main-before-executing", "started-after-finish"),
        Pair("cancel-without-super", "ran-while-cancelled"),
        Pair("start-ignores-cancellation", "ran-while-cancelled"),
        Pair("group-starts-in-init", "work-before-start"),
        Pair("group-cancelled-queue-not", "cancel-not-propagated"),
        Pair("inner-failure-cancels-finisher", "lost-finisher"),
        Pair("group-waits-on-own-queue", "self-wait-deadlock"),
        Pair("runs-after-failed-dependency", "ran-after-failed-dependency", .warning),
        Pair("dependency-added-late", "late-edge"), Pair("ready-without-notification", "ready-not-started"),
        Pair("continuation-not-resumed", "lost-continuation", .warning),
        Pair("tasks-await-each-other", "await-circle"),
        Pair("cancelled-task-goes-on", "slow-to-cancel", .warning),
        Pair("task-outlives-its-function", "outlives-scope", .warning),
    ]

    /// What went wrong is in no event of the log.
    static let inNoLog = ["finish-called-twice", "result-in-completion-block", "asynchronous-work-in-main"]

    @Test("find what goes wrong, once, and nothing when it is done right", arguments: shownInLogs)
    func shown(_ pair: Pair) async throws {
        let report = try await report(pair, "wrong")
        let groups = pair.damagesItsQueue ? report.groups.filter { $0.rule == pair.rule } : report.groups
        #expect(groups.map(\.rule) == [pair.rule], "\(HazardText(report).text())")
        #expect(groups.map(\.severity) == [pair.severity])
        #expect(try await self.report(pair, "right").groups.isEmpty)
    }

    @Test("find nothing if the log shows nothing", arguments: inNoLog)
    func hidden(_ program: String) async throws {
        let report = HazardReport(try await HazardRun(program, "wrong").trace)
        #expect(report.groups.isEmpty && report.undecided.isEmpty)
    }

    @Test("find no error in what is done right", arguments: HazardProgram.all)
    func right(_ program: HazardProgram) async throws {
        let report = HazardReport(try await HazardRun(program.id, "right").trace, atLeast: .warning)
        #expect(report.groups.isEmpty, "\(HazardText(report).text())")
    }

    private func report(_ pair: Pair, _ way: String) async throws -> HazardReport {
        HazardReport(try await HazardRun(pair.program, way).trace)
    }
}
