import CRecordHost
import Foundation
import Inspector

extension EventLogContents {
    /// Whether anything was added to a queue.
    var hasOperations: Bool {
        events.contains { if case .enqueued = $0.body { true } else { false } }
    }

    /// Whether another process was told of an operation.
    var hasSentContexts: Bool {
        events.contains { if case .contextSent = $0.body { true } else { false } }
    }
}

/// The log in the memory that a process was given.
struct RecordedMemory {
    let guest: RecordHost.Guest

    init(_ guest: RecordHost.Guest) { self.guest = guest }

    /// Nil where the process wrote nothing, or what is there is no log: then the process broke it.
    func read() -> EventLogContents? {
        let used = Int(record_host_used(guest.memory))
        guard used > 0 else {
            close(guest.memory)
            return nil
        }
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: used) { buffer, count in
            while count < used {
                let chunk = pread(guest.memory, buffer.baseAddress! + count, used - count, off_t(count))
                if chunk < 0 && errno == EINTR { continue }
                guard chunk > 0 else {
                    isRead = false
                    return
                }
                count += chunk
            }
        }
        close(guest.memory)
        guard isRead else {
            Console.complain("\(guest.program) (process \(guest.process)): its trace cannot be read")
            return nil
        }
        do throws(TraceError) {
            let isRunning = kill(guest.process, 0) == 0
            return try TraceReader(path: "\(guest.program) (process \(guest.process))").events(
                ofMemory: bytes, isRunning: isRunning)
        } catch {
            Console.complain(error.description)
            return nil
        }
    }
}
