import Foundation

/// A clock that stands still until it is advanced. Its sleepers are woken in the order of their deadlines.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let wake: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var next = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        /// Whoever waits until somebody sleeps.
        var watchers: [CheckedContinuation<Duration, Never>] = []
    }

    private let state = Mutexed(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
                let watchers: [CheckedContinuation<Duration, Never>]? = state.withLock { state in
                    guard !state.cancelled.contains(number) else {
                        wake.resume(throwing: CancellationError())
                        return nil
                    }
                    state.sleepers[number] = Sleeper(deadline: deadline, wake: wake)
                    defer { state.watchers = [] }
                    return state.watchers
                }
                let remaining = now.duration(to: deadline)
                for watcher in watchers ?? [] { watcher.resume(returning: remaining) }
            }
        } onCancel: {
            state.withLock { state in
                state.cancelled.insert(number)
                state.sleepers.removeValue(forKey: number)?.wake.resume(throwing: CancellationError())
            }
        }
    }

    /// Returns when somebody sleeps, and says how long the next to wake has still to sleep.
    func sleeper() async -> Duration {
        await withCheckedContinuation { watcher in
            let remaining: Duration? = state.withLock { state in
                if let next = state.sleepers.values.map(\.deadline).min() {
                    return state.now.duration(to: next)
                }
                state.watchers.append(watcher)
                return nil
            }
            if let remaining { watcher.resume(returning: remaining) }
        }
    }

    /// How many sleep.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
        }
        for (_, sleeper) in woken { sleeper.wake.resume() }
    }
}
