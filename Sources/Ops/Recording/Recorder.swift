import CRecorder
public import Foundation
import Synchronization

/// Takes the events of operations, from any thread, and writes them to an event log.
///
/// A recorder is off until you start it. While it is off, it costs a queue one atomic read per operation. A
/// queue gets its recorder when it is created; most programs need only `shared`.
public final class Recorder: Sendable {
    /// The recorder of every `InstrumentedQueue` that was created without another.
    ///
    /// It is on from its first use if the environment variable `OPVIZ_TRACE` names a file. The log is then
    /// closed when the program exits. `OPVIZ_TRACE_LIMIT` limits its size: `64M`, or `64M latest` to keep the
    /// latest events. If the file cannot be created, it writes one line to standard error, provided that it
    /// is still the one that the program was started with; the program runs on unrecorded. It stays off in a
    /// program that `opviz record` records. Marks and edges to other processes then go into that log.
    public static let shared = makeShared()

    private let clock: RecorderClock
    private let log = Locked<EventLogWriter?>(nil)
    private let isOn = Atomic(false)

    /// A recorder that is off.
    public init(clock: RecorderClock = .system) {
        self.clock = clock
    }

    /// Whether events are being recorded.
    public var isRecording: Bool { isOn.load(ordering: .relaxed) && !recorder_is_forked_child() }

    /// Creates the file and begins to record. Replaces an older log of that name. If another process is
    /// writing to the file, the process ID is appended to the name.
    ///
    /// Operations that are already in a queue are not recorded.
    ///
    /// While the program runs, the log is binary, and nothing that was recorded is lost if the program dies.
    /// If `path` ends in `.optrace`, the log is written there. Otherwise it is written to `path.optrace` and
    /// converted to JSON at the end. `opviz` reads both.
    ///
    /// - Parameters:
    ///   - path: the name of the log. A file of that name is replaced only if it is a log.
    ///   - limit: how large the log may become; nil for no limit except the disk.
    ///   - readsThreadClocks: whether threads read their own clocks at the begin and end of the bodies of
    ///     operations. They do that only for kinds of operations whose bodies take 300 µs and longer, so that
    ///     it costs less than 2 % of their time. The log then says how long each such body was on a
    ///     processor, waiting for one, and blocked. Nil for what the environment variable `OPVIZ_CPU` says:
    ///     true unless it is `off`.
    /// - Throws: `RecorderError` if this recorder is already recording, or the file cannot be created.
    public func start(
        writingTo path: String, limit: LogLimit? = nil, readsThreadClocks: Bool? = nil
    ) throws(RecorderError) {
        try start(writingTo: path, limit: limit, reserve: 0, readsThreadClocks: readsThreadClocks)
    }

    /// - Parameter reserve: bytes to allocate before the first event. This takes about a millisecond per
    ///   megabyte. A burst of events at the start then neither waits for space nor loses events.
    package func start(
        writingTo path: String, limit: LogLimit? = nil, reserve: UInt64, readsThreadClocks: Bool? = nil
    ) throws(RecorderError) {
        guard !recorder_is_forked_child() else {
            throw RecorderError(
                code: .cannotCreate, path: path, reason: "a process that came out of fork cannot record")
        }
        try log.withLock { log throws(RecorderError) in
            guard log == nil else {
                throw RecorderError(
                    code: .alreadyRecording, path: path, reason: "this recorder is recording already")
            }
            log = try EventLogWriter(
                path: path, clock: clock, limit: limit, reserve: reserve,
                readsThreadClocks: readsThreadClocks ?? Environment.readsThreadClocks)
            isOn.store(true, ordering: .releasing)
            if let log { ObservedTasks.begin(log.reference, of: self) }
        }
        OpenLogs.closeAtExit(self)
    }

    /// Marks the log as complete and closes it. Converts it to JSON if its name asks for that. Does nothing
    /// if the recorder is off, or in a forked process, whose parent goes on recording. Operations that are
    /// still running are not recorded any more.
    ///
    /// Waits for the disk; do not call it in an operation's own callbacks.
    ///
    /// - Throws: `RecorderError` if not everything could be written; the log then has the number of lost
    ///   events.
    public func stop() throws(RecorderError) { _ = try stop(largestConversion: .max) }

    /// - Parameter largestConversion: the largest binary log to convert, in bytes. A larger one stays binary.
    /// - Returns: the name of the binary log if it stays.
    func stop(largestConversion: Int) throws(RecorderError) -> String? {
        // The log belongs to the parent, which goes on writing it. A thread that does not exist here may hold
        // the lock for ever.
        guard !recorder_is_forked_child() else { return nil }
        let writer = log.withLock { log in
            if log != nil { ObservedTasks.end(of: self) }
            isOn.store(false, ordering: .releasing)
            defer { log = nil }
            return log
        }
        OpenLogs.remove(self)
        return try writer?.close(largestConversion: largestConversion)
    }

    /// Adds a mark to the log, for something that only the program knows. The mark belongs to the operation
    /// in whose body it is called, and that operation's observers are notified. If the recorder is off, it
    /// does nothing else, except for the shared recorder under `opviz record`.
    ///
    /// Any thread. Takes about 100 ns; more for a text that is new in the log.
    public func mark(_ text: String) {
        if OperationObservers.isAnyInstalled { WatchedOperation.current?.recordMark(text) }
        outside?.mark(text)
        guard let writer else { return }
        writer.append(.marked(text, by: writer.currentOperation))
    }

    /// Observes an existing queue as if it were an `InstrumentedQueue`. You can call this while the recorder
    /// is off; what it records later includes the queue. Operations that are already in the queue are logged
    /// as enqueued at some earlier time.
    ///
    /// Linux only, by replacing methods of the queue's class. The queue is not retained. Under `opviz
    /// record`, this does nothing, because that log already has every queue.
    ///
    /// A queue is observed by one recorder: the last one that asked for it. `OperationObservers` are notified
    /// of its operations, too, even while this recorder is off.
    ///
    /// - Returns: false if queues of other classes cannot be observed: on other systems, with
    ///   `OPVIZ_OBSERVE=passive`, or if the layout of classes is not recognized.
    @discardableResult
    public func observe(_ queue: OperationQueue) -> Bool {
        recorder_is_recorded_from_outside() || queue is InstrumentedQueue
            || ObservedQueues.observe(queue, by: self)
    }

    /// Observes every `OperationQueue` of the process, including `OperationQueue.main` and those of
    /// libraries, from the next operation that is added to each. Queues of a subclass are observed once
    /// `observe` was called with a queue of that class.
    ///
    /// - Returns: false if queues of other classes cannot be observed; see `observe`.
    @discardableResult
    public func observeAllQueues() -> Bool {
        recorder_is_recorded_from_outside() || ObservedQueues.observeAll(by: self)
    }

    /// Records every Swift task of the process from now on: its runs, what it awaits, who resumes and cancels
    /// it, and its outcome. You can call this while the recorder is off; what it records later includes
    /// tasks. Tasks that exist already are recorded from their next run, without their creation. Under
    /// `opviz record`, the tasks get into that log, as with `--tasks`.
    ///
    /// Linux only, by observing the runtime of Swift concurrency. Call it before the first task, if you
    /// can. Creates tasks of its own to check that this runtime is a known one, two of which stay. A program
    /// that does nothing but create empty tasks then takes about 13 % longer.
    ///
    /// Tasks are recorded by one recorder: the last one that asked for it. Snapshots of queues then also tell
    /// when tasks block every thread of the pool: ``QueueSnapshot/blockedPool``.
    ///
    /// - Returns: false if tasks cannot be recorded: on other systems, or if the runtime is linked statically
    ///   or not a known one. In these two cases, one line on standard error says so.
    @discardableResult
    public func observeTasks() -> Bool {
        if let outside = HostLog() { return outside.observeTasks() }
        guard ObservedTasks.observe(by: self) else { return false }
        log.withLock { if let log = $0 { ObservedTasks.begin(log.reference, of: self) } }
        return true
    }

    /// As `observeTasks`, for a log of this recorder's own: false under `opviz record`, too, which has them
    /// in its log.
    package func observeTasksItself() -> Bool { HostLog() == nil && observeTasks() }

    /// The task that calls this, as in a log with tasks. Nil outside of tasks, and if no tasks are observed.
    package static var currentTask: OperationID? { ObservedTasks.current }

    /// The path that the log will have when it is closed, which may differ from the requested one. Nil if the
    /// recorder is off.
    public var path: String? { recorder_is_forked_child() ? nil : log.withLock { $0?.path } }

    /// The log being written, or nil when nothing is to be recorded.
    var writer: EventLogWriter? {
        guard isRecording else { return nil }
        return log.withLock { $0 }
    }

    /// The log of `opviz record`, which has what the shared recorder would record.
    var outside: HostLog? {
        // Reading the shared recorder starts it.
        HostLog().flatMap { self === Self.shared ? $0 : nil }
    }

    private static func makeShared() -> Recorder {
        let recorder = Recorder()
        // Under `opviz record`, that log already has everything.
        guard let path = Environment.tracePath, !recorder_is_recorded_from_outside() else { return recorder }
        do {
            try recorder.start(writingTo: path, limit: Environment.limit)
        } catch {
            Complaint.say("cannot record: \(error)")
        }
        return recorder
    }
}

@_spi(Measuring)
extension Recorder {
    /// Appends transitions without an operation. For the benchmark that measures the cost of an event.
    public func appendTransitions(_ count: Int) {
        guard let log = writer?.reference else { return }
        for _ in 0..<count { log.append(.executing, subject: 0) }
    }

    /// How many events found no room so far.
    public var droppedEvents: UInt64 { writer?.log.dropped ?? 0 }

    /// Appends one transition without an operation at each call. For the benchmark that measures how long a
    /// single event may take. Nil while the recorder is off.
    public var transitionAppender: (() -> Void)? {
        guard let log = writer?.reference else { return nil }
        return { log.append(.executing, subject: 0) }
    }
}
