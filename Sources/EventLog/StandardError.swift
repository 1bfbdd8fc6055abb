import Foundation

/// All writes to standard error go through this type.
///
/// They never end the process: if the reader has gone away, the disk is full or the descriptor is closed, the
/// message is lost without a signal.
package enum StandardError {
    /// - Parameter milliseconds: how long to wait for the reader; -1 for no limit.
    package static func write(_ text: String, waitingAtMost milliseconds: Int32 = -1) {
        write(text, to: STDERR_FILENO, waitingAtMost: milliseconds)
    }

    static func write(_ text: String, to descriptor: Int32, waitingAtMost milliseconds: Int32) {
        let signals = HeldSignals()
        signals.release(taking: failure(of: Array(text.utf8), to: descriptor, milliseconds))
    }

    /// The `errno` that ended the writing; 0 if everything was written, or if nobody read it in time.
    private static func failure(of text: [UInt8], to descriptor: Int32, _ milliseconds: Int32) -> Int32 {
        text.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty, waitUntilWritable(descriptor, atMost: milliseconds) {
                // `poll` guarantees space for this many bytes; a larger piece could block.
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(PIPE_BUF)))
                let count = Foundation.write(descriptor, piece.baseAddress, piece.count)
                if count < 0 && errno == EINTR { continue }
                // Also stops if a non-blocking descriptor has no space in spite of `poll`, because the loop
                // would spin.
                guard count > 0 else { return errno }
                rest = rest.dropFirst(count)
            }
            return 0
        }
    }

    private static func waitUntilWritable(_ descriptor: Int32, atMost milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&request, 1, milliseconds)
            if count < 0 && errno == EINTR { continue }
            return count > 0 && request.revents & Int16(POLLNVAL) == 0
        }
    }
}

/// The signals that a write can raise, blocked on this thread: SIGPIPE, SIGXFSZ (a file becomes too large),
/// and SIGTTOU, which stops a process that writes to its terminal from the background.
private struct HeldSignals {
    private static let all = [SIGPIPE, SIGXFSZ, SIGTTOU]
    private var mask = sigset_t()
    private var pending = sigset_t()

    init() {
        var held = Self.set(of: Self.all)
        sigpending(&pending)
        pthread_sigmask(SIG_BLOCK, &held, &mask)
    }

    /// Consumes the signal of a failed write. A program that blocks the signal itself would receive it later.
    func release(taking failure: Int32) {
        var (mask, pending, now) = (mask, pending, sigset_t())
        let raised = [EPIPE: SIGPIPE, EFBIG: SIGXFSZ][failure]
        sigpending(&now)
        if let raised, sigismember(&pending, raised) == 0, sigismember(&now, raised) == 1 {
            var (one, taken) = (Self.set(of: [raised]), Int32(0))
            sigwait(&one, &taken)
        }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
