import Inspector

/// Runs one or two sides according to a plan.
struct Measuring {
    let plan: MeasurementPlan
    /// Measures the elapsed time.
    var clock: any Clock<Duration> = ContinuousClock()

    /// - Parameters:
    ///   - sides: one or two.
    ///   - record: makes one run of a side.
    /// - Returns: a measurement of each side.
    func run(sides: Int, _ record: (Int) async throws -> RecordedRun) async throws -> [Measurement] {
        try await measure(sides, clock, record)
    }

    private func measure(
        _ count: Int, _ clock: some Clock<Duration>, _ record: (Int) async throws -> RecordedRun
    ) async throws -> [Measurement] {
        let start = clock.now
        // Not counted, because these runs include one-time costs.
        for side in 0..<count { _ = try await record(side) }
        var sides = Array(repeating: MeasuredSide(), count: count)
        var run = 0
        while true {
            for _ in 0..<count {
                let side = count == 2 && plan.order.isCurrent(run) ? 1 : 0
                sides[side].add(try await record(side))
                run += 1
            }
            if let ending = plan.ending(sides.map(\.makespans), elapsed: start.duration(to: clock.now)) {
                return sides.compactMap { $0.measurement(ending) }
            }
        }
    }
}
