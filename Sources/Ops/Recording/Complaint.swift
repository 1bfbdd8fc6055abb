import CRecorder
import EventLog

/// What the recorder has to say to people. It neither ends nor stops the program.
enum Complaint {
    /// Writes `sentence` to standard error, where somebody reads that.
    static func say(_ sentence: String) {
        guard recorder_has_standard_error() else { return }
        // A program that writes nothing there itself would not wait for a reader that is stuck.
        StandardError.write("opviz: \(sentence)\n", waitingAtMost: 100)
    }
}
