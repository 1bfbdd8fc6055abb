import CRecorder
import EventLog
import Foundation

/// The recorders whose logs the program has not closed. The logs are closed when the program exits.
enum OpenLogs {
    /// The program must exit quickly, so a larger log stays binary; `opviz` reads that as well.
    private static let largestConversionAtExit = 64 << 20

    private static let recorders = Locked<[ObjectIdentifier: Recorder]>([:])

    private static let handler: Void = {
        atexit {
            guard !recorder_is_forked_child() else { return }
            for recorder in OpenLogs.recorders.withLock({ Array($0.values) }) {
                do {
                    if let binary = try recorder.stop(largestConversion: largestConversionAtExit) {
                        Complaint.say(
                            "the log is large and stays binary, in \(binary); opviz reads it, and opviz "
                                + "convert makes JSON of it"
                        )
                    }
                } catch {
                    Complaint.say("the log is incomplete: \(error)")
                }
            }
        }
    }()

    static func closeAtExit(_ recorder: Recorder) {
        _ = handler
        recorders.withLock { $0[ObjectIdentifier(recorder)] = recorder }
    }

    static func remove(_ recorder: Recorder) {
        // Release it after unlocking: this may be the last reference.
        _ = recorders.withLock { $0.removeValue(forKey: ObjectIdentifier(recorder)) }
    }
}

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
