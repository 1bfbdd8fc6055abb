/// A clock on which no sleep takes time, or on which each lasts until it is cancelled. It tells how long they
/// were to be.
public struct TestClock: Clock {
    public struct Instant: InstantProtocol {
        fileprivate var offset = Duration.zero

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    /// What was to be slept, one after the other.
    public let sleeps: AsyncStream<Duration>
    private let began: AsyncStream<Duration>.Continuation
    private let isEndless: Bool

    public init(isEndless: Bool = false) {
        (sleeps, began) = AsyncStream.makeStream()
        self.isEndless = isEndless
    }

    public var now: Instant { Instant() }
    public var minimumResolution: Duration { .zero }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        began.yield(deadline.offset)
        // Nobody yields anything: it ends when the task is cancelled.
        if isEndless { for await _ in AsyncStream<Never>.makeStream().stream {} }
        try Task.checkCancellation()
    }
}
