public import Foundation

/// A task operation whose body takes the output of another operation, with its type.
///
/// It depends on that operation from its initialization on, so it does not start before there is an output.
/// It takes the output when it is started, on the thread that the queue starts it on, before its task is
/// created. No completion block is involved. `ResultOperation.then` creates one in a single call; or derive
/// from it and override `transform(_:)`:
///
///     final class Decode: TransformOperation<Data, [Repository]>, @unchecked Sendable {
///         override func transform(_ data: Data) async throws -> [Repository] { … }
///     }
///     let decode = Decode(from: fetch)
///
/// With `init(from:)`, the body runs only if that operation and all other dependencies succeeded; otherwise
/// this one fails with a `DependencyFailure`. With `init(regardlessOf:)`, the input is the whole result, and
/// the body runs unless this operation itself is cancelled. If the output does not exist yet, because
/// somebody removed the dependency or called `start()`, that is a `DependencyFailure` too. Otherwise,
/// including cancellation, like `TaskOperation`.
///
/// The input, and the operation that it came from, are released at the end.
open class TransformOperation<Input: Sendable, Output: Sendable>: TaskOperation<Output>, @unchecked Sendable {
    private struct State {
        var source: (@Sendable () throws -> Input)?
        var input: Input?
        var transform: (@Sendable (Input) async throws -> Output)?
    }

    private let state: Locked<State>

    /// Creates an operation that takes the output of `dependency`, and fails if the output is missing.
    ///
    /// - Parameters:
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: the operation's, which decides the task's priority.
    ///   - transform: called at most once, in a task. Nil in subclasses that override `transform(_:)`.
    public init(
        from dependency: some ResultOperation<Input>, name: String? = nil, kind: String? = nil,
        qualityOfService: QualityOfService = .default,
        transform: (@Sendable (Input) async throws -> Output)? = nil
    ) {
        state = Locked(State(source: { try dependency.get() }, transform: transform))
        super.init(name: name, kind: kind, qualityOfService: qualityOfService)
        addDependency(dependency)
    }

    /// Creates an operation that takes the result of `dependency`, whatever it is. The parameters are those
    /// of `init(from:)`.
    public init<Dependency: ResultOperation>(
        regardlessOf dependency: Dependency, name: String? = nil, kind: String? = nil,
        qualityOfService: QualityOfService = .default,
        transform: (@Sendable (Input) async throws -> Output)? = nil
    ) where Input == Result<Dependency.Output, any Error> {
        let source: @Sendable () -> Input = {
            dependency.output ?? .failure(DependencyFailure(unfinished: dependency))
        }
        state = Locked(State(source: source, transform: transform))
        super.init(name: name, kind: kind, qualityOfService: qualityOfService, runsRegardless: true)
        addDependency(dependency)
    }

    /// The body. Called at most once, in the operation's task.
    ///
    /// The default implementation calls the closure of the initializer.
    open func transform(_ input: Input) async throws -> Output {
        if let transform = state.withLock({ $0.transform }) { return try await transform(input) }
        // It was finished by hand just now, or never had a closure.
        precondition(isFinished, "\(type(of: self)) has no closure and does not override transform(_:)")
        throw CancellationError()
    }

    /// Calls `transform(_:)`.
    public final override func run() async throws -> Output {
        // Nil only if the operation was finished by hand meanwhile: nobody takes its output.
        guard let input = state.withLock({ $0.input }) else { throw CancellationError() }
        return try await transform(input)
    }

    final override func takeInput() throws {
        let input = try state.withLock { $0.source }?()
        state.withLock { $0.input = input }
    }

    final override func didEnd() {
        super.didEnd()
        // The state is released when this returns, not while the lock is held.
        _ = state.withLock { state in
            defer { state = State() }
            return state
        }
    }
}
