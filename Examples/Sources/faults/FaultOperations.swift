import Foundation

/// A named operation that runs a closure in its `main()`.
class Work: Operation, @unchecked Sendable {
    private let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        self.body = body
        super.init()
        self.name = name
    }

    override func main() { body() }
}

/// Another kind than `Work`.
final class Thumbnail: Work, @unchecked Sendable {}

/// An asynchronous operation, which executes until it calls its own `finish()`.
final class Upload: Operation, @unchecked Sendable {
    private enum State { case waiting, executing, finished }

    private let finishes: Bool
    private let lock = NSLock()
    private var state = State.waiting

    init(_ name: String, finishes: Bool) {
        self.finishes = finishes
        super.init()
        self.name = name
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { state == .executing } }
    override var isFinished: Bool { lock.withLock { state == .finished } }

    override func start() {
        change(to: .executing, keys: ["isExecuting"])
        guard finishes else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) {
            self.change(to: .finished, keys: ["isExecuting", "isFinished"])
        }
    }

    private func change(to new: State, keys: [String]) {
        for key in keys { willChange(key) }
        lock.withLock { state = new }
        for key in keys { didChange(key) }
    }

    private func willChange(_ key: String) {
        key == "isFinished" ? willChangeValue(for: \.isFinished) : willChangeValue(for: \.isExecuting)
    }

    private func didChange(_ key: String) {
        key == "isFinished" ? didChangeValue(for: \.isFinished) : didChangeValue(for: \.isExecuting)
    }
}
