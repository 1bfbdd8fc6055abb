import Ops
import Synchronization

/// An operation with a result that the next one reads: `parse.addDependency(download)`, then `try download.value()`.
class StepOperation<Value: Sendable>: AsynchronousOperation, @unchecked Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    /// It runs whatever became of the step before, and fails with what that failed with.
    override init() {
        super.init()
        runsRegardless = true
    }

    /// What the operation made. Once it has finished.
    ///
    /// - Throws: the error it failed with, or `QuotesError` when it was cancelled.
    func value() throws -> Value {
        guard let result = result.withLock({ $0 }) else {
            throw QuotesError("\(Self.self) was cancelled")
        }
        return try result.get()
    }

    func finish(with result: Result<Value, any Error>) {
        self.result.withLock { $0 = $0 ?? result }
        switch result {
        case .success: finish()
        case .failure(let error): finish(throwing: error)
        }
    }
}
