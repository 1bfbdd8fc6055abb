public import Foundation

/// An operation that does nothing for a while. It blocks no thread meanwhile.
///
///     let pause = DelayOperation(for: .seconds(5))
///     poll.addDependency(pause)
///
/// The time begins when the queue starts the operation, and takes one of the queue's slots; it may end a
/// little later than asked for. `cancel()` ends it at once, and it counts as cancelled. All else is as in
/// `TaskOperation`.
public final class DelayOperation: TaskOperation<Void>, @unchecked Sendable {
    /// How long it takes; no time, where it is not above zero. It never takes more than a hundred years.
    public let duration: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - duration: how long it takes.
    ///   - name: see `Operation.name`.
    ///   - clock: what measures the time. For tests, which do not wait for real time, one that they advance
    ///     by hand.
    ///   - qualityOfService: see `TaskOperation`.
    ///   - runsRegardless: it takes its time although a dependency failed or was cancelled.
    public init(
        for duration: Duration, name: String? = nil, clock: any Clock<Duration> = ContinuousClock(),
        qualityOfService: QualityOfService = .default, runsRegardless: Bool = false
    ) {
        self.duration = duration
        self.clock = clock
        super.init(name: name, qualityOfService: qualityOfService, runsRegardless: runsRegardless)
    }

    /// Returns when the time is over, or the task is cancelled.
    public override func run() async throws {
        if duration > .zero { try await clock.sleep(for: min(duration, Preparation.longest)) }
    }
}
