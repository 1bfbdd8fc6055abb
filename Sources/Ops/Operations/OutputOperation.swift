public import Foundation

/// An asynchronous operation with an output. Begin the work in `main()`, and call `finish(returning:)` or
/// `finish(throwing:)` when it is done, from any thread.
///
///     final class Lookup: OutputOperation<[Address]>, @unchecked Sendable {
///         override func main() {
///             resolver.lookup(host) { self.finish(with: $0) }
///         }
///     }
///
/// The first such call decides. Otherwise, including cancellation and dependencies, like
/// `AsynchronousOperation`. For an asynchronous body, or one that works on the queue's thread, use
/// `TaskOperation` or `SynchronousOperation`.
open class OutputOperation<Output: Sendable>: AsynchronousOperation, ResultOperation, KindedOperation,
    @unchecked Sendable
{
    private struct State {
        /// The first value that was given.
        var value: Output?
        /// Set when the operation is about to finish. Later values are ignored.
        var output: Result<Output, any Error>?
    }

    private let state = Locked(State())
    private let givenKind: String?

    /// - Parameters:
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: see `Operation.qualityOfService`.
    ///   - runsRegardless: see `AsynchronousOperation.runsRegardless`.
    public init(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        runsRegardless: Bool = false
    ) {
        givenKind = kind
        super.init()
        self.name = name
        self.qualityOfService = qualityOfService
        if runsRegardless { self.runsRegardless = true }
    }

    /// The kind that the initializer was given, or the name of the class.
    open var kind: String { givenKind ?? String(describing: type(of: self)) }

    /// The result of the operation: its output, its `failure`, or a `CancellationError` if it was cancelled
    /// without a failure. Nil until it has finished; then it does not change. Any thread.
    public final var output: Result<Output, any Error>? {
        isFinished ? state.withLock { $0.output } : nil
    }

    /// Ends the operation: it succeeded with `output`; or was cancelled if `isCancelled` is set, and the
    /// output is dropped. Any thread; calls after the first do nothing.
    ///
    /// (`finish()`, which gives no output, makes the operation fail.)
    public final func finish(returning output: Output) {
        // A value that comes too late is ignored.
        state.withLock { state in
            if case nil = state.output, case nil = state.value { state.value = output }
        }
        finish()
    }

    /// Ends the operation with `result`, like `finish(returning:)` or `finish(throwing:)`.
    public final func finish(with result: Result<Output, any Error>) {
        switch result {
        case .success(let output): finish(returning: output)
        case .failure(let error): finish(throwing: error)
        }
    }

    final override func willEnd(_ failure: (any Error)?, isCancelled: Bool) -> (any Error)? {
        state.withLock { state in
            defer { state.value = nil }
            if let error = failure ?? (isCancelled ? CancellationError() : nil) {
                state.output = .failure(error)
                return failure
            }
            state.output = state.value.map { .success($0) } ?? .failure(OutputMissing())
            return state.output?.failure
        }
    }
}

/// The error of an operation that was finished by hand, before it had an output.
struct OutputMissing: Error, CustomStringConvertible {
    var description: String { "it was finished without an output" }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}
