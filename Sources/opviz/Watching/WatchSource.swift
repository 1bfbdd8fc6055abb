import EventLog
import Foundation
import Inspector

/// The watched log: it is found and opened, and opened again when the program is restarted.
final class WatchSource {
    private let name: String
    private let waits: Bool
    /// How long a program that was just started may take to begin its log, in nanoseconds.
    private static let startTimeout: Int64 = 1_000_000_000

    private(set) var log: LiveLog?
    private var isFirstLook = true
    /// Since when there has been a file without a log.
    private var emptySince: Int64?
    /// A note for the user that is not about the log's contents.
    private(set) var note: String?
    /// The log's name after the program has ended; nil if the log will be gone then.
    private(set) var nameAfterwards: String?

    /// - Parameter waits: whether to wait for a log that does not exist yet.
    init(_ name: String, waits: Bool) {
        self.name = name
        self.waits = waits
    }

    enum State {
        /// The log does not exist yet.
        case waiting(String)
        /// Reading what was written before; the share that was read.
        case catchingUp(Double)
        case current
    }

    /// Reads what is new.
    ///
    /// - Throws: `CommandError` and `TraceError` if the log does not exist and is not waited for, or if it
    ///   cannot be read.
    func look(at now: Int64) throws -> State {
        if let log {
            switch try log.look(at: now) {
            case .read: return .current
            case .catchingUp(let share): return .catchingUp(share)
            case .otherLog:
                // The program was restarted, and writes a new log now or soon.
                self.log = nil
            }
        }
        guard let found = try WatchTarget(name).find() else {
            guard waits else {
                throw CommandError(.noInput, "\(name): no such log; --wait waits for it")
            }
            return .waiting("waiting for the log to appear: \(name)")
        }
        (note, nameAfterwards) = (found.note, found.name)
        do throws(TraceError) {
            log = try LiveLog(path: found.path, isMemory: found.isMemory)
        } catch {
            throw error.code == .notATrace ? Self.finished(found.path) ?? CommandError(error) : error
        }
        noteFinished(found.path)
        if log != nil {
            emptySince = nil
            return try look(at: now)
        }
        let since = emptySince ?? now
        emptySince = since
        guard waits || now - since < Self.startTimeout else {
            throw CommandError(.noInput, "\(found.path): contains no log yet; --wait waits for one")
        }
        return .waiting("waiting for the log to begin: \(found.path)")
    }

    /// Notes at the first look that there is nothing to follow.
    private func noteFinished(_ path: String) {
        defer { isFirstLook = false }
        guard isFirstLook, let log, log.header.isClosed else { return }
        Console.report(
            "note: \(path): the program has ended; opviz \(ShellText.quoted(path)) shows the whole run")
    }

    /// The error for a trace in a form that no running program writes; nil for another file.
    private static func finished(_ path: String) -> CommandError? {
        let start = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 1_024) } ?? Data()
        let isJSON = start.first == UInt8(ascii: "{") && start.firstRange(of: LogHeader.format.utf8) != nil
        guard isJSON || CompactLogReader.recognizes(start) else { return nil }
        return CommandError(
            .data,
            "\(path): is a finished trace, but watch follows running programs; "
                + "use opviz \(ShellText.quoted(path))")
    }

    /// The present time of a clock that never goes back, in nanoseconds.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
