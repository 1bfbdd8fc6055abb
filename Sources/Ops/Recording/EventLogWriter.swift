import CLogFormat
import EventLog
import Synchronization

/// One log while it is being written. Assigns identifiers, and appends events to the file as they come.
final class EventLogWriter: Sendable {
    /// The largest number of records in a group: as many as fit into one segment of the file.
    private static let largestGroup = 2_700

    /// Where the log will be.
    let path: String
    let registry: OperationRegistry
    private let file: LogFile
    /// The file while it is being written.
    var spool: String { file.spool }
    let log: RecordLog
    private let isClosed = Atomic(false)
    /// When the log began.
    let start: LogTime

    init(
        path: String, clock: RecorderClock, limit: LogLimit?, reserve: UInt64 = 0, readsThreadClocks: Bool
    ) throws(RecorderError) {
        file = try LogFile(path: path)
        self.path = file.path
        do throws(POSIXFailure) {
            log = try RecordLog(
                descriptor: file.takeDescriptor(), clock: clock, limit: limit, reserve: reserve,
                readsThreadClocks: readsThreadClocks)
        } catch {
            file.discard()
            throw RecorderError(code: .cannotCreate, path: path, reason: error.reason)
        }
        start = log.reference.now
        registry = OperationRegistry(log)
        OpenWriters.add(self)
    }

    var reference: LogReference { log.reference }

    /// The operation in whose body this thread or task is.
    var currentOperation: OperationID? { reference.currentOperation }
    var waitingOperation: OperationID? { reference.waitingOperation }

    /// Whether the log still takes events. Not `isClosed`: for a moment, the core would still take what
    /// happens to an operation whose enqueue was refused.
    var isOpen: Bool { reference.isOpen }

    /// The present time of the log's clock.
    var now: LogTime { reference.now }

    /// Appends an event that happens now, on this thread. Any thread; takes no lock, and does not wait for
    /// the disk.
    ///
    /// - Parameters:
    ///   - notBefore: the start of the interval, if the time is not exact.
    ///   - time: when it happened, if that was a moment ago.
    ///   - code: for an enqueue, the closure's code.
    /// - Returns: its time.
    @discardableResult
    func append(
        _ body: LogEvent.Body, notBefore: LogTime? = nil, at time: LogTime? = nil, code: ClosureCode? = nil
    ) -> LogTime {
        guard notBefore == nil, time == nil else {
            return appendGroup(body, notBefore: notBefore, at: time, code: code)
        }
        return switch body {
        case .ready(let id): reference.append(.ready, subject: id.rawValue)
        case .executing(let id): reference.append(.executing, subject: id.rawValue)
        case .finished(let id, .succeeded): reference.appendSoon(.finished, subject: id.rawValue)
        default: appendGroup(body, code: code)
        }
    }

    private func appendGroup(
        _ body: LogEvent.Body, notBefore: LogTime? = nil, at given: LogTime? = nil, code: ClosureCode?
    ) -> LogTime {
        // The core refuses records itself, but a text would be stored.
        guard isOpen else { return now }
        var body = body
        // The edges that do not fit follow as edges that are added one by one.
        var later: ArraySlice<OperationID> = []
        if case .enqueued(var enqueue) = body, enqueue.dependencies.count > Self.largestGroup {
            later = enqueue.dependencies.dropFirst(Self.largestGroup)
            enqueue.dependencies.removeLast(later.count)
            body = .enqueued(enqueue)
        }
        guard var records = body.records(text: log.number) else { return now }
        let time = given ?? now
        if let code { records.insert(BinaryRecord(.code, argument: UInt64(log.origin(of: code))), at: 0) }
        if let notBefore { records.insert(BinaryRecord(.notBefore, subject: notBefore), at: 0) }
        log.append(records, at: time)
        if case .enqueued(let enqueue) = body {
            for predecessor in later { append(.dependencyAdded(enqueue.operation, predecessor: predecessor)) }
        }
        return time
    }

    /// Ends the log. Later events are ignored.
    ///
    /// - Parameter largestConversion: the largest binary log to convert, in bytes, because a conversion takes
    ///   time. A larger one stays binary.
    /// - Returns: the name of the binary log if it stays. Nil if the log has the requested form.
    func close(largestConversion: Int = .max) throws(RecorderError) -> String? {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return nil }
        OpenWriters.remove(self)
        let descriptor: Int32
        do throws(POSIXFailure) {
            descriptor = try log.seal()
        } catch {
            throw RecorderError(code: .writeFailed, path: file.spool, reason: error.reason)
        }
        let isMade = try file.finish(descriptor, largestConversion: largestConversion)
        let dropped = log.dropped
        guard dropped == 0 else {
            throw RecorderError(
                code: .writeFailed, path: path,
                reason: "no space for \(Prose.counted(dropped, "event"))")
        }
        return isMade ? nil : file.spool
    }
}
