import Foundation

/// An operation as observers know it. It does not retain the operation, and lives as long as the operation,
/// or whoever keeps it.
public final class WatchedOperation: Sendable {
    /// What is known of an operation when it is enqueued.
    public struct Details: Hashable, Sendable {
        /// The one that it has in the log, where one is being written; else a number of its own, from 2^63
        /// on, which no log has.
        public let id: OperationID
        /// The name of its type, or what the user set.
        public let kind: String
        /// The operation's own name, when it has one.
        public let name: String?
        /// As `id`.
        public let queue: QueueID
        /// The name that the program gave the queue. Nil where it gave none.
        public let queueName: String?
        /// `Operation.QueuePriority`, -8 to 8.
        public let priority: Int
    }

    private struct Followed {
        let observer: any OperationObserver
        let account: any OperationAccount
    }

    private struct State {
        var details: Details?
        var followed: [Followed] = []
    }

    @TaskLocal private static var inBody: WatchedOperation?

    private let notes = TransitionNotes()
    private let state = Locked(State())

    /// The operation in whose body the calling code is: on its thread, in its task, or in one that these have
    /// made. (Not in `Task.detached`.) Nil while no observer is installed.
    public static var current: WatchedOperation? { inBody }

    /// Nil of an operation that was only named as a predecessor up to now.
    public var details: Details? { state.withLock { $0.details } }

    /// What `observer` keeps of this operation. Nil where it was not told of its enqueue.
    public func account<Observer: OperationObserver>(by observer: Observer) -> Observer.Account? {
        let followed = state.withLock { $0.followed.first { $0.observer === observer } }
        return followed?.account as? Observer.Account
    }

    // MARK: Enqueue

    /// Whether it was enqueued while somebody observed, and what happens to it is told.
    var isFollowed: Bool { notes.contains(any: .enqueued) }

    var isFinished: Bool { notes.contains(any: .finished) }

    /// Tells `observers` of the enqueue. False where they know of it.
    ///
    /// - Parameter isReadinessPending: an answer to `isReady` says nothing until `arm`.
    func enqueue(
        _ details: Details, to observers: [any OperationObserver], parent: WatchedOperation?,
        predecessors: [WatchedOperation], isReadinessPending: Bool
    ) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.details = state.details ?? details }
            return state.details == nil
        }
        guard isFirst else { return false }
        if isReadinessPending { _ = notes.insert(.isReadinessPending) }
        let followed = observers.compactMap { observer in
            account(with: observer, parent: parent, predecessors: predecessors)
        }
        state.withLock { $0.followed = followed }
        // Only now may anything be told.
        return notes.insert(.enqueued)
    }

    private func account(
        with observer: some OperationObserver, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> Followed? {
        observer.enqueued(self, parent: parent, predecessors: predecessors)
            .map { Followed(observer: observer, account: $0) }
    }

    /// To be called when `operation` has all the edges of its enqueue.
    func arm(_ operation: Operation) {
        guard notes.remove(.isReadinessPending) else { return }
        let question = readinessQuestion
        if ForeignObservation.isKnownReady(operation) { noteReady(question) }
    }

    // MARK: What happens

    /// To be taken before the operation is asked whether it is ready.
    var readinessQuestion: TransitionNotes.Question { notes.question }

    /// - Parameter question: as it was before the operation answered that it is ready. Nil where it is known
    ///   otherwise.
    func noteReady(_ question: TransitionNotes.Question? = nil) {
        guard isFollowed, notes.insertReady(question ?? notes.question, unless: .executing) else { return }
        tellReady()
    }

    /// Of a barrier nobody learns that it is ready, and nobody is told.
    func noteReadinessIsUnseen() { _ = notes.insert([.ready, .isReadyReported]) }

    private func tellReady() {
        tell { $0.ready() }
        _ = notes.insert(.isReadyReported)
    }

    func noteExecuting() {
        guard isFollowed, notes.insert(.executing, unless: .finished) else { return }
        if notes.insert(.ready) {
            // The answers up to now came while it was being added, behind a barrier. By now it is.
            tellReady()
        } else {
            // The thread that learnt of it before has not told everybody yet, and will have in a moment. Not
            // for ever: it runs an observer's code, which may wait for this thread.
            let end = DispatchTime.now() + .seconds(1)
            while !notes.contains(any: .isReadyReported) && DispatchTime.now() < end { sched_yield() }
        }
        tell { $0.executing() }
    }

    func noteCancelled() {
        guard isFollowed, notes.insert(.cancelled, unless: .finished) else { return }
        tell { $0.cancelled() }
    }

    func noteFinished(_ outcome: Outcome, error: (any Error)? = nil) {
        guard isFollowed, notes.insert(.finished) else { return }
        tell { $0.finished(outcome, error: error) }
    }

    func noteMark(_ text: String) {
        guard isFollowed, !isFinished else { return }
        tell { $0.marked(text) }
    }

    /// Tells of an edge that `add` adds. The operation is to be asked after that whether it is ready.
    func noteDependency(on predecessor: Operation, _ add: () -> Void) {
        beginDependency(on: predecessor)
        add()
        endDependency()
    }

    func beginDependency(on predecessor: Operation) {
        // Counted also where nobody is to hear of it: `endDependency` takes it off again.
        notes.beginEdge()
        guard let predecessor = edge(to: predecessor) else { return }
        tell { $0.dependencyAdded(on: predecessor) }
    }

    func endDependency() { notes.endEdge() }

    func noteDependencyRemoved(on predecessor: Operation) {
        guard let predecessor = edge(to: predecessor) else { return }
        tell { $0.dependencyRemoved(on: predecessor) }
    }

    /// The predecessor of an edge, where observers are to hear of it.
    private func edge(to predecessor: Operation) -> WatchedOperation? {
        guard isFollowed, !isFinished, !isAddedByQueue else { return nil }
        return WatchedOperations.sighted(predecessor)
    }

    /// Runs the body of the operation, or a part of it, within what the observers put around it.
    ///
    /// - Parameter mayWorkOn: not so where the operation finishes with it.
    func runBody(mayWorkOn: Bool = true, _ run: () -> Void) {
        // `super.main()`, or `main()` in `start()`.
        guard isFollowed, Self.inBody !== self else { return run() }
        let followed = state.withLock { $0.followed }
        Self.$inBody.withValue(self) { Self.run(followed[...], run) }
        // Of two bodies the one that ends first takes the note away.
        guard mayWorkOn, !isFinished, !notes.remove(.hasAnotherBody) else { return }
        for one in followed { one.account.bodyEnded() }
    }

    /// To be called in a body that leaves the rest to another one, before that can begin.
    func noteAnotherBody() { _ = notes.insert(.hasAnotherBody) }

    /// Whatever they do, the body runs once.
    private static func run(_ followed: ArraySlice<Followed>, _ run: () -> Void) {
        guard let outermost = followed.first else { return run() }
        var hasRun = false
        func runOnce() {
            guard !hasRun else { return }
            hasRun = true
            Self.run(followed.dropFirst(), run)
        }
        outermost.account.body(runOnce)
        runOnce()
    }

    private func tell(_ event: (any OperationAccount) -> Void) {
        for one in state.withLock({ $0.followed }) { event(one.account) }
    }
}
