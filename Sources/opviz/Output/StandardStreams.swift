import Foundation

/// Secures the three standard descriptors, in case the parent process closed them or stops reading.
enum StandardStreams {
    /// Call this before anything else.
    static func secure() {
        occupy()
        _ = changedSignals
    }

    /// Opens /dev/null for each closed standard descriptor. Otherwise the next opened file would get the
    /// descriptor, and messages would be written into it. The replacement can be neither read nor written,
    /// like a closed descriptor, and is not passed to programs.
    private static func occupy() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            guard open("/dev/null", mode | O_CLOEXEC) >= 0 else { return }
        }
    }

    /// Signals that would end this process when a write fails. They are ignored from now on, so that the
    /// write returns an error. Programs that are started get the original actions.
    static let changedSignals: [Int32] = [SIGPIPE, SIGXFSZ].filter { number in
        guard !SignalForwarding.isIgnored(number) else { return false }
        signal(number, SIG_IGN)
        return true
    }
}
