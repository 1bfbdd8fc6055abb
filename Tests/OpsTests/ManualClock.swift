import Foundation

/// A clock that a test advances by hand; or one that jumps to the end of every sleep by itself.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        func duration(to other: Instant) -> Duration { other.offset - offset }

        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleeps: [Duration] = []
        var nextSleeper = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state = Mutexed(State())
    private let jumps: Bool

    init(jumps: Bool = false) { self.jumps = jumps }

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    /// How long each sleep until now was to be.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Returns when a task sleeps, with the remaining time of the next one to wake.
    func sleeper() async -> Duration {
        while true {
            let remaining = state.withLock { state in
                state.sleepers.values.map(\.deadline).min().map { state.now.duration(to: $0) }
            }
            if let remaining { return remaining }
            await Task.yield()
        }
    }

    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.sleeps.append(state.now.duration(to: deadline))
            if jumps { state.now = deadline }
            state.nextSleeper += 1
            return state.nextSleeper
        }
        if jumps { return try Task.checkCancellation() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isDue = state.withLock { state in
                    guard deadline > state.now else { return true }
                    state.sleepers[id] = (deadline, continuation)
                    return false
                }
                if isDue { continuation.resume() }
                // A cancellation before it slept did not find it.
                if Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
    }

    private func wake(_ id: Int) {
        state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation
            .resume(throwing: CancellationError())
    }
}
