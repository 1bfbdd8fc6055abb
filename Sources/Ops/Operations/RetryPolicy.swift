import Foundation

/// How often a `RetryOperation` tries, for which errors, and how long it waits in between.
///
///     var policy = RetryPolicy(maximumAttempts: 5, delay: .exponential(first: .seconds(1)))
///     policy.shouldRetry = { error, _ in (error as? URLError)?.code == .timedOut }
public struct RetryPolicy: Sendable {
    /// How long to wait before the next attempt, without jitter.
    public enum Delay: Sendable, Hashable {
        /// The same each time.
        case constant(Duration)
        /// After attempt *n* (the first is 1): min(`atMost`, `first` · `factor`ⁿ⁻¹), to the nanosecond. The
        /// "capped exponential backoff" of Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture
        /// Blog, 2015, whose factor is 2.
        case exponential(first: Duration, factor: Double = 2, atMost: Duration = .seconds(60))
    }

    /// How to randomize a delay *d*, so that clients that failed together do not all come back together. The
    /// names and formulas are those of Brooker's article.
    public enum Jitter: Sendable, Hashable {
        /// *d* itself.
        case none
        /// Uniform between 0 and *d*. This puts the smallest load on the server.
        case full
        /// Uniform between *d*/2 and *d*. For when there has to be some delay.
        case equal
    }

    /// The maximum number of attempts, including the first; at least 1.
    public var maximumAttempts: Int
    /// How long to wait before the next attempt.
    public var delay: Delay
    /// How to randomize the delay.
    public var jitter: Jitter
    /// Whether to try again after the attempt of that number, counted from 1, has failed with that error.
    /// Called on the thread on which the attempt finished, so it must not block.
    public var shouldRetry: @Sendable (_ error: any Error, _ attempt: Int) -> Bool
    /// Copies of the policy share the generator.
    private let random: Locked<any RandomNumberGenerator & Sendable>

    /// - Parameters:
    ///   - maximumAttempts: the number of attempts, including the first; less than 1 counts as 1.
    ///   - delay: how long to wait before the next attempt.
    ///   - jitter: how to randomize the delay.
    ///   - random: the source of randomness. Tests can pass one that always returns the same numbers.
    ///   - shouldRetry: see the property. By default, everything is retried except a cancellation, and a
    ///     failure of one of the attempt's own dependencies.
    public init(
        maximumAttempts: Int = 3, delay: Delay = .exponential(first: .seconds(1)), jitter: Jitter = .full,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        shouldRetry: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Bool = { error, _ in
            !(error is CancellationError) && !(error is DependencyFailure)
        }
    ) {
        self.maximumAttempts = maximumAttempts
        self.delay = delay
        self.jitter = jitter
        self.shouldRetry = shouldRetry
        self.random = Locked(random)
    }

    /// How long to wait after the attempt of that number, counted from 1, has failed with `error`: the delay
    /// with jitter, or the error's `RetryAfter` if that is longer. Nil if there should be no other attempt.
    ///
    /// The result varies: it uses a random number.
    public func delay(after error: any Error, attempt: Int) -> Duration? {
        guard attempt < maximumAttempts, shouldRetry(error, attempt) else { return nil }
        let delay = jittered(delay.duration(after: attempt))
        return max(delay, (error as? any RetryAfter)?.retryAfter ?? .zero)
    }

    private func jittered(_ duration: Duration) -> Duration {
        let least: Duration
        switch jitter {
        case .none: return duration
        case .full: least = .zero
        case .equal: least = duration / 2
        }
        return random.withLock { random in
            Duration(attoseconds: .random(in: least.attoseconds...duration.attoseconds, using: &random))
        }
    }
}

extension RetryPolicy.Delay {
    /// The delay without jitter. Never negative, for any number of attempts.
    func duration(after attempt: Int) -> Duration {
        switch self {
        case .constant(let duration): return max(.zero, duration)
        case .exponential(let first, let factor, let atMost):
            let limit = max(.zero, atMost)
            // The power may be infinite, and infinity times zero is not a number.
            guard first > .zero else { return .zero }
            let seconds = max(0, first / .seconds(1) * pow(factor, Double(attempt - 1)))
            guard seconds < limit / .seconds(1), let whole = Int64(exactly: seconds.rounded(.down)) else {
                return limit
            }
            return .seconds(whole) + .nanoseconds(Int64(((seconds - Double(whole)) * 1e9).rounded()))
        }
    }
}

/// An error that says how long to wait before another attempt, as HTTP's `Retry-After` does.
public protocol RetryAfter: Error {
    /// A `RetryOperation` waits at least this long, however long that is, or longer if its policy says so. If
    /// you do not trust the source of the error, check the value in `shouldRetry`. Nil if the error does not
    /// say.
    var retryAfter: Duration? { get }
}
