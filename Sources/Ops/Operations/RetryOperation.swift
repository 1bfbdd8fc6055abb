public import Foundation

/// A group that creates an operation and, if that fails, waits and creates another, until one succeeds or the
/// policy stops it.
///
///     let quote = RetryOperation(name: "quote", policy: RetryPolicy(maximumAttempts: 4)) { attempt in
///         TaskOperation { try await client.get(url) }
///     }
///
/// **Outcome.** Its `output` is that of the first attempt that succeeds. Otherwise it fails with the error of
/// the last attempt.
///
/// **Cancellation.** `cancel()` cancels the attempt, or ends the delay, and no other attempt follows. The
/// same happens if somebody else cancels an attempt or a delay. Otherwise like `GroupOperation`.
///
/// **Trace.** Every attempt and every delay is a child, and depends on the one before. An attempt without a
/// name is called `attempt 2`; the delay before it, `before attempt 2`. Failed attempts are shown as failed,
/// even if the retry succeeds.
///
/// **Cost.** No thread is blocked. Attempts are kept until the operation is freed. The closure and everything
/// it captures is released at the end.
open class RetryOperation<Output: Sendable>: GroupOperation, ResultOperation, @unchecked Sendable {
    private struct State {
        var make: (@Sendable (Int) -> any ResultOperation<Output>)?
        /// The number of the latest attempt.
        var count = 0
        var attempt: (any ResultOperation<Output>)?
        /// The delay before the next attempt.
        var delay: DelayOperation?
    }

    /// How often it tries, for which errors, and how long it waits in between.
    public final let policy: RetryPolicy
    private let clock: any Clock<Duration>
    private let state: Locked<State>
    /// Set when the operation is about to finish.
    private let ended: Locked<Result<Output, any Error>?>

    /// - Parameters:
    ///   - name: see `Operation.name`.
    ///   - policy: how often it tries, for which errors, and how long it waits in between.
    ///   - clock: the clock that measures the delays.
    ///   - qualityOfService: see `Operation.qualityOfService`.
    ///   - recorder: where the inner queue's events go.
    ///   - completion: receives `output`. For when and where it is called, see `GroupOperation`.
    ///   - attempt: creates the operation of an attempt; the first has number 1. Called when the attempt is
    ///     about to be started, on the thread on which this operation was started or the delay ended, so it
    ///     must not block. Create a new operation each time: no operation runs twice.
    public init(
        name: String? = nil, policy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(), qualityOfService: QualityOfService = .default,
        recorder: Recorder = .shared, completion: (@Sendable (Result<Output, any Error>) -> Void)? = nil,
        attempt: @escaping @Sendable (_ number: Int) -> any ResultOperation<Output>
    ) {
        let ended = Locked<Result<Output, any Error>?>(nil)
        self.policy = policy
        self.clock = clock
        self.ended = ended
        state = Locked(State(make: attempt))
        super.init(
            name: name, failurePolicy: .collectAll, qualityOfService: qualityOfService, recorder: recorder,
            completion: completion.map { completion in
                { @Sendable (_: Result<Void, any Error>) in
                    if let output = ended.withLock({ $0 }) { completion(output) }
                }
            })
    }

    /// The output of the attempt that succeeded; or the error that the operation failed with, a
    /// `CancellationError` if it was cancelled. Nil until it has finished; then it does not change. Any
    /// thread.
    public final var output: Result<Output, any Error>? {
        isFinished ? ended.withLock { $0 } : nil
    }

    /// Creates the first attempt.
    public final override func prepare() { makeAttempt(after: nil) }

    final override func childrenFinished() {
        guard !isCancelled else { return }
        let (count, attempt, delay) = state.withLock { state in
            defer { state.delay = nil }
            return (state.count, state.attempt, state.delay)
        }
        if let delay {
            if !delay.isCancelled { makeAttempt(after: delay) }
            return
        }
        guard let attempt, case .failure(let error) = attempt.output,
            let duration = policy.delay(after: error, attempt: count)
        else { return }
        // (It cannot depend on the attempt itself, which failed: it would not start.)
        guard duration > .zero else { return makeAttempt(after: nil) }
        let next = DelayOperation(
            for: duration, name: "before attempt \(count + 1)", clock: clock,
            qualityOfService: qualityOfService, runsRegardless: true)
        next.addDependency(attempt)
        state.withLock { $0.delay = next }
        add(next)
    }

    private func makeAttempt(after delay: DelayOperation?) {
        let (make, count) = state.withLock { state in
            state.count += 1
            return (state.make, state.count)
        }
        // Nil if the operation was finished by hand just now.
        guard let attempt = make?(count) else { return }
        if attempt.name?.isEmpty != false { attempt.name = "attempt \(count)" }
        if let delay { attempt.addDependency(delay) }
        state.withLock { $0.attempt = attempt }
        add(attempt)
    }

    /// The error of the last attempt.
    final override func childrenFailure() -> (any Error)? {
        guard let attempt = state.withLock({ $0.attempt }) else { return OutputMissing() }
        return attempt.outputError
    }

    final override func willEnd(_ failure: (any Error)?, isCancelled: Bool) -> (any Error)? {
        var failure = failure
        let output: Result<Output, any Error>
        if let error = failure ?? (isCancelled ? CancellationError() : nil) {
            output = .failure(error)
        } else if let success = state.withLock({ $0.attempt })?.output, case .success = success {
            output = success
        } else {
            // It was finished by hand before it had an output.
            failure = OutputMissing()
            output = .failure(OutputMissing())
        }
        ended.withLock { $0 = output }
        return failure
    }

    final override func didEnd() {
        super.didEnd()
        // The state is released when this returns, not while the lock is held.
        _ = state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}
