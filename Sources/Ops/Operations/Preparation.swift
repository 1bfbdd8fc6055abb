import EventLog
import Foundation

/// Runs between the start of an operation and its body: gets its keys, and then evaluates its conditions.
/// Also cancels it if it takes too long. Most operations need none of this.
///
/// Does not block a thread.
final class Preparation: Sendable {
    private struct State {
        var keys: Set<ExclusionKey> = []
        var conditions: [Condition] = []
        var timeout: (limit: Duration, clock: any Clock<Duration>)?
        /// What the operation currently waits for, in words.
        var wait: String?
        var hasKeys = false
        /// Whether it has everything it needs, and its body is about to be called on another thread.
        var isResuming = false
        var evaluation: Task<Void, Never>?
        var timer: Task<Void, Never>?
        /// Whether the operation has ended.
        var isOver = false
        var failure: TimeoutFailure?
    }

    private let state = Locked(State())

    var keys: Set<ExclusionKey> {
        get { state.withLock { $0.keys } }
        set { state.withLock { $0.keys = newValue } }
    }

    func add(_ condition: Condition) { state.withLock { $0.conditions.append(condition) } }

    func setTimeout(_ limit: Duration, _ clock: any Clock<Duration>) {
        state.withLock { $0.timeout = (limit, clock) }
    }

    /// What the operation waits for between its start and its body, in words.
    var wait: String? { state.withLock { $0.wait } }

    /// Set if the operation took too long.
    var failure: TimeoutFailure? { state.withLock { $0.failure } }

    /// Calls `body` when `operation` has what it needs: on this thread if that is at once, otherwise on
    /// another. Or finishes it without calling `body`.
    func begin(_ operation: AsynchronousOperation, body: @escaping @Sendable () -> Void) {
        startTimer(for: operation)
        let keys = keys
        guard !keys.isEmpty else { return evaluate(operation, resuming: nil, body) }
        // The body is called where it would have run without a wait, as far as possible.
        let queue =
            Thread.isMainThread
            ? DispatchQueue.main : DispatchQueue.global(qos: operation.qualityOfService.dispatchClass)
        let answer = ExclusionLines.shared.join(
            keys, as: operation.exclusionHolder, name: operation.nameOrKind
        ) {
            self.state.withLock { state in
                state.hasKeys = true
                state.wait = nil
            }
            self.evaluate(operation, resuming: queue, body)
        }
        // If it was finished by hand before it stood in line, nobody removed it.
        if state.withLock({ $0.isOver }) { return ExclusionLines.shared.leave(operation.exclusionHolder) }
        switch answer {
        case .granted:
            evaluate(operation, resuming: nil, body)
        case .refused(let name):
            operation.finish(throwing: ExclusionFailure(keys: keys.sorted(), holder: name))
        case .waiting(let name):
            let keys = keys.sorted().map(\.name).joined(separator: ", ")
            let wait = KnownMark.waitsForKey(keys, holder: name).text
            state.withLock { state in if !state.hasKeys { state.wait = wait } }
            operation.mark(wait)
            // If it was cancelled before it stood in line, nobody removed it.
            if operation.isCancelled { cancel(operation) }
        }
    }

    /// The operation was cancelled: stops waiting.
    func cancel(_ operation: AsynchronousOperation) {
        // It finishes when the condition that is being evaluated returns.
        let (evaluation, keys, wasResuming) = state.withLock { state in
            defer { state.isResuming = false }
            return (state.evaluation, state.keys, state.isResuming)
        }
        evaluation?.cancel()
        // The body's thread may take long to come. On another thread, because the caller of `cancel()` may
        // hold a lock that finishing takes.
        if wasResuming { DispatchQueue.global().async { operation.finish() } }
        guard !keys.isEmpty else { return }
        if ExclusionLines.shared.leave(waiting: operation.exclusionHolder) { operation.finish() }
    }

    /// The operation has ended: releases everything.
    func end(_ operation: AsynchronousOperation) {
        let ended = state.withLock { state in
            defer { state = State(isOver: true, failure: state.failure) }
            return state
        }
        ended.evaluation?.cancel()
        ended.timer?.cancel()
        if !ended.keys.isEmpty { ExclusionLines.shared.leave(operation.exclusionHolder) }
    }

    // MARK: Timeout

    /// A hundred years. The system's clocks end the program for times that they cannot represent.
    static let longest = Duration.seconds(100 * 365 * 86_400)

    private func startTimer(for operation: AsynchronousOperation) {
        guard let (limit, clock) = state.withLock({ $0.timeout }) else { return }
        let timer = Task { [weak operation] in
            guard (try? await clock.sleep(for: min(limit, Self.longest))) != nil, let operation else {
                return
            }
            self.timeOut(operation, TimeoutFailure(limit: limit))
        }
        keep(timer, \.timer)
    }

    private func timeOut(_ operation: AsynchronousOperation, _ failure: TimeoutFailure) {
        let isOver = state.withLock { state in
            if !state.isOver { state.failure = failure }
            return state.isOver
        }
        guard !isOver else { return }
        operation.mark("\(failure)")
        operation.cancel()
    }

    /// Remembers a task to cancel when the operation ends.
    private func keep(
        _ task: Task<Void, Never>, _ place: any WritableKeyPath<State, Task<Void, Never>?> & Sendable
    ) {
        let isOver = state.withLock { state in
            if !state.isOver { state[keyPath: place] = task }
            return state.isOver
        }
        if isOver { task.cancel() }
    }

    // MARK: Conditions

    /// - Parameter queue: where to call the body; nil for this thread.
    private func evaluate(
        _ operation: AsynchronousOperation, resuming queue: DispatchQueue?,
        _ body: @escaping @Sendable () -> Void
    ) {
        let conditions = state.withLock { $0.conditions }
        if conditions.isEmpty {
            guard let queue else { return body() }
            return resume(operation, on: queue, body)
        }
        let queue =
            queue
            ?? (Thread.isMainThread
                ? .main : DispatchQueue.global(qos: operation.qualityOfService.dispatchClass))
        let evaluation = Task {
            do {
                for condition in conditions { try await condition.evaluate() }
                self.resume(operation, on: queue, body)
            } catch {
                operation.finish(throwing: operation.isCancelled ? CancellationError() : error)
            }
        }
        keep(evaluation, \.evaluation)
        // If it was cancelled before the task was stored, nobody cancelled the task.
        if operation.isCancelled { evaluation.cancel() }
    }

    private func resume(
        _ operation: AsynchronousOperation, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) {
        let isOver = state.withLock { state in
            if !state.isOver { state.isResuming = true }
            return state.isOver
        }
        // It was finished by hand meanwhile and needs nothing more.
        if isOver { return }
        queue.async {
            let isMine = self.state.withLock { state in
                defer { state.isResuming = false }
                return state.isResuming
            }
            // If it was finished by hand or cancelled meanwhile, that was handled elsewhere.
            guard isMine else { return }
            if operation.isCancelled { operation.finish() } else { body() }
        }
        // A cancellation before this point did not see that it waits.
        if operation.isCancelled { cancel(operation) }
    }
}

extension Condition {
    fileprivate func evaluate() async throws {
        try Task.checkCancellation()
        let holds: Bool
        do {
            holds = try await check()
        } catch {
            throw ConditionFailure(condition: name, underlyingError: error)
        }
        guard holds else { throw ConditionFailure(condition: name, underlyingError: nil) }
    }
}

extension QualityOfService {
    fileprivate var dispatchClass: DispatchQoS.QoSClass {
        switch self {
        case .userInteractive: .userInteractive
        case .userInitiated: .userInitiated
        case .utility: .utility
        case .background: .background
        default: .default
        }
    }
}
