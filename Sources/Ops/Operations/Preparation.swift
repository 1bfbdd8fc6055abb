import Foundation

/// What lies between the start of an operation and its body: it gets its keys, and then its conditions are
/// evaluated. And what ends it when it takes too long. Most operations have neither.
///
/// No thread is blocked.
final class Preparation: Sendable {
    private struct State {
        var keys: Set<ExclusionKey> = []
        var conditions: [Condition] = []
        var timeout: (limit: Duration, clock: any Clock<Duration>)?
        /// What the operation waits for at present, in words.
        var wait: String?
        var hasKeys = false
        /// It has all it requires, and its body is about to be called on another thread.
        var isResuming = false
        var evaluation: Task<Void, Never>?
        var timer: Task<Void, Never>?
        /// The operation has ended.
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

    /// Set when the operation took too long.
    var failure: TimeoutFailure? { state.withLock { $0.failure } }

    /// Calls `body` when `operation` has what it requires: on this thread where that is at once, elsewhere
    /// otherwise. Or lets it finish without.
    func begin(_ operation: AsynchronousOperation, body: @escaping @Sendable () -> Void) {
        startTimer(for: operation)
        let keys = keys
        guard !keys.isEmpty else { return evaluate(operation, resuming: nil, body) }
        // The body is called where it would have been without a wait, as far as that goes.
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
        // Finished by hand before it stood in line, nobody took it out.
        if state.withLock({ $0.isOver }) { return ExclusionLines.shared.leave(operation.exclusionHolder) }
        switch answer {
        case .granted:
            evaluate(operation, resuming: nil, body)
        case .refused(let name):
            operation.finish(throwing: ExclusionFailure(keys: keys.sorted(), holder: name))
        case .waiting(let name):
            let keys = keys.sorted().map(\.name).joined(separator: ", ")
            let wait = "waits for the key \(keys): \(name) comes first"
            state.withLock { state in if !state.hasKeys { state.wait = wait } }
            operation.mark(wait)
            // Cancelled before it stood in line, nobody took it out.
            if operation.isCancelled { cancel(operation) }
        }
    }

    /// The operation was cancelled: it waits no longer.
    func cancel(_ operation: AsynchronousOperation) {
        // It finishes when the condition that is being evaluated has been.
        let (evaluation, keys, wasResuming) = state.withLock { state in
            defer { state.isResuming = false }
            return (state.evaluation, state.keys, state.isResuming)
        }
        evaluation?.cancel()
        // The thread of the body may be long in coming. Not here: whoever cancels may hold a lock that it
        // takes to finish.
        if wasResuming { DispatchQueue.global().async { operation.finish() } }
        guard !keys.isEmpty else { return }
        if ExclusionLines.shared.leave(waiting: operation.exclusionHolder) { operation.finish() }
    }

    /// The operation has ended: lets go of all there is.
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

    /// A hundred years. The system's clocks end the program when they are asked for more than they can count.
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

    /// Remembers a task that is to be cancelled in the end.
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

    /// - Parameter queue: where the body is to be called; nil for this thread.
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
        // Cancelled before it was kept, nobody cancelled it.
        if operation.isCancelled { evaluation.cancel() }
    }

    private func resume(
        _ operation: AsynchronousOperation, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) {
        let isOver = state.withLock { state in
            if !state.isOver { state.isResuming = true }
            return state.isOver
        }
        // Finished by hand meanwhile, it needs nothing more.
        if isOver { return }
        queue.async {
            let isMine = self.state.withLock { state in
                defer { state.isResuming = false }
                return state.isResuming
            }
            // Finished by hand or cancelled in the meantime, it was seen to.
            guard isMine else { return }
            if operation.isCancelled { operation.finish() } else { body() }
        }
        // Whoever cancelled it before did not see that it waits.
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
