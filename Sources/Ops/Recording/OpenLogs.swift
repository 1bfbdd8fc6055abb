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
