import Foundation

/// How often a `RetryOperation` tries, for what, and how long it waits in between.
///
///     var policy = RetryPolicy(maximumAttempts: 5, delay: .exponential(first: .seconds(1)))
///     policy.shouldRetry = { error, _ in (error as? URLError)?.code == .timedOut }
public struct RetryPolicy: Sendable {
    /// How long to wait before the next attempt, before there is any jitter.
    public enum Delay: Sendable, Hashable {
        /// The same each time.
        case constant(Duration)
        /// After attempt *n* (the first is 1): min(`atMost`, `first` · `factor`ⁿ⁻¹), to the nanosecond. The
        /// "capped exponential backoff" of Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture
        /// Blog, 2015, whose factor is 2.
        case exponential(first: Duration, factor: Double = 2, atMost: Duration = .seconds(60))
    }

    /// What chance makes of a delay *d*: many who failed at once do not all come back at once. The names and
    /// formulas are those of Brooker's article.
    public enum Jitter: Sendable, Hashable {
        /// *d* itself.
        case none
        /// Evenly between 0 and *d*. This loads the other side least.
        case full
        /// Evenly between *d*/2 and *d*. For where there has to be some delay.
        case equal
    }

    /// The first one included; not less than 1.
    public var maximumAttempts: Int
    /// How long to wait before the next attempt.
    public var delay: Delay
    /// What chance makes of the delay.
    public var jitter: Jitter
    /// Whether there is to be another attempt after the attempt of that number, counted from 1, has failed
    /// with that error. Called on the thread on which it finished: it must not block.
    public var shouldRetry: @Sendable (_ error: any Error, _ attempt: Int) -> Bool
    /// Copies of the policy share it.
    private let random: Locked<any RandomNumberGenerator & Sendable>

    /// - Parameters:
    ///   - maximumAttempts: the first one included; what is less than 1 counts as 1.
    ///   - delay: how long to wait before the next attempt.
    ///   - jitter: what chance makes of that.
    ///   - random: where the chance comes from. For tests, one that always gives the same.
    ///   - shouldRetry: see the property. By itself everything is tried again but cancellation, and a failure
    ///     of something
    ///     that the attempt depends on.
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
    /// with its jitter, or what the error asks for as `RetryAfter`, where that is longer. Nil where there is
    /// to be no other attempt.
    ///
    /// Not the same each time: it draws a random number.
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
    /// Without jitter. Any number of attempts gives a duration, and none is below zero.
    func duration(after attempt: Int) -> Duration {
        switch self {
        case .constant(let duration): return max(.zero, duration)
        case .exponential(let first, let factor, let atMost):
            let limit = max(.zero, atMost)
            // The power may be infinite, and zero times that not a number.
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
    /// A `RetryOperation` waits as long, or longer where its policy says so, whatever it is: look at it in
    /// `shouldRetry` where the error comes from somebody who is not to be trusted. Nil where there is nothing
    /// to say.
    var retryAfter: Duration? { get }
}
