public import Foundation

/// An operation whose body is synchronous Swift: it runs on the queue's thread, may block it and may compute
/// as long as it likes, and what it returns is the operation's `output`.
///
///     let grey = SynchronousOperation(name: "grey") { try image.desaturated() }
///
/// Or derive from it and override `run()`, and look at `isCancelled` there, or call `checkCancellation()`, as
/// often as the operation shall be quick to cancel.
///
/// A body that returns makes the operation succeed; one that throws makes it fail with that error, or count
/// as cancelled where the error is a `CancellationError`. What the body of a cancelled operation returns is
/// dropped. All else is as in `AsynchronousOperation`. The closure and what it holds are released at the end.
open class SynchronousOperation<Output: Sendable>: OutputOperation<Output>, @unchecked Sendable {
    private let body: Locked<(@Sendable () throws -> Output)?>

    /// - Parameters:
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: of the thread that the queue runs the body on.
    ///   - runsRegardless: see `AsynchronousOperation.runsRegardless`.
    ///   - body: called once at most, on a thread of the queue. Nil in subclasses that override `run()`.
    public init(
        name: String? = nil, kind: String? = nil, qualityOfService: QualityOfService = .default,
        runsRegardless: Bool = false, body: (@Sendable () throws -> Output)? = nil
    ) {
        self.body = Locked(body)
        super.init(
            name: name, kind: kind, qualityOfService: qualityOfService, runsRegardless: runsRegardless)
    }

    /// The body. Called once at most, on a thread of the queue. By itself it calls the closure of the
    /// initializer.
    open func run() throws -> Output {
        if let body = body.withLock({ $0 }) { return try body() }
        // It was finished by hand just now, or never had one.
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
        // Released when this returns, and not with the lock held.
        _ = body.withLock { body in
            defer { body = nil }
            return body
        }
    }
}
