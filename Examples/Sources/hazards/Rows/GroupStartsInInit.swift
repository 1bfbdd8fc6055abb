import Foundation
import Ops

extension HazardProgram {
    /// A group that fills its inner queue in `init` begins before it is started, so its dependencies are
    /// ignored.
    static let groupStartsInInit = HazardProgram(
        id: "group-starts-in-init",
        summary: "a group starts its inner queue in init: work before its start, its dependencies ignored",
        wrong: {
            let (loggedIn, isEarly) = (Gate(), Shared(false))
            let download = BlockOperation { isEarly.value = !loggedIn.pass(within: 0) }
            download.name = "download"
            let group = HandWrittenImport([download])
            let hasBegun = soon { download.isFinished }
            return run(group, loggedIn, isEarly, hasBegun)
        },
        right: {
            let (loggedIn, isEarly) = (Gate(), Shared(false))
            let download = BlockOperation { isEarly.value = !loggedIn.pass(within: 0) }
            download.name = "download"
            let group = GroupOperation(name: "import")
            group.add(download)
            let hasBegun = soon(within: quietTime) { download.isFinished }
            return run(group, loggedIn, isEarly, hasBegun)
        })

    /// The import should wait for the login.
    private static func run(
        _ group: Operation, _ loggedIn: Gate, _ isEarly: Shared<Bool>, _ hasBegun: Bool
    ) -> Verdict {
        let queue = InstrumentedQueue()
        queue.name = "imports"
        let login = BlockOperation { loggedIn.open() }
        login.name = "login"
        group.addDependency(login)
        queue.addOperations([login, group], waitUntilFinished: false)
        guard queue.isEmpty() else { return .wentWrong("never finished: import") }
        return Verdict(
            !hasBegun && !isEarly.value,
            isEarly.value ? "before the login: download" : "after the login: download")
    }
}

private final class HandWrittenImport: AsyncOperation, @unchecked Sendable {
    private let inner = InstrumentedQueue()
    private let steps: [Operation]

    init(_ steps: [Operation]) {
        self.steps = steps
        super.init("import")
        inner.name = "import"
        inner.addOperations(steps, waitUntilFinished: false)
    }

    override func main() {
        let finisher = BlockOperation { self.finish() }
        finisher.name = "finisher"
        for step in steps { finisher.addDependency(step) }
        inner.addOperation(finisher)
    }
}
