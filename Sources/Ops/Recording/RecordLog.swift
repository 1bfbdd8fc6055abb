import CRecorder
import EventLog
import Foundation
import Synchronization

/// The owner of a log in the recording core: a mapped file that takes records from any thread without a lock.
final class RecordLog: Sendable {
    let reference: LogReference
    /// The identifiers of this log's operations in other processes.
    let identifiers: SpanIdentifiers
    /// The number of `ClosureName.unknownKind`, as stored last.
    private let storedClosureKind = Atomic<UInt32>(0)

    /// Begins a log in an empty file, and owns the descriptor from then on.
    ///
    /// - Parameter reserve: bytes to allocate before the first event, and to keep ahead of later ones.
    /// - Throws: the `errno` of the failure; the caller then still owns the descriptor.
    init(
        descriptor: Int32, clock: RecorderClock, limit: LogLimit?, reserve: UInt64,
        readsThreadClocks: Bool = true
    ) throws(POSIXFailure) {
        var options = recorder_options()
        options.processor_times = (readsThreadClocks ? ProcessorTimes.clocks : .off).rawValue
        options.reserve_size = reserve
        options.maximum_size = limit?.bytes ?? 0
        options.keeps_latest = limit?.policy == .keepLatest
        options.wall_time = clock.wall()
        let (process, host) = (ProcessInfo.processInfo.processName, Self.hostName)
        options.clock = clock.isSystem ? recorder_best_clock() : RECORDER_CLOCK_GIVEN
        if !clock.isSystem {
            options.now_context = GivenClock.keep(clock)
            options.now = { Unmanaged<GivenClock>.fromOpaque($0!).takeUnretainedValue().clock.monotonic() }
        }
        let opened = process.withCString { process in
            host.withCString { host in
                options.process = process
                options.host = host
                return recorder_open(descriptor, &options)
            }
        }
        guard let opened else { throw POSIXFailure(errno) }
        reference = LogReference(log: opened, number: recorder_id(opened))
        recorder_record_cause_of_process(opened)
        identifiers = SpanIdentifiers(
            host: host, process: process, processID: getpid(), start: options.wall_time,
            cause: Environment.cause)
    }

    deinit { recorder_release(log) }

    var log: OpaquePointer { reference.log }

    var number: UInt64 { reference.number }

    /// Marks the log as complete. Call this once.
    ///
    /// - Returns: the descriptor of the file, still locked. The caller owns it from now on.
    func seal() throws(POSIXFailure) -> Int32 {
        var descriptor: Int32 = -1
        let failure = recorder_seal(log, &descriptor)
        guard failure == 0 else { throw POSIXFailure(failure) }
        return descriptor
    }

    /// Appends the enqueue of an operation without a name, edges or priority.
    func appendEnqueue(
        _ id: OperationID, argument: UInt64, parent: OperationID?, code: ClosureCode?, isReady: Bool
    ) -> LogTime {
        recorder_append_enqueue(
            log, number, id.rawValue, argument, parent?.rawValue ?? 0, code?.address, isReady)
    }

    /// Appends records that belong together. Other records of this thread do not separate them.
    func append(_ records: [BinaryRecord], at time: LogTime) {
        withUnsafeTemporaryAllocation(of: record.self, capacity: records.count) { buffer in
            for (index, source) in records.enumerated() {
                buffer.initializeElement(
                    at: index,
                    to: record(subject: source.subject, argument: source.argument, type: source.type))
            }
            recorder_append(log, time, buffer.baseAddress, records.count)
        }
    }

    /// The number of a text in the log.
    func number(of text: String) -> UInt32 {
        text.withCharacters { recorder_text(log, $0, $1) }
    }

    /// The number of the text with the location of a closure's code; 0 if that is not known.
    func origin(of code: ClosureCode) -> UInt32 { recorder_origin(log, code.address) }

    /// The number of the kind of closures.
    var closureKind: UInt32 {
        let stored = storedClosureKind.load(ordering: .relaxed)
        if stored != 0, recorder_text_lasts(log, stored) { return stored }
        let number = number(of: ClosureName.unknownKind)
        storedClosureKind.store(number, ordering: .relaxed)
        return number
    }

    func nextQueue() -> QueueID { QueueID(recorder_next_queue(log)) }

    /// How many records found no room.
    var dropped: UInt64 { recorder_dropped(log) }

    private static var hostName: String {
        // `ProcessInfo.hostName` may ask a name server, so it is not used.
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension String {
    /// Calls `body` with the text's UTF-8 bytes as C characters, and their count.
    func withCharacters<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
        var text = self
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress, $0.count) }
        }
    }
}

/// The error number of a failed system call.
struct POSIXFailure: Error {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    var reason: String { String(cString: strerror(code)) }
}

/// A clock that a test supplied. Kept for ever, because a thread may ask for the time after the log is gone.
private final class GivenClock: Sendable {
    private static let all = Locked<[GivenClock]>([])

    let clock: RecorderClock

    static func keep(_ clock: RecorderClock) -> UnsafeMutableRawPointer {
        let kept = GivenClock(clock)
        all.withLock { $0.append(kept) }
        return Unmanaged.passUnretained(kept).toOpaque()
    }

    init(_ clock: RecorderClock) { self.clock = clock }
}
