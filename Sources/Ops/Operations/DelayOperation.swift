public import Foundation

/// An operation that does nothing for a while. It does not block a thread.
///
///     let pause = DelayOperation(for: .seconds(5))
///     poll.addDependency(pause)
///
/// The time begins when the queue starts the operation, which takes one of the queue's slots. The operation
/// may end a little later than requested. `cancel()` ends it at once, and it counts as cancelled. Otherwise
/// like `TaskOperation`.
public final class DelayOperation: TaskOperation<Void>, @unchecked Sendable {
    /// How long it takes. A duration of zero or less takes no time. The maximum is a hundred years.
    public let duration: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - duration: how long it takes.
    ///   - name: see `Operation.name`.
    ///   - clock: the clock that measures the time. Tests can pass one that they advance by hand.
    ///   - qualityOfService: see `TaskOperation`.
    ///   - runsRegardless: whether it takes its time even if a dependency failed or was cancelled.
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
