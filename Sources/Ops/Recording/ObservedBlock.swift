import CRecorder
import EventLog
import Foundation
import Synchronization

/// The operation that runs a closure given to `addOperation(_:)`. It behaves like the one that Foundation
/// would create, and reports its own transitions.
///
/// `@unchecked Sendable` restates the superclass's conformance. Its own state is atomic, or set once before
/// any other thread knows the operation.
final class ObservedBlock: BlockOperation, ObservedOperation, @unchecked Sendable {
    // Each is set once, before any other thread knows the operation. Checking every access for exclusivity
    // would take as long as an event.
    /// The log of its enqueue.
    @exclusivity(unchecked) private var log: LogReference?
    @exclusivity(unchecked) private var id = OperationID(0)
    @exclusivity(unchecked) private var enqueueTime: LogTime = 0
    /// Set if an observer is installed.
    @exclusivity(unchecked) private var watched: WatchedOperation?
    /// False if an override of `addOperation` cancelled it, gave it dependencies, a name or a priority, or
    /// made another operation wait for it.
    private let isPlain = Atomic(true)
    private let flags = TransitionFlags()
    /// The thread that ran its body, and finishes it.
    private let bodyThread = Atomic<UInt64>(0)

    /// Whether its enqueue is in a log, or observers were notified of it.
    private var isTracked: Bool { log != nil || watched != nil }

    /// Logs the enqueue of a closure that waits for nothing. Call this before the operation is added. False
    /// if there is more to log, or the log is closed.
    func enqueuePlainly(in queue: UnsafePointer<recorder_queue>, parent: UInt64) -> Bool {
        guard isPlain.load(ordering: .relaxed), log == nil else { return false }
        var time: LogTime = 0
        let identifier = recorder_enqueue_closure(queue, parent, ClosureCode(of: self)?.address, &time)
        guard identifier != 0 else { return false }
        _ = flags.insert(.ready)
        log = LogReference(of: queue)
        (id, enqueueTime) = (OperationID(identifier), time)
        return true
    }

    /// Logs the enqueue. Call this before the operation is added.
    ///
    /// - Parameters:
    ///   - barriers: the barriers that it waits for.
    ///   - isReadinessPending: an answer to `isReady` means nothing until `armReadiness`.
    func logEnqueue(
        in queue: LoggedQueue, parent: OperationID?, barriers: [OperationID], isReadinessPending: Bool
    ) {
        guard log == nil else { return }
        let writer = queue.writer
        let isPlain = isPlain.load(ordering: .relaxed)
        id = isPlain ? writer.registry.nextOperation() : writer.registry.identify(self).id
        log = writer.reference
        guard isReadinessPending || !isPlain else {
            _ = flags.insert(.ready)
            enqueueTime = queue.appendEnqueue(
                of: id, parent: parent, code: ClosureCode(of: self), isReady: true)
            return
        }
        if isReadinessPending { _ = flags.insert(.isReadinessPending) }
        let known = isPlain ? [] : dependencies
        enqueueTime = writer.append(
            .enqueued(
                .init(
                    operation: id, kind: ClosureName.unknownKind, name: name, queue: queue.id,
                    parent: parent, dependencies: known.map { writer.identify($0) } + barriers,
                    priority: queuePriority.rawValue)), code: ClosureCode(of: self))
        if flags.contains(any: .cancelled) { writer.append(.cancelled(id), notBefore: writer.start) }
    }

    /// Call this when the operation has all the edges of its enqueue.
    func armReadiness() {
        flags.remove(.isReadinessPending)
        _ = isReady
    }

    func identity(in writer: EventLogWriter) -> (id: OperationID, isNew: Bool) {
        if isEnqueued(in: writer) { return (id, false) }
        if log == nil { isPlain.store(false, ordering: .relaxed) }
        return writer.registry.identify(self)
    }

    func isEnqueued(in writer: EventLogWriter) -> Bool { log?.number == writer.log.number }

    /// Call this before the operation is added, if observers are notified of it.
    func beginWatch() { if watched == nil { watched = WatchedOperation() } }

    func watch() -> WatchedOperation? { watched }

    override func main() {
        bodyThread.store(recorder_thread_number(), ordering: .relaxed)
        guard let watched else { return runLogged() }
        watched.recordExecuting()
        watched.runBody(mayWorkOn: false) { runLogged() }
    }

    private func runLogged() {
        guard let log, log.isOpen else { return super.main() }
        let isFirst = flags.insert(.executing, unless: .finished)
        // Nobody asked whether it was ready, so the time is not known exactly.
        if isFirst, flags.insert(.ready) { log.writer?.append(.ready(id), notBefore: enqueueTime) }
        let before = isFirst ? log.beginClosure(of: id, self) : recorder_enter(log.number, id.rawValue)
        super.main()
        log.endBody(of: id, before)
    }

    override var isReady: Bool {
        // Most of the time there is nothing to record any more.
        if watched == nil, flags.contains(any: .ready) { return super.isReady }
        let question = flags.question
        let watchedQuestion = watched?.readinessQuestion
        guard super.isReady else { return false }
        watched?.recordReady(watchedQuestion)
        guard !flags.contains(any: [.ready, .isReadinessPending, .finished]), let log
        else { return true }
        // Take the time before the flag is set: a thread that starts it meanwhile then has a later time.
        let time = log.now
        if flags.insertReady(question, unless: .executing) {
            log.append(.ready, subject: id.rawValue, at: time)
        }
        return true
    }

    /// Foundation reads this on the finishing thread before it starts any dependent. That read is the finish.
    override var isFinished: Bool {
        // Foundation's own answer takes two of its locks, and never changes any more.
        if flags.contains(any: .isFinishLogged) { return true }
        guard super.isFinished else { return false }
        let bodyThread = bodyThread.load(ordering: .relaxed)
        if bodyThread == 0 || bodyThread == recorder_thread_number(), flags.insert(.finished) {
            let isCancelled = flags.contains(any: .cancelled)
            log?.appendSoon(.finished, subject: id.rawValue, argument: isCancelled ? 1 : 0)
            _ = flags.insert(.isFinishLogged)
            watched?.recordFinished(isCancelled ? .cancelled : .succeeded)
        } else {
            // A thread that learns of the finish may end the log. Wait a moment until the finishing thread
            // has written it.
            while !flags.contains(any: .isFinishLogged) && !recorder_is_forked_child() { sched_yield() }
        }
        return true
    }

    override func cancel() {
        if !isTracked { isPlain.store(false, ordering: .relaxed) }
        if flags.insert(.cancelled, unless: .finished) {
            log?.append(.cancelled, subject: id.rawValue)
            watched?.recordCancelled()
        }
        super.cancel()
    }

    @available(*, noasync)
    override func waitUntilFinished() {
        guard !flags.contains(any: .finished), !recorder_is_queue_waiting(), let writer = log?.writer else {
            return super.waitUntilFinished()
        }
        writer.recordWait(.waitBegan(.operation(id), by: writer.waitingOperation), for: self) {
            super.waitUntilFinished()
        }
    }

    override var name: String? {
        get { super.name }
        set {
            if !isTracked { isPlain.store(false, ordering: .relaxed) }
            super.name = newValue
        }
    }

    override var queuePriority: QueuePriority {
        get { super.queuePriority }
        set {
            if !isTracked { isPlain.store(false, ordering: .relaxed) }
            super.queuePriority = newValue
        }
    }

    override func addDependency(_ operation: Operation) {
        if !isTracked { isPlain.store(false, ordering: .relaxed) }
        guard let watched else { return addLoggedDependency(operation) }
        watched.recordDependency(on: operation) { addLoggedDependency(operation) }
        // Foundation asked before the edge was marked as in place.
        _ = isReady
    }

    private func addLoggedDependency(_ operation: Operation) {
        guard let writer = log?.writer else { return super.addDependency(operation) }
        flags.beginEdge()
        writer.append(.dependencyAdded(id, predecessor: writer.identify(operation)))
        super.addDependency(operation)
        flags.endEdge()
        _ = isReady
    }

    override func removeDependency(_ operation: Operation) {
        super.removeDependency(operation)
        watched?.recordDependencyRemoved(on: operation)
        guard let writer = log?.writer else { return }
        writer.append(.dependencyRemoved(id, predecessor: writer.identify(operation)))
    }
}
