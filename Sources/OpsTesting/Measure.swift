import Inspector
public import Ops
public import XCTest

/// Runs `body` repeatedly, each time with a new recording queue, until the median makespan is known precisely
/// enough.
///
/// The first run is not counted, because it includes one-time costs.
///
/// - Parameters:
///   - runs: the smallest and largest number of runs.
///   - precision: stop when the confidence interval is within ± this fraction of the median; 0.02 is 2 %.
///   - timeLimit: no further run begins after this time.
/// - Throws: as `recorded`.
public func measure(
    runs: ClosedRange<Int> = 10...50, precision: Double = 0.02, timeLimit: Duration = .seconds(60),
    named name: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, _ body: (InstrumentedQueue) async throws -> Void
) async throws -> Measurement {
    let plan = MeasurementPlan(runs, precision: precision, timeLimit: timeLimit)
    let sides = try await Measuring(plan: plan).run(sides: 1) { _ in
        try await recorded(
            named: name, fileID: fileID, filePath: filePath, line: line, column: column, body)
    }
    return sides[0]
}

/// Runs two versions of the same work alternately, until the medians of both are known precisely enough.
///
/// Disturbances on the machine affect both sides, so this is the most reliable comparison. A baseline from
/// another time also includes the conditions of that time. Each side is first in half of the pairs of runs,
/// in random order. The first run of each side is not counted.
///
/// - Parameters:
///   - runs: the smallest and largest number of runs of each side. Fewer than seven cannot show a regression
///     at an error rate of 1 %.
///   - precision: stop when the confidence intervals are within ± this fraction of the medians; 0.02 is 2 %.
///   - timeLimit: no further pair of runs begins after this time.
///   - seed: the seed for the order of the runs; nil for a random one. A failure states it.
/// - Throws: as `recorded`.
public func measureInterleaved(
    runs: ClosedRange<Int> = 10...50, precision: Double = 0.02, timeLimit: Duration = .seconds(120),
    seed: UInt64? = nil,
    named name: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, baseline: (InstrumentedQueue) async throws -> Void,
    current: (InstrumentedQueue) async throws -> Void
) async throws -> InterleavedMeasurement {
    let plan = MeasurementPlan(runs, precision: precision, timeLimit: timeLimit, seed: seed)
    let sides = try await Measuring(plan: plan).run(sides: 2) { side in
        try await recorded(
            named: name, fileID: fileID, filePath: filePath, line: line, column: column
        ) { queue in
            if side == 0 { try await baseline(queue) } else { try await current(queue) }
        }
    }
    return InterleavedMeasurement(baseline: sides[0], current: sides[1], seed: plan.order.seed)
}

extension XCTestCase {
    /// Like the global function, which the methods of `XCTestCase` hide.
    public func measure(
        runs: ClosedRange<Int> = 10...50, precision: Double = 0.02, timeLimit: Duration = .seconds(60),
        named name: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ body: (InstrumentedQueue) async throws -> Void
    ) async throws -> Measurement {
        try await OpsTesting.measure(
            runs: runs, precision: precision, timeLimit: timeLimit, named: name, fileID: fileID,
            filePath: filePath, line: line, column: column, body)
    }
}
