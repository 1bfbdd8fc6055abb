import Foundation

/// The base class that people write, after many a blog post: the state behind a lock, notified by hand.
///
/// It is sound as far as it goes; each row of the table spoils one thing in a subclass.
class AsyncOperation: Operation, @unchecked Sendable {
    enum State { case ready, executing, finished }

    private let lock = NSLock()
    private var lockedState = State.ready

    init(_ name: String) {
        super.init()
        self.name = name
    }

    var state: State {
        get { lock.withLock { lockedState } }
        set {
            willChangeValue(for: \.isExecuting)
            willChangeValue(for: \.isFinished)
            lock.withLock { lockedState = newValue }
            didChangeValue(for: \.isExecuting)
            didChangeValue(for: \.isFinished)
        }
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }

    override func start() {
        if isCancelled {
            finish()
            return
        }
        state = .executing
        main()
    }

    func finish() { state = .finished }
}
