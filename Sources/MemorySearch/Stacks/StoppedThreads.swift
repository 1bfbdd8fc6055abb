import CRecordHost
import Foundation
import Synchronization

/// What the threads of a stopped process hold themselves.
struct StoppedThread {
    let number: Int32
    let stackPointer: UInt64
    let threadPointer: UInt64
    /// Where the used part of its stack begins.
    let stackStart: UInt64
    /// Everything that is in its registers.
    let registers: [UInt64]
}

/// Why a process cannot be searched. Safe for a terminal; a clause that can follow "because".
package struct SearchRefusal: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

enum StoppedThreads {
    private static let most: Int32 = 4_096
    /// What a function may use below its stack pointer if it calls no other.
    private static let redZone: UInt64 = 128

    /// Stops a process, and lets it go on when `body` has ended: on a thread from ``OwnThread``, whose end
    /// sets free a thread that could not be stopped in time.
    ///
    /// - Parameter milliseconds: how long to wait for all of its threads to stop.
    /// - Throws: `SearchRefusal`, and what `body` throws.
    static func during<Value>(
        _ process: Int32, milliseconds: Int32 = 1_000, _ body: ([StoppedThread]) throws -> Value
    ) throws -> Value {
        var threads = [stopped_thread](repeating: stopped_thread(), count: Int(most))
        let count = stopped_process_begin(process, &threads, most, milliseconds)
        if count < 0 { throw SearchRefusal(reason(-count)) }
        defer { stopped_process_end(threads, count) }
        return try body(
            threads.prefix(Int(count)).map { thread in
                var registers = [UInt64](repeating: 0, count: Int(STOPPED_REGISTER_BYTES) / 8)
                let size = withUnsafePointer(to: thread) { stopped_process_registers($0, &registers) }
                return StoppedThread(
                    number: thread.number, stackPointer: thread.stack_pointer,
                    threadPointer: thread.thread_pointer,
                    stackStart: thread.stack_pointer
                        - (thread.is_in_call ? 0 : min(redZone, thread.stack_pointer)),
                    registers: Array(registers.prefix(size / 8)))
            })
    }

    private static func reason(_ error: Int32) -> String {
        switch error {
        case EBUSY: "a debugger or another tracer is attached to it"
        case EPERM: "this user must not trace it" + (TracePermission.obstacle.map { " (\($0))" } ?? "")
        case ESRCH: "it has ended"
        case ETIMEDOUT: "its threads did not stop within a second"
        case E2BIG: "it has more than \(most) threads"
        case ENOSYS: "that is offered on Linux only"
        default: String(cString: strerror(error))
        }
    }
}

/// A thread that exists for one piece of work, because what it holds of the system ends with it.
final class OwnThread<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, any Error>?>(nil)

    private init() {}

    /// Waits for `body`.
    static func run(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let own = OwnThread()
        let isOver = DispatchSemaphore(value: 0)
        let thread = Thread {
            let result = Result { try body() }
            own.outcome.withLock { $0 = result }
            isOver.signal()
        }
        thread.start()
        isOver.wait()
        guard let result = own.outcome.withLock({ $0 }) else { throw SearchRefusal("no thread ran") }
        return try result.get()
    }
}
