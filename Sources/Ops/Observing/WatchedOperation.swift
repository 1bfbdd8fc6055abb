import Foundation

/// An operation as observers see it. It does not retain the operation. It lives as long as the operation, or
/// longer if somebody keeps it.
public final class WatchedOperation: Sendable {
    /// What is known about an operation when it is enqueued.
    public struct Details: Hashable, Sendable {
        /// The identifier in the log, if one is being written. Otherwise a number from 2^63 on, which no log
        /// uses.
        public let id: OperationID
        /// The name of its type, or the kind that the program set.
        public let kind: String
        /// The operation's own name, when it has one.
        public let name: String?
        /// The queue's identifier; like `id`, from the log or from 2^63 on.
        public let queue: QueueID
        /// The name that the program gave the queue. Nil if it gave none.
        public let queueName: String?
        /// `Operation.QueuePriority`, -8 to 8.
        public let priority: Int
    }

    @TaskLocal private static var inBody: WatchedOperation?

    private let flags = TransitionFlags()
    /// Sound because only the thread that inserts `.hasEnqueue` writes it, once, and others read it only
    /// after that thread has inserted `.hasDetails`. An object of its own would cost 400 instructions.
    private nonisolated(unsafe) var enqueueDetails: Details?
    private let accounts = SetOnceReference<AccountList>()

    /// The operation in whose body the calling code is: on its thread, in its task, or in a task that these
    /// created. (Not in `Task.detached`.) Nil while no observer is installed.
    public static var current: WatchedOperation? { inBody }

    /// Nil for an operation that was only named as a predecessor so far.
    public var details: Details? { flags.contains(any: .hasDetails) ? enqueueDetails : nil }

    /// The account that `observer` keeps for this operation. Nil if it was not notified of its enqueue.
    public func account<Observer: OperationObserver>(by observer: Observer) -> Observer.Account? {
        accounts.value?.account(by: observer) as? Observer.Account
    }

    // MARK: Enqueue

    /// Whether it was enqueued while an observer was installed, so that its events are reported.
    var isReported: Bool { flags.contains(any: .enqueued) }

    var isFinished: Bool { flags.contains(any: .finished) }

    /// Notifies `observers` of the enqueue. False if they know about it.
    ///
    /// - Parameter isReadinessPending: an answer to `isReady` means nothing until `arm`.
    func enqueue(
        _ details: consuming Details, to observers: [any OperationObserver], parent: WatchedOperation?,
        predecessors: [WatchedOperation], isReadinessPending: Bool
    ) -> Bool {
        guard flags.insert(.hasEnqueue) else { return false }
        enqueueDetails = consume details
        _ = flags.insert(.hasDetails)
        if isReadinessPending { _ = flags.insert(.isReadinessPending) }
        let accounts = AccountList.enqueued(
            self, to: observers[...], parent: parent, predecessors: predecessors)
        if let accounts { _ = self.accounts.set(accounts) }
        // Nothing may be reported before this.
        return flags.insert(.enqueued)
    }

    /// Call this when `operation` has all the edges of its enqueue.
    func arm(_ operation: Operation) {
        guard flags.remove(.isReadinessPending) else { return }
        let question = readinessQuestion
        if ClassInterposition.isKnownReady(operation) { recordReady(question) }
    }

    // MARK: Events

    /// Take this before asking the operation whether it is ready.
    var readinessQuestion: TransitionFlags.Question { flags.question }

    /// - Parameter question: taken before the operation answered that it is ready. Nil if its readiness is
    ///   known in another way.
    func recordReady(_ question: TransitionFlags.Question? = nil) {
        guard isReported, flags.insertReady(question ?? flags.question, unless: .executing) else { return }
        notifyReady()
    }

    /// Nobody sees when a barrier becomes ready, so that is not reported.
    func recordUnseenReadiness() { _ = flags.insert([.ready, .isReadyReported]) }

    private func notifyReady() {
        notify { $0.ready() }
        _ = flags.insert(.isReadyReported)
    }

    func recordExecuting() {
        guard isReported, flags.insert(.executing, unless: .finished) else { return }
        if flags.insert(.ready) {
            // The earlier answers came while it was being added, behind a barrier. Now it is ready.
            notifyReady()
        } else {
            awaitReadyReport()
        }
        notify { $0.executing() }
    }

    /// The thread that saw the readiness first may not have notified everybody yet, but will in a moment.
    /// This does not wait for ever: that thread runs an observer's code, which may wait for this thread.
    private func awaitReadyReport() {
        // Reading the clock takes longer than the rest.
        guard !flags.contains(any: .isReadyReported) else { return }
        let end = DispatchTime.now() + .seconds(1)
        while !flags.contains(any: .isReadyReported) && DispatchTime.now() < end { sched_yield() }
    }

    func recordCancelled() {
        guard isReported, flags.insert(.cancelled, unless: .finished) else { return }
        notify { $0.cancelled() }
    }

    func recordFinished(_ outcome: Outcome, error: (any Error)? = nil) {
        guard isReported, flags.insert(.finished) else { return }
        notify { $0.finished(outcome, error: error) }
    }

    func recordMark(_ text: String) {
        guard isReported, !isFinished else { return }
        notify { $0.marked(text) }
    }

    /// Reports an edge that `add` adds. Afterwards, ask the operation whether it is ready.
    func recordDependency(on predecessor: Operation, _ add: () -> Void) {
        beginDependency(on: predecessor)
        add()
        endDependency()
    }

    func beginDependency(on predecessor: Operation) {
        // Counted even if no observer receives it, because `endDependency` subtracts it again.
        flags.beginEdge()
        guard let predecessor = edge(to: predecessor) else { return }
        notify { $0.dependencyAdded(on: predecessor) }
    }

    func endDependency() { flags.endEdge() }

    func recordDependencyRemoved(on predecessor: Operation) {
        guard let predecessor = edge(to: predecessor) else { return }
        notify { $0.dependencyRemoved(on: predecessor) }
    }

    /// The predecessor of an edge, if the edge is reported to observers.
    private func edge(to predecessor: Operation) -> WatchedOperation? {
        guard isReported, !isFinished, !isAddedByQueue else { return nil }
        return WatchedOperations.sighted(predecessor)
    }

    /// Runs the body of the operation, or a part of it, inside the observers' `body(_:)`.
    ///
    /// - Parameter mayWorkOn: false if the operation finishes when this body ends.
    func runBody(mayWorkOn: Bool = true, _ run: () -> Void) {
        // A call of `super.main()`, or of `main()` in `start()`.
        guard isReported, Self.inBody !== self else { return run() }
        Self.$inBody.withValue(self) {
            if let accounts = accounts.value { accounts.runBody(run) } else { run() }
        }
        // If there are two bodies, the first one to end clears the flag.
        guard mayWorkOn, !isFinished, !flags.remove(.hasAnotherBody) else { return }
        notify { $0.bodyEnded() }
    }

    /// Call this in a body that leaves the rest to another body, before that one can begin.
    func recordAnotherBody() { _ = flags.insert(.hasAnotherBody) }

    private func notify(_ event: (any OperationAccount) -> Void) {
        accounts.withValue { $0.notify(event) }
    }
}
