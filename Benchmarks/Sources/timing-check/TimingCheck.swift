import Foundation
import Inspector
import Ops
import OpsTesting

/// A timing check of the project's own recording, as a user would make it with `OpsTesting`: a queue that
/// records against the same queue, and, to see that the check sees something, against one that records twice
/// as much.
///
/// Ends with 1 where equal sides are called regressed: that is a false alarm.
@main
struct TimingCheck {
    /// The number of operations in a run: enough to take longer than the machine's shortest interruptions.
    private static let operations = 5_000

    static func main() async throws {
        let checks = ProcessInfo.processInfo.environment["OPVIZ_CHECKS"].flatMap(Int.init) ?? 50
        let alarms = try await report("recording against itself", checks: checks, operations: operations)
        _ = try await report(
            "against twice as many operations", checks: max(1, checks / 5), operations: 2 * operations)
        if alarms > 0 { exit(1) }
    }

    /// - Returns: how many checks say regressed.
    private static func report(_ title: String, checks: Int, operations: Int) async throws -> Int {
        var verdicts: [RegressionVerdict: Int] = [:]
        for _ in 0..<checks {
            let both = try await measureInterleaved(runs: 12...12) { queue in
                work(Self.operations, in: queue)
            } current: { queue in
                work(operations, in: queue)
            }
            verdicts[both.check().verdict, default: 0] += 1
        }
        let counts = RegressionVerdict.allCases.map { "\($0.rawValue) \(verdicts[$0, default: 0])" }
        print("\(title), \(checks) checks of 12 runs a side: \(counts.joined(separator: ", "))")
        return verdicts[.regressed, default: 0]
    }

    /// Operations that do nothing: what they take is Foundation's and the recorder's.
    private static func work(_ count: Int, in queue: InstrumentedQueue) {
        queue.maxConcurrentOperationCount = 2
        for _ in 0..<count { queue.addOperation {} }
    }
}
