public import Foundation

/// An operation that has an output when it has finished, which its dependents take as their input.
///
/// `TaskOperation` is one. Another class that adopts this promises that whoever sees it finished sees its output.
public protocol ResultOperation<Output>: Operation {
    associatedtype Output: Sendable

    /// What the operation gave; the error of one that failed, a `CancellationError` of one that was cancelled. Nil until
    /// it has finished, and the same ever after. Any thread.
    var output: Result<Output, any Error>? { get }
}

extension ResultOperation {
    /// An operation that waits for this one and takes its output as input. It is not in a queue yet: add both, in any
    /// order, to one queue or to two.
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

    /// The error in the output. For operations of which no more is known than this protocol.
    var outputError: (any Error)? {
        guard case .failure(let error) = output else { return nil }
        return error
    }
}
