public import Foundation

/// An operation with an output, which its dependents can take as their input.
///
/// `TaskOperation` is one. A class that adopts this protocol promises that code that sees it finished sees
/// its output.
public protocol ResultOperation<Output>: Operation {
    /// The type of the output. The output is read on any thread.
    associatedtype Output: Sendable

    /// The operation's output; or its error, which is a `CancellationError` if it was cancelled. Nil until it
    /// has finished; then it does not change. Any thread.
    var output: Result<Output, any Error>? { get }
}

extension ResultOperation {
    /// Creates an operation that waits for this one and takes its output as input. It is not in a queue yet:
    /// add both, in any order, to the same queue or to two.
    ///
    /// If this operation failed or was cancelled, `transform` is not called, and the new operation fails with
    /// a `DependencyFailure` that names this one. Cancelling the new operation does not cancel this one.
    ///
    ///     let decode = fetch.then { data in try JSONDecoder().decode([Repository].self, from: data) }
    ///     queue.addOperations([fetch, decode], waitUntilFinished: false)
    ///
    /// - Parameters:
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: applies to the new operation, and so to its task; see `TaskOperation`.
    ///   - transform: called in a task, once, after this operation has finished.
    public func then<Next>(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        _ transform: @escaping @Sendable (Output) async throws -> Next
    ) -> TransformOperation<Output, Next> {
        TransformOperation(
            from: self, name: name, kind: kind, qualityOfService: qualityOfService, transform: transform)
    }

    /// Like `then`, with the outputs of several operations, each of its own type.
    ///
    ///     let page = user.then(with: posts, avatar) { user, posts, avatar in Page(user, posts, avatar) }
    public func then<each Other: ResultOperation, Next>(
        with others: repeat each Other, name: String? = nil, kind: String? = nil,
        qualityOfService: QualityOfService = .default,
        _ transform: @escaping @Sendable (Output, repeat (each Other).Output) async throws -> Next
    ) -> TaskOperation<Next> {
        let operation = TaskOperation(name: name, kind: kind, qualityOfService: qualityOfService) {
            try await transform(self.get(), repeat (each others).get())
        }
        operation.addDependency(self)
        repeat operation.addDependency(each others)
        return operation
    }

    /// Like `then`, but `transform` runs on a thread of the queue and may block it. For long computations and
    /// for databases. (Swift has only as many threads for tasks as the processor has cores.)
    public func thenSynchronously<Next>(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        _ transform: @escaping @Sendable (Output) throws -> Next
    ) -> SynchronousOperation<Next> {
        let operation = SynchronousOperation(name: name, kind: kind, qualityOfService: qualityOfService) {
            try transform(self.get())
        }
        operation.addDependency(self)
        return operation
    }

    /// Like `then`, but `transform` always runs, and takes the whole result of this operation.
    ///
    /// It runs whatever the results of other dependencies are, too. Only the new operation's own cancellation
    /// keeps it from running.
    public func thenRegardless<Next>(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        _ transform: @escaping @Sendable (Result<Output, any Error>) async throws -> Next
    ) -> TransformOperation<Result<Output, any Error>, Next> {
        TransformOperation(
            regardlessOf: self, name: name, kind: kind, qualityOfService: qualityOfService,
            transform: transform)
    }

    /// The output of an operation that succeeded.
    ///
    /// Use it in the body of a dependent, which does not run if this operation failed. Elsewhere, use
    /// `value`, which waits for the output.
    ///
    /// - Throws: a `DependencyFailure` that names this operation if it failed, was cancelled, or has not
    ///   finished.
    public func get() throws -> Output {
        switch output {
        case .success(let output)?: return output
        case .failure(let error)?: throw DependencyFailure(of: self, error: error)
        case nil: throw DependencyFailure(unfinished: self)
        }
    }

    /// The output, once the operation has finished. Does not block a thread.
    ///
    /// Add the operation to a queue first, or this waits for ever. Cancelling the waiting task does not
    /// cancel the operation, and the task keeps waiting.
    ///
    /// - Throws: the operation's error, which is a `CancellationError` if it was cancelled.
    public var value: Output {
        get async throws {
            await finished()
            guard let output else { throw DependencyFailure(unfinished: self) }
            return try output.get()
        }
    }

    /// The error in the output. For operations known only by this protocol.
    var outputError: (any Error)? {
        guard case .failure(let error) = output else { return nil }
        return error
    }
}
