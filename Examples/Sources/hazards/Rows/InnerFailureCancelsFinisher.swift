import Foundation
import Ops

extension HazardProgram {
    /// A group that cancels its whole inner queue when a step fails also cancels the operation that should
    /// finish the group. The block of that operation does not run, and the group never finishes.
    static let innerFailureCancelsFinisher = HazardProgram(
        id: "inner-failure-cancels-finisher",
        summary: "an inner failure cancels the inner finisher too: the group never finishes",
        wrong: {
            let queue = InstrumentedQueue()
            queue.name = "imports"
            let group = HandWrittenImport()
            queue.addOperation(group)
            // Every step is over, and nothing is left that could finish the group.
            let isStuck = soon { group.hasFinishedSteps } && !queue.isEmpty(within: quietTime)
            return Verdict(!isStuck, isStuck ? "never finished: import" : "not seen: import finished")
        },
        right: {
            let queue = InstrumentedQueue()
            queue.name = "imports"
            let download = SynchronousOperation<String>(name: "download") { throw ServerError() }
            let store = download.then(name: "store") { $0.count }
            let group = GroupOperation(name: "import")
            group.add(download)
            group.add(store)
            queue.addOperation(group)
            guard queue.isEmpty() else { return .wentWrong("never finished: import") }
            guard let failure = group.failure else { return .wentWrong("import succeeded") }
            return Verdict(failure is GroupFailure, "import failed: \(failure)")
        })
}

private struct ServerError: Error, CustomStringConvertible {
    var description: String { "the server answered 500" }
}

private final class HandWrittenImport: AsyncOperation, @unchecked Sendable {
    private let inner = InstrumentedQueue()
    /// Kept: Foundation crashes when a dependent is freed before its dependency has finished, and cancelling
    /// does that.
    private let steps = Shared<[Operation]>([])

    var hasFinishedSteps: Bool { !steps.value.isEmpty && steps.value.allSatisfy(\.isFinished) }

    init() {
        super.init("import")
        inner.name = "import"
    }

    override func main() {
        let download = HandWrittenDownload { [self] _ in inner.cancelAllOperations() }
        let store = BlockOperation {}
        store.name = "store"
        store.addDependency(download)
        let finisher = BlockOperation { self.finish() }
        finisher.name = "finisher"
        for step in [download, store] { finisher.addDependency(step) }
        steps.value = [download, store, finisher]
        inner.addOperations(steps.value, waitUntilFinished: false)
    }
}

private final class HandWrittenDownload: Operation, @unchecked Sendable {
    private let onFailure: @Sendable (any Error) -> Void

    init(onFailure: @escaping @Sendable (any Error) -> Void) {
        self.onFailure = onFailure
        super.init()
        name = "download"
    }

    override func main() { onFailure(ServerError()) }
}
