import CRecordHost
import EventLog
import Foundation
import InspectorTraces

/// The logs of processes that ended, one after the other in one piece of memory. So they do not need a
/// descriptor each, and only the written parts take memory.
struct LogArchive {
    /// Takes a sentence about a log that cannot be read.
    private let report: (String) -> Void
    private var descriptor: Int32 = -1
    private var end: UInt64 = 0

    init(report: @escaping (String) -> Void) { self.report = report }

    /// A larger log is not copied, because other processes wait for an answer during the copy. The size
    /// includes the segments in reserve, up to 17 MiB, which are not copied.
    private static let largest: UInt64 = 48 << 20

    /// Takes over the log of a process that ended. If that fails, the log stays where it is.
    mutating func keep(_ guest: inout RecordGuest) {
        guard guest.memory >= 0 else { return }
        let used = record_host_used(guest.memory)
        guard used <= Self.largest else { return }
        if descriptor < 0 { descriptor = record_host_make_archive() }
        let count = descriptor < 0 ? -1 : record_host_archive(guest.memory, used, descriptor, end)
        guard count >= 0 else { return }
        close(guest.memory)
        guest.memory = -1
        guest.archived = end..<end + UInt64(count)
        end += (UInt64(count) + 4_095) / 4_096 * 4_096
    }

    /// Returns the log of a process, and frees its memory. Nil without a log. If the memory does not contain
    /// a valid log, the process damaged it; that is reported.
    func take(_ guest: RecordGuest) -> EventLogContents? {
        let bytes: [UInt8]?
        if let archived = guest.archived {
            bytes = Self.read(descriptor, Int(archived.lowerBound), Int(archived.count))
        } else if guest.memory >= 0 {
            bytes = Self.read(guest.memory, 0, Int(record_host_used(guest.memory)))
            close(guest.memory)
        } else {
            return nil
        }
        guard let bytes else {
            report("\(guest.title): its trace cannot be read")
            return nil
        }
        // It could not begin its log, and reported why.
        guard !bytes.isEmpty else { return nil }
        do throws(TraceError) {
            return try TraceReader(path: guest.title).events(
                ofMemory: bytes, isRunning: !guest.isEnded, isEndSeen: guest.endingSignal != nil)
        } catch {
            report(error.description)
            return nil
        }
    }

    private static func read(_ descriptor: Int32, _ start: Int, _ size: Int) -> [UInt8]? {
        let bytes = WholeBytes.read(descriptor, at: start, count: size).bytes
        // Zeros at the very end take no space, and are not even part of the file.
        return bytes.count == size ? bytes : nil
    }
}
