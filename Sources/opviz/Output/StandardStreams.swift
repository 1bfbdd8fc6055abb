import Foundation
import ProgramRecording

/// Secures the three standard descriptors, in case the parent process closed them or stops reading.
enum StandardStreams {
    /// Call this before anything else.
    static func secure() {
        occupy()
        _ = SignalForwarding.ignoredForWrites
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
}
