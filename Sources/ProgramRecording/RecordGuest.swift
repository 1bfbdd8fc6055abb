import CRecordHost
package import EventLog
import Foundation
import InspectorText

/// A process into which the library was loaded, and what is known about its log.
package struct RecordGuest {
    package let process: Int32
    /// Empty if the process never reported it.
    package var program = ""
    var state = RECORD_STATE_LOADED
    /// Its number in the register.
    var place: UInt32?
    /// What it reported there until the end; nil if it has no place.
    var reported: record_place?
    /// The `errno` that kept opviz from giving it memory; 0 for none.
    var refusal: Int32 = 0
    /// The descriptor of its log's memory; -1 without a log, or if the log is in the archive.
    var memory: Int32 = -1
    var archived: Range<UInt64>?
    /// A descriptor that reports its end, or -1.
    var watch: Int32 = -1
    var isEnded = false
    /// The signal that ended it, if opviz saw that; only for the program that opviz started.
    package var endingSignal: Int32?
    /// What its log gets from a search of its memory, before it was ended.
    var searches: [LogEvent] = []

    init(process: Int32, refusal: Int32) {
        self.process = process
        self.refusal = refusal
    }

    init(process: Int32, hello: record_hello) {
        self.process = process
        state = record_state(hello.state)
        program = withUnsafeBytes(of: hello.program) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    var title: String { program.isEmpty ? "process \(process)" : "\(program) (process \(process))" }

    var hasLog: Bool { memory >= 0 || archived != nil }

    /// Why it ran unrecorded; nil if no reason is known.
    var obstacle: String? {
        switch state {
        case RECORD_STATE_UNKNOWN_LAYOUT: return "unrecognized Foundation layout"
        case RECORD_STATE_STRIPPED:
            return "its symbols were stripped, so its Foundation cannot be found"
        default: break
        }
        if refusal != 0 { return Self.obstacle(refusal: refusal) }
        guard let reported else { return emptyLog }
        let reason = String(cString: strerror(Int32(reported.error)))
        switch record_state(reported.state) {
        case RECORD_STATE_NO_SOCKET:
            return "when its first queue was used, it could not open a socket (\(reason))"
        case RECORD_STATE_NOT_REACHED:
            let change = reported.user == geteuid() ? "" : " as user \(reported.user)"
            return "when its first queue was used, it could not reach opviz\(change) (\(reason))"
        case RECORD_STATE_STRANGER:
            return "when its first queue was used, a process of another user answered in place of opviz"
        case RECORD_STATE_NO_ANSWER: return "opviz did not answer it in time (\(reason))"
        case RECORD_STATE_REFUSED: return "it could not receive the memory for its log (\(reason))"
        case RECORD_STATE_NO_LOG: return "it could not begin its log (\(reason))"
        default: return emptyLog
        }
    }

    /// How it ended, if a signal ended it before its log was closed.
    package func ending(of contents: EventLogContents) -> String? {
        guard let endingSignal, !contents.header.isClosed else { return nil }
        return SignalName.ending(endingSignal, isComplete: contents.losses.isEmpty)
    }

    /// The message for memory that the process never wrote to.
    private var emptyLog: String? {
        archived?.isEmpty == true ? "it ended before its log was begun" : nil
    }

    private static func obstacle(refusal: Int32) -> String {
        let reason = String(cString: strerror(refusal))
        return switch refusal {
        case EFBIG: "a limit on the size of files (ulimit -f) leaves no room for its log"
        case EMFILE, ENFILE: "opviz had no file descriptor left for its log (ulimit -n)"
        default: "opviz has no memory for its log (\(reason))"
        }
    }

    /// Why its tasks were not recorded; nil if they were, or if nobody asked for them.
    var obstacleForTasks: String? { TaskObstacle(rawValue: reported?.tasks ?? 0)?.reason }

    /// Whether its tasks were observed.
    var hasObservedTasks: Bool { (reported?.tasks ?? 0) == UInt32(RECORD_TASKS_OBSERVED) }

    /// Whether it uses a Foundation that it loaded after its start.
    var hasLaterFoundation: Bool { (reported?.has_later_foundation ?? 0) != 0 }

    /// Whether a child that it forked used queues without being recorded.
    var hasUnseenChild: Bool { (reported?.has_forked_user ?? 0) != 0 }
}
