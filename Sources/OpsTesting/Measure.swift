import Inspector
public import Ops
public import XCTest

/// Runs `body` again and again, each time with a new queue that records, until the median of the makespan is
/// known well enough.
///
/// The first run is not counted: it pays for what is done once.
///
/// - Parameters:
///   - runs: the lowest and highest number of runs.
///   - precision: enough is an interval of ± this part of the median; 0.02 is 2 %.
///   - timeLimit: no further run is begun after that.
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

/// Runs two ways of doing the same work in turn, until the medians of both are known well enough.
///
/// What the machine does meanwhile, it does to both: this is the comparison to trust, while a baseline from
/// another time also has what that time was like. Each side is first in half of the pairs of runs, in a
/// random order. Each side has one run first that is not counted.
///
/// - Parameters:
///   - runs: the lowest and highest number of runs of each side. Fewer than seven cannot show a regression at
///     an error rate of 1 %.
///   - precision: enough are intervals of ± this part of the medians; 0.02 is 2 %.
///   - timeLimit: no further pair of runs is begun after that.
///   - seed: of the order of the runs; nil for one at random. A failure says which it was.
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
    /// As the function of that name, which the methods of `XCTestCase` hide.
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
