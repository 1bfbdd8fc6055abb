/// A clock that the test sets. For one sleeper.
struct ManualClock: Clock {
    struct Instant: InstantProtocol {
        var sinceStart = Swift.Duration.zero

        func advanced(by duration: Swift.Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }

        func duration(to other: Instant) -> Swift.Duration { other.sinceStart - sinceStart }

        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.sinceStart < rhs.sinceStart }
    }

    /// An element for each sleep that begins.
    let sleeps: AsyncStream<Void>
    private let slept: AsyncStream<Void>.Continuation
    private let rings: AsyncStream<Void>
    private let rang: AsyncStream<Void>.Continuation

    init() {
        (sleeps, slept) = AsyncStream.makeStream()
        (rings, rang) = AsyncStream.makeStream()
    }

    let now = Instant()
    let minimumResolution = Swift.Duration.zero

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        slept.yield()
        await rings.next()
        try Task.checkCancellation()
    }

    /// Lets the sleeper go: it is as late as it waited for.
    func ring() { rang.yield() }
}
