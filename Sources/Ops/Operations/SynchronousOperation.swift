public import Foundation

/// An operation with a synchronous body, which runs on the queue's thread. The body may block the thread and
/// compute for long. Its return value is the operation's `output`.
///
///     let grey = SynchronousOperation(name: "grey") { try image.desaturated() }
///
/// Or derive from it and override `run()`. To react quickly to a cancellation, check `isCancelled` there
/// often, or call `checkCancellation()`.
///
/// If the body returns, the operation succeeds. If it throws, the operation fails with that error, or counts
/// as cancelled if the error is a `CancellationError`. The output of a cancelled operation is dropped.
/// Otherwise like `AsynchronousOperation`. The closure and everything it captures is released at the end.
open class SynchronousOperation<Output: Sendable>: OutputOperation<Output>, @unchecked Sendable {
    private let body: Locked<(@Sendable () throws -> Output)?>

    /// - Parameters:
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: applies to the thread that the queue runs the body on.
    ///   - runsRegardless: see `AsynchronousOperation.runsRegardless`.
    ///   - body: called at most once, on a thread of the queue. Nil in subclasses that override `run()`.
    public init(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        runsRegardless: Bool = false, body: (@Sendable () throws -> Output)? = nil
    ) {
        self.body = Locked(body)
        super.init(
            name: name, kind: kind, qualityOfService: qualityOfService, runsRegardless: runsRegardless)
    }

    /// The body. Called at most once, on a thread of the queue. The default implementation calls the closure
    /// of the initializer.
    open func run() throws -> Output {
        if let body = body.withLock({ $0 }) { return try body() }
        // It was finished by hand just now, or never had a closure.
        precondition(isFinished, "\(type(of: self)) has no closure and does not override run()")
        throw CancellationError()
    }

    /// Always false.
    public final override var isAsynchronous: Bool { false }

    /// Calls `run()`.
    public final override func main() {
        finish(with: Result { try run() })
    }

    override func didEnd() {
        // The closure is released when this returns, not while the lock is held.
        _ = body.withLock { body in
            defer { body = nil }
            return body
        }
    }
}
