/// The accounts that observers keep for one operation, in the order in which the observers were installed. A
/// linked list that never changes, so any thread reads it without a lock.
final class AccountList: Sendable {
    private let observer: any OperationObserver
    private let account: any OperationAccount
    private let rest: AccountList?

    private init(_ observer: any OperationObserver, _ account: any OperationAccount, _ rest: AccountList?) {
        self.observer = observer
        self.account = account
        self.rest = rest
    }

    /// Notifies `observers` that `operation` is being enqueued. Nil if none of them keeps an account.
    static func enqueued(
        _ operation: WatchedOperation, to observers: ArraySlice<any OperationObserver>,
        parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> AccountList? {
        guard let observer = observers.first else { return nil }
        let account = account(by: observer, operation, parent, predecessors)
        let rest = enqueued(
            operation, to: observers.dropFirst(), parent: parent, predecessors: predecessors)
        guard let account else { return rest }
        return AccountList(observer, account, rest)
    }

    private static func account(
        by observer: some OperationObserver, _ operation: WatchedOperation, _ parent: WatchedOperation?,
        _ predecessors: [WatchedOperation]
    ) -> (any OperationAccount)? {
        observer.enqueued(operation, parent: parent, predecessors: predecessors)
    }

    /// Nil if `observer` keeps no account.
    func account(by observer: any OperationObserver) -> (any OperationAccount)? {
        self.observer === observer ? account : rest?.account(by: observer)
    }

    func notify(_ event: (any OperationAccount) -> Void) {
        event(account)
        rest?.notify(event)
    }

    /// Runs `body` exactly once, inside the `body(_:)` of every account, whatever the observers do.
    func runBody(_ body: () -> Void) {
        var hasRun = false
        // A local function instead of this closure would allocate the variable.
        account.body {
            guard !hasRun else { return }
            hasRun = true
            runRest(body)
        }
        if !hasRun { runRest(body) }
    }

    private func runRest(_ body: () -> Void) {
        if let rest { rest.runBody(body) } else { body() }
    }
}
