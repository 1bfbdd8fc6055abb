import CRecorder
import EventLog

/// The recorder's messages to people. They neither end nor stop the program.
enum Complaint {
    /// Writes `sentence` to standard error, if the program has one.
    static func say(_ sentence: String) {
        guard recorder_has_standard_error() else { return }
        // Wait only briefly: a program that writes nothing there itself must not hang on a reader that is
        // stuck.
        StandardError.write("opviz: \(sentence)\n", waitingAtMost: 100)
    }
}
