import Foundation
import Ops

/// Operations whose kinds only the program knows, beside others: `RecordingVictim kinds`.
enum Kinds {
    private final class Request: AsynchronousOperation, KindedOperation, @unchecked Sendable {
        let kind: String

        init(_ kind: String) { self.kind = kind }
    }

    /// Of a class of Foundation.
    private final class Resize: Operation, KindedOperation, @unchecked Sendable {
        let kind: String

        init(_ kind: String) { self.kind = kind }
    }

    private final class Plain: Operation, @unchecked Sendable {}

    private final class Load: GroupOperation, @unchecked Sendable {
        init() {
            super.init(name: "load") { _ in }
            let fetch = SynchronousOperation(name: "fetch", kind: "Fetch") { 1 }
            add(fetch)
            add(fetch.thenSynchronously(kind: "Parse") { $0 + 1 })
            add(fetch.then(kind: "Store") { $0 + 1 })
        }
    }

    static func run() {
        let queue = InstrumentedQueue()
        queue.name = "every kind"
        // This one is named as a dependency before it is added.
        let late = Request("GET /late")
        let waiting = SynchronousOperation(kind: "") {}
        waiting.addDependency(late)
        let operations = [
            Request("GET /quotes"), Request("GET /quotes"), Request("PUT /quotes"), Resize("Small"),
            Resize("Large"),
            Plain(), SynchronousOperation {}, TaskOperation(kind: "Ask") {}, Load(), waiting,
            BlockOperation {},
        ]
        queue.isSuspended = true
        for operation in operations { queue.addOperation(operation) }
        queue.addOperation {}
        queue.addOperation(name: "named") {}
        queue.addOperation(late)
        queue.isSuspended = false
        queue.addBarrierBlock {}
        queue.waitUntilAllOperationsAreFinished()
    }
}
