import CTerminal
import Foundation

/// The terminal as a full screen, with keys that arrive at once. It is always restored: see `CTerminal`.
struct Terminal {
    enum Happening {
        case keys([UInt8])
        /// The size changed, or the process continues after a stop: everything must be drawn again.
        case redraw
        /// A signal asks the program to end.
        case ended(Int32)
        /// The terminal has been closed.
        case gone
    }

    private let input: Int32
    private let output: Int32
    private let ownsInput: Bool
    private var shown: [String] = []
    private var shownSize = (columns: 0, lines: 0)

    /// Whether standard output is a terminal that can be drawn on.
    static var isPossible: Bool {
        isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] ?? "dumb" != "dumb"
    }

    /// - Throws: `CommandError` if keys cannot be read, or if the terminal cannot be set up.
    init() throws {
        output = STDOUT_FILENO
        ownsInput = isatty(STDIN_FILENO) != 1
        input = ownsInput ? open("/dev/tty", O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        guard input >= 0 else { throw Self.failure(errno) }
        let code = terminal_enter(input, output)
        guard code == 0 else { throw Self.failure(code) }
    }

    func leave() { terminal_leave() }

    var size: (columns: Int, lines: Int) {
        var (columns, lines) = (Int32(0), Int32(0))
        guard terminal_size(output, &columns, &lines) else { return (80, 24) }
        return (Int(columns), Int(lines))
    }

    /// Shows these lines. Writes only those that changed.
    ///
    /// - Returns: false if the terminal does not accept output any more.
    mutating func show(_ lines: [String]) -> Bool {
        let size = size
        var text = ""
        if size != shownSize {
            text = "\u{1B}[2J"
            shown = []
            shownSize = size
        }
        for index in 0..<max(lines.count, shown.count) where index < size.lines {
            let line = index < lines.count ? lines[index] : ""
            if index < shown.count, shown[index] == line { continue }
            // Clear the line first: clearing after a line that fills the width would erase its last column.
            text += "\u{1B}[\(index + 1);1H\u{1B}[K\(line)"
        }
        shown = lines
        return write(text)
    }

    /// Draws everything at the next opportunity.
    mutating func forget() { shownSize = (0, 0) }

    /// Waits for a key or a signal, for at most `milliseconds`.
    func wait(milliseconds: Int32) -> [Happening] {
        var waited = [
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: terminal_wake_descriptor(), events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waited, 2, max(0, milliseconds))
        var happenings = signals()
        guard waited[0].revents != 0 else { return happenings }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(input, &bytes, bytes.count)
        if count > 0 {
            happenings.append(.keys(Array(bytes[..<count])))
        } else if count == 0 || errno != EINTR && errno != EAGAIN {
            // The descriptor was ready but gave no key: the other end is closed.
            happenings.append(.gone)
        }
        return happenings
    }

    private func signals() -> [Happening] {
        var happenings: [Happening] = []
        while true {
            switch terminal_signal() {
            case 0: return happenings
            case SIGTSTP:
                terminal_stop()
                _ = terminal_enter(input, output)
                happenings.append(.redraw)
            case SIGCONT:
                // When the process continues in the foreground, the shell may have changed the terminal.
                terminal_leave()
                _ = terminal_enter(input, output)
                happenings.append(.redraw)
            case SIGWINCH: happenings.append(.redraw)
            case let signal: happenings.append(.ended(signal))
            }
        }
    }

    private func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Foundation.write(output, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                written += count
            } else if errno == EINTR {
                // A stopped terminal (Control-S) must not keep a signal waiting. The rest is drawn later.
                return true
            } else {
                return false
            }
        }
        return true
    }

    private static func failure(_ code: Int32) -> CommandError {
        CommandError(.inputOutput, "the terminal: \(String(cString: strerror(code)))")
    }
}
