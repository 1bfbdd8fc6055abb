import CRecorder

/// Where a recorder takes its times from. Tests pass one of their own.
public struct RecorderClock: Sendable {
    /// Nanoseconds of a clock that never goes back, from any origin. Called on any thread.
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

    /// The processor's tick counter where it runs at one rate, about 20 ns a call, else the operating
    /// system's `CLOCK_MONOTONIC`, about 30 ns; and the wall clock.
    public static let system = RecorderClock(system: ())

    /// The recording core then reads the clock itself.
    let isSystem: Bool
}
