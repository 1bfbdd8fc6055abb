import Foundation

/// The three descriptors that every program has, also where whoever started this one closed them, or reads no
/// further.
enum StandardStreams {
    /// To be called before anything else.
    static func secure() {
        occupy()
        _ = changedSignals
    }

    /// A descriptor that is closed would be the next file that is opened, and what is said would be written
    /// into that. What is put there instead can neither be read nor written, like a closed one, and programs
    /// that are started do not get it.
    private static func occupy() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            guard open("/dev/null", mode | O_CLOEXEC) >= 0 else { return }
        }
    }

    /// Signals by which the kernel would end this process where a write fails, ignored from now on: that is
    /// an error like others. Programs that are started are to have them as they were.
    static let changedSignals: [Int32] = [SIGPIPE, SIGXFSZ].filter { number in
        guard !SignalForwarding.isIgnored(number) else { return false }
        signal(number, SIG_IGN)
        return true
    }
}
