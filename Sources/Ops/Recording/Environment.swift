import CRecorder
import EventLog
import Foundation

/// The settings in the environment.
enum Environment {
    /// The file to record to; for a folder, a new file in it. Nil also in a program that runs with another
    /// user's rights.
    static var tracePath: String? {
        guard let value = recorder_environment("OPVIZ_TRACE") else { return nil }
        let path = String(cString: value)
        if path.hasSuffix("/") { return newFile(in: path) }
        return path.isEmpty ? nil : path
    }

    /// A name that no other process uses or has used: `FOLDER/PROGRAM.PID.optrace`.
    ///
    /// Creates the folder if it is missing. If that fails, creating the log reports the error.
    private static func newFile(in folder: String) -> String {
        mkdir(folder, 0o700)
        let program = ProcessInfo.processInfo.processName.replacing("/", with: "_")
        let name = "\(folder)\(program).\(getpid())"
        var path = name + ".optrace"
        var number = 2
        var status = stat()
        // Process IDs are reused.
        while lstat(path, &status) == 0 && number < 10_000 {
            path = "\(name).\(number).optrace"
            number += 1
        }
        return path
    }

    /// What started this process, if its parent says so.
    static var cause: TraceContext? {
        recorder_environment("TRACEPARENT").flatMap { TraceContext(traceparent: String(cString: $0)) }
    }

    /// Whether classes outside this package may be changed to observe them.
    static var allowsInterposition: Bool {
        guard let value = recorder_environment("OPVIZ_OBSERVE") else { return true }
        return String(cString: value) != "passive"
    }

    /// Whether threads read their own clocks.
    static var readsThreadClocks: Bool {
        guard let value = recorder_environment("OPVIZ_CPU") else { return true }
        return String(cString: value) != "off"
    }

    /// The limit on the size of that file. An invalid limit is reported on standard error once, and ignored.
    static var limit: LogLimit? {
        guard let value = recorder_environment("OPVIZ_TRACE_LIMIT") else { return nil }
        let text = String(cString: value)
        let limit = LogLimit(text)
        if limit == nil {
            Complaint.say(
                "OPVIZ_TRACE_LIMIT: expected a size such as 64M or \"64M latest\"; the log is not limited")
        }
        return limit
    }
}
