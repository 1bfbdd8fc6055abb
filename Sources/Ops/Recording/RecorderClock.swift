import CRecorder

/// The source of a recorder's times. Tests pass their own.
public struct RecorderClock: Sendable {
    /// Nanoseconds of a clock that never goes back, with any origin. Called on any thread.
    public var monotonic: @Sendable () -> UInt64
    /// Nanoseconds since 1970-01-01T00:00:00Z. Called once, at the start of a log.
    public var wall: @Sendable () -> Int64

    /// `monotonic` is called for every event: it must be quick and may not block.
    public init(monotonic: @escaping @Sendable () -> UInt64, wall: @escaping @Sendable () -> Int64) {
        self.monotonic = monotonic
        self.wall = wall
        isSystem = false
    }

    private init(system: Void) {
        monotonic = { recorder_monotonic() }
        wall = { recorder_wall() }
        isSystem = true
    }

    /// The processor's tick counter if it runs at a constant rate, about 20 ns a call; otherwise the
    /// operating system's `CLOCK_MONOTONIC`, about 30 ns. And the wall clock.
    public static let system = RecorderClock(system: ())

    /// Whether the recording core reads the clock itself.
    let isSystem: Bool
}
