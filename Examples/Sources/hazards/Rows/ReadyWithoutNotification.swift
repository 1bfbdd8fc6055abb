import Foundation
import Ops

extension HazardProgram {
    /// A queue asks `isReady` once and then waits for a notification. If an override becomes true without
    /// one, the operation is never started.
    static let readyWithoutNotification = HazardProgram(
        id: "ready-without-notification",
        summary: "isReady is overridden without notification: the operation never starts",
        wrong: {
            let queue = InstrumentedQueue()
            queue.name = "synchronization"
            let synchronize = HandWrittenSynchronization()
            queue.addOperation(synchronize)
            synchronize.token = "secret"
            // Reading `isReady` gives true, in a queue that has nothing else to do.
            let isReady = queue.operations.contains { $0.isReady }
            let isStuck = isReady && !queue.isEmpty(within: quietTime)
            return Verdict(
                !isStuck, isStuck ? "ready, and never started: synchronize" : "not seen: it started")
        },
        right: {
            let queue = InstrumentedQueue()
            queue.name = "synchronization"
            // What it waits for is an operation, which finishes when the token is there.
            let login = Login()
            let synchronize = TaskOperation(name: "synchronize") {}
            synchronize.addDependency(login)
            queue.addOperations([login, synchronize], waitUntilFinished: false)
            login.finish()
            return Verdict(queue.isEmpty(), "synchronized")
        })
}

private final class HandWrittenSynchronization: Operation, @unchecked Sendable {
    private let storedToken = Shared<String?>(nil)

    var token: String? {
        get { storedToken.value }
        set { storedToken.value = newValue }
    }

    override init() {
        super.init()
        name = "synchronize"
    }

    override var isReady: Bool { super.isReady && token != nil }
}

private final class Login: AsynchronousOperation, @unchecked Sendable {
    override init() {
        super.init()
        name = "login"
    }

    /// The code that gets the token finishes it.
    override func main() {}
}
