import Foundation
import Testing

/// A program on a separate pseudo-terminal, which behaves like a real one: keys, sizes, Control-C and hanging
/// up come from the system.
final class TerminalRun {
    private static let timeout = DispatchTimeInterval.seconds(30)

    let process: pid_t
    private let master: Int32
    /// Kept open, so that the settings outlive the program.
    private let slave: Int32
    private(set) var screen: TerminalScreen
    /// All that the program wrote.
    private(set) var output = ""
    private var status: Int32?

    /// - Parameter command: the program, as a shell would look for it, and its arguments.
    init(_ command: [String], columns: UInt16 = 80, lines: UInt16 = 24, environment: [String: String] = [:])
        throws
    {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        let name = try #require(Self.slaveName(of: master))
        slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        screen = TerminalScreen(columns: Int(columns), lines: Int(lines))
        var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)

        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        // The first terminal that the leader of a session opens is the one that it is controlled by.
        posix_spawn_file_actions_addopen(&files, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&files, 0, 1)
        posix_spawn_file_actions_adddup2(&files, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // POSIX_SPAWN_SETSID, which Glibc shows only to programs in C.
        let isSessionLeader: Int32 = 0x80
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | isSessionLeader))

        var all = ProcessInfo.processInfo.environment
        all["TERM"] = "xterm"
        all["NO_COLOR"] = "1"
        // It would ask, on the terminal, what to do about a crash.
        all["SWIFT_BACKTRACE"] = "enable=no"
        all.merge(environment) { $1 }
        let arguments = command.map { strdup($0) } + [nil]
        let variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawnp(&process, command[0], &files, &attributes, arguments, variables)
        try #require(failure == 0, "\(command[0]): \(String(cString: strerror(failure)))")
        self.process = process
    }

    deinit {
        kill(process, SIGKILL)
        if status == nil { waitpid(process, nil, 0) }
        close(master)
        close(slave)
    }

    /// The name of the other end, which may be opened after this.
    private static func slaveName(of master: Int32) -> String? {
        #if os(Linux)
            // Glibc shows its functions for this only to programs in C.
            let (unlock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
            var (locked, number) = (Int32(0), Int32(0))
            guard ioctl(master, unlock, &locked) == 0, ioctl(master, getNumber, &number) == 0 else {
                return nil
            }
            return "/dev/pts/\(number)"
        #else
            guard grantpt(master) == 0, unlockpt(master) == 0 else { return nil }
            return ptsname(master).map { String(cString: $0) }
        #endif
    }

    /// What the keyboard sends.
    func press(_ keys: String) {
        _ = Array(keys.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    func resize(columns: UInt16, lines: UInt16) {
        screen = TerminalScreen(columns: Int(columns), lines: Int(lines))
        var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// The settings of the terminal, as bytes to compare.
    var settings: [UInt8] {
        var settings = termios()
        tcgetattr(slave, &settings)
        return withUnsafeBytes(of: settings) { Array($0) }
    }

    var echoes: Bool {
        var settings = termios()
        tcgetattr(slave, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0 && settings.c_lflag & tcflag_t(ICANON) != 0
    }

    /// Reads until the screen is as expected. Fails the test where that does not come, within half a minute.
    func expect(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ isThere: (TerminalScreen) -> Bool
    ) throws {
        let deadline = DispatchTime.now() + Self.timeout
        while !isThere(screen) {
            let isInTime = read() && DispatchTime.now() < deadline
            try #require(isInTime, "never came: \(what)\n\(screen.text)", sourceLocation: sourceLocation)
        }
    }

    func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expect(text, sourceLocation: sourceLocation) { $0.text.contains(text) }
    }

    /// The exit status, or the negative number of the signal; reads on meanwhile.
    func end(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int32 {
        let deadline = DispatchTime.now() + Self.timeout
        while true {
            var state: Int32 = 0
            let ended = waitpid(process, &state, WNOHANG)
            if ended == process {
                while read(timeout: 0) {}
                status = state & 0x7F == 0 ? state >> 8 & 0xFF : -(state & 0x7F)
                return status ?? 0
            }
            // The terminal tells when there is something to read; the end of a program it does not tell.
            let isInTime = DispatchTime.now() < deadline
            try #require(isInTime, "it does not end\n\(screen.text)", sourceLocation: sourceLocation)
            _ = read(timeout: 10)
        }
    }

    /// Closes this end, as a closed window or a lost connection does. The screen is gone after that.
    func hangUp() {
        // Descriptors of others may come in their places, so these are made into nothing.
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        dup2(nothing, slave)
        dup2(nothing, master)
        close(nothing)
        isHungUp = true
    }

    private var isHungUp = false

    /// False where nothing comes in time.
    private func read(timeout: Int32 = 30_000) -> Bool {
        var waited = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&waited, isHungUp ? 0 : 1, timeout) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(master, &bytes, bytes.count)
        guard count > 0 else { return false }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        output += text
        screen.take(bytes[..<count])
        return true
    }
}

/// What a terminal shows after the sequences that opviz writes: the place of the cursor, clearing, the other
/// screen.
struct TerminalScreen {
    private let columns: Int
    private var cells: [[Character]]
    private var (column, line) = (0, 0)
    private(set) var isAlternate = false
    private(set) var showsCursor = true
    private var main: [[Character]] = []
    private var pending: [UInt8] = []

    init(columns: Int, lines: Int) {
        self.columns = columns
        cells = Array(repeating: [], count: lines)
    }

    var lines: [String] { cells.map { String($0) } }
    var text: String { lines.joined(separator: "\n") }

    mutating func take(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        // What is cut within a character or a sequence waits for the rest.
        guard let text = String(validating: pending, as: UTF8.self) else { return }
        var rest = Substring(text)
        while let character = rest.first {
            if character == "\u{1B}" {
                guard let match = rest.prefixMatch(of: /\x1B\[([?0-9;]*)([A-Za-z])/) else {
                    pending = Array(rest.utf8)
                    return
                }
                control(String(match.1), match.2)
                rest = rest[match.range.upperBound...]
                continue
            }
            rest.removeFirst()
            print(character)
        }
        pending = []
    }

    private mutating func print(_ character: Character) {
        switch character {
        case "\r\n": newLine()
        case "\n": newLine()
        case "\r": column = 0
        default:
            guard cells.indices.contains(line) else { return }
            while cells[line].count < column { cells[line].append(" ") }
            if column < cells[line].count {
                cells[line][column] = character
            } else {
                cells[line].append(character)
            }
            column += 1
        }
    }

    private mutating func newLine() {
        column = 0
        if line + 1 < cells.count {
            line += 1
        } else {
            cells.removeFirst()
            cells.append([])
        }
    }

    private mutating func control(_ parameters: String, _ command: Substring) {
        switch (command, parameters) {
        case ("H", _):
            let numbers = parameters.split(separator: ";").map { Int($0) ?? 1 }
            (line, column) = ((numbers.first ?? 1) - 1, (numbers.count > 1 ? numbers[1] : 1) - 1)
        case ("J", _): cells = Array(repeating: [], count: cells.count)
        case ("K", _): if cells.indices.contains(line) { cells[line] = Array(cells[line].prefix(column)) }
        case ("h", "?1049"):
            isAlternate = true
            main = cells
            cells = Array(repeating: [], count: cells.count)
        case ("l", "?1049"):
            isAlternate = false
            cells = main
            (line, column) = (0, 0)
        case ("h", "?25"): showsCursor = true
        case ("l", "?25"): showsCursor = false
        default: break
        }
    }
}
