public import Foundation

/// An operation that has an output when it has finished, which its dependents take as their input.
///
/// `TaskOperation` is one. Another class that adopts this promises that code that sees it finished sees its
/// output.
public protocol ResultOperation<Output>: Operation {
    /// What it gives to its dependents. It is read on any thread.
    associatedtype Output: Sendable

    /// What the operation gave; the error of one that failed, a `CancellationError` of one that was
    /// cancelled. Nil until it has finished, and the same ever after. Any thread.
    var output: Result<Output, any Error>? { get }
}

extension ResultOperation {
    /// An operation that waits for this one and takes its output as input. It is not in a queue yet: add
    /// both, in any order, to one queue or to two.
    ///
    /// Where this one failed or was cancelled, `transform` is not called, and the new operation fails with a
    /// `DependencyFailure` that names it. Cancelling the new one leaves this one alone.
    ///
    ///     let decode = fetch.then { data in try JSONDecoder().decode([Repository].self, from: data) }
    ///     queue.addOperations([fetch, decode], waitUntilFinished: false)
    ///
    /// - Parameters:
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: of the new operation, and so of its task; see `TaskOperation`.
    ///   - transform: called in a task, once, after this operation has finished.
    public func then<Next>(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        _ transform: @escaping @Sendable (Output) async throws -> Next
    ) -> TransformOperation<Output, Next> {
        TransformOperation(
            from: self, name: name, kind: kind, qualityOfService: qualityOfService, transform: transform)
    }

    /// As `then`, with the outputs of several operations, each of its own type.
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

    /// As `then`, but `transform` runs on a thread of the queue, and may block it: for what computes long,
    /// and for databases. There are as few threads for tasks as the processor has cores.
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

    /// As `then`, but `transform` runs whatever became of this operation, and takes the whole result.
    ///
    /// It runs whatever became of any other dependency, too. Only its own cancellation keeps it from running.
    public func thenRegardless<Next>(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        _ transform: @escaping @Sendable (Result<Output, any Error>) async throws -> Next
    ) -> TransformOperation<Result<Output, any Error>, Next> {
        TransformOperation(
            regardlessOf: self, name: name, kind: kind, qualityOfService: qualityOfService,
            transform: transform)
    }

    /// The output, of an operation that succeeded.
    ///
    /// For the body of a dependent, which does not run where this operation failed; elsewhere `value` waits
    /// for it.
    ///
    /// - Throws: a `DependencyFailure` that names this operation: it failed, was cancelled, or has not
    ///   finished.
    public func get() throws -> Output {
        switch output {
        case .success(let output)?: return output
        case .failure(let error)?: throw DependencyFailure(of: self, error: error)
        case nil: throw DependencyFailure(unfinished: self)
        }
    }

    /// The output, when the operation has finished. Blocks no thread meanwhile.
    ///
    /// Add the operation to a queue before: it waits for ever otherwise. Cancelling the waiting task leaves
    /// the operation alone, and the task waits on.
    ///
    /// - Throws: what the operation failed with; a `CancellationError` of one that was cancelled.
    public var value: Output {
        get async throws {
            await finished()
            guard let output else { throw DependencyFailure(unfinished: self) }
            return try output.get()
        }
    }

    /// The error in the output. For operations of which no more is known than this protocol.
    var outputError: (any Error)? {
        guard case .failure(let error) = output else { return nil }
        return error
    }
}
