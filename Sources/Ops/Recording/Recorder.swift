import CRecorder
public import Foundation
import Synchronization

/// Takes the events of operations, from any thread, and writes them to an event log.
///
/// A recorder is off until it is started, and then costs a queue one atomic read an operation. Queues are
/// given a recorder when they are created; most programs need only `shared`.
public final class Recorder: Sendable {
    /// The recorder of every `InstrumentedQueue` that is not given another.
    ///
    /// On from the first use when the environment variable `OPVIZ_TRACE` names a file; the log is then closed
    /// when the program exits. `OPVIZ_TRACE_LIMIT` bounds its size: `64M`, or `64M latest` to keep the latest
    /// events. A file that cannot be created is said in one sentence on standard error, where that is still
    /// the one the program was started with, and the program runs on unrecorded. Off, too, in a program that
    /// `opviz record` records as it is: marks and edges to other processes then go into that log.
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

    /// Creates the file and begins to record. A log that stands there already is replaced; where another
    /// process is writing to it, the process ID is appended to the name.
    ///
    /// Operations that are in a queue already are not followed.
    ///
    /// While the program runs, the log is binary, and nothing that was recorded is lost when the program
    /// dies: in `path` itself where that ends in `.optrace`, else in `path.optrace`, of which JSON is made in
    /// the end. `opviz` reads both.
    ///
    /// - Parameters:
    ///   - path: the name of the log. A file of that name is replaced only if it is a log.
    ///   - limit: how large the log may become; without one, as large as the disk lets it.
    /// - Throws: `RecorderError` when this recorder is recording already, or the file cannot be created.
    public func start(writingTo path: String, limit: LogLimit? = nil) throws(RecorderError) {
        try start(writingTo: path, limit: limit, reserve: 0)
    }

    /// - Parameter reserve: space in bytes that is ready before the first event. It takes about a
    ///   millisecond a megabyte, and a burst of events at the start then waits for no room, and loses none.
    package func start(writingTo path: String, limit: LogLimit? = nil, reserve: UInt64) throws(RecorderError)
    {
        guard !recorder_is_forked_child() else {
            throw RecorderError(
                code: .cannotCreate, path: path, reason: "a process that came out of fork cannot record")
        }
        try log.withLock { log throws(RecorderError) in
            guard log == nil else {
                throw RecorderError(
                    code: .alreadyRecording, path: path, reason: "this recorder is recording already")
            }
            log = try EventLogWriter(path: path, clock: clock, limit: limit, reserve: reserve)
            isOn.store(true, ordering: .releasing)
        }
        OpenLogs.closeAtExit(self)
    }

    /// Says in the log that it is complete, and closes it; makes JSON of it, where its name asks for that.
    /// Does nothing when the recorder is off, and in a process that came out of `fork`, whose parent goes on
    /// recording. Operations that are still running are followed no further.
    ///
    /// Waits for the disk; not to be called from an operation's own callbacks.
    ///
    /// - Throws: `RecorderError` when not everything could be written; the log then says how much was lost.
    public func stop() throws(RecorderError) { _ = try stop(largestConversion: .max) }

    /// - Parameter largestConversion: a larger binary log is left as it is, in bytes.
    /// - Returns: the name of the binary log where it was left.
    func stop(largestConversion: Int) throws(RecorderError) -> String? {
        // The log is the parent's, which goes on writing it. A lock may be held for ever by a thread that is
        // not here.
        guard !recorder_is_forked_child() else { return nil }
        let writer = log.withLock { log in
            isOn.store(false, ordering: .releasing)
            defer { log = nil }
            return log
        }
        OpenLogs.remove(self)
        return try writer?.close(largestConversion: largestConversion)
    }

    /// Puts a mark into the log: what the program knows and its operations do not. It is said of the
    /// operation in whose body it is called, and observers of that are told. Does nothing else when the
    /// recorder is off, but for the shared one under `opviz record`.
    ///
    /// Any thread. Takes about 100 ns, more for a text that the log does not hold yet.
    public func mark(_ text: String) {
        if OperationObservers.isAnyInstalled { WatchedOperation.current?.noteMark(text) }
        outside?.mark(text)
        guard let writer else { return }
        writer.append(.marked(text, by: writer.currentOperation))
    }

    /// Follows an existing queue as if it were an `InstrumentedQueue`, also while this recorder is off: what
    /// it records it records from then on. Operations that are in the queue already are logged as enqueued at
    /// some time before.
    ///
    /// Linux only, by replacing methods of the queue's class; the queue is not retained. Under `opviz record`
    /// every queue is in that log already, and nothing is done.
    ///
    /// A queue is followed by one recorder: the last that asked for it.
    /// `OperationObservers` are told of its operations, too, also while this recorder is off.
    ///
    /// - Returns: false where queues of other classes cannot be followed: on other systems, with
    ///   `OPVIZ_OBSERVE=passive`, or where the layout of classes is not recognized.
    @discardableResult
    public func observe(_ queue: OperationQueue) -> Bool {
        recorder_is_recorded_from_outside() || queue is InstrumentedQueue
            || ForeignQueues.follow(queue, by: self)
    }

    /// Follows every `OperationQueue` of the process, `OperationQueue.main` and those of libraries among
    /// them, from the next operation that is added to each. A queue of a subclass is followed once `observe`
    /// was called with one of its class.
    ///
    /// - Returns: false where queues of other classes cannot be followed, as `observe`.
    @discardableResult
    public func observeAllQueues() -> Bool {
        recorder_is_recorded_from_outside() || ForeignQueues.followAll(by: self)
    }

    /// Where the log will be when it is closed, which may differ from what was asked for. Nil when the
    /// recorder is off.
    public var path: String? { recorder_is_forked_child() ? nil : log.withLock { $0?.path } }

    /// The log being written, or nil when nothing is to be recorded.
    var writer: EventLogWriter? {
        guard isRecording else { return nil }
        return log.withLock { $0 }
    }

    /// The log of `opviz record`, which has what the shared recorder would record.
    var outside: OutsideLog? {
        // Asking for the shared one starts it.
        OutsideLog().flatMap { self === Self.shared ? $0 : nil }
    }

    private static func makeShared() -> Recorder {
        let recorder = Recorder()
        // Under `opviz record` everything is in that log already.
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
    /// Appends transitions of no operation. For the benchmark: what one event costs.
    public func appendTransitions(_ count: Int) {
        guard let log = writer?.log else { return }
        for _ in 0..<count { log.append(.executing, subject: 0) }
    }

    /// Events that found no room, up to now.
    public var droppedEvents: UInt64 { writer?.log.dropped ?? 0 }

    /// Appends one transition of no operation at each call. For the benchmark: how long a single event may
    /// take. Nil while the recorder is off.
    public var transitionAppender: (() -> Void)? {
        guard let log = writer?.log else { return nil }
        return { log.append(.executing, subject: 0) }
    }
}
