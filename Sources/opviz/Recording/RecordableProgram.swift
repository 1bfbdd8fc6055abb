import CRecordHost
import EventLog
import Foundation
import Inspector
import Synchronization

/// A program to record: where it is, and what would keep the library from being loaded.
struct RecordableProgram {
    /// The name for messages.
    let path: String
    private let file: [CChar]
    /// Names of files are bytes, which need not be UTF-8.
    private let arguments: [[CChar]]

    /// - Throws: `CommandError` if the program does not exist or cannot be run.
    init(_ command: [String]) throws { try self.init(arguments: command.map { Array($0.utf8CString) }) }

    /// The command at the end of this process's own arguments, byte for byte.
    ///
    /// - Throws: `CommandError` if the program does not exist or cannot be run.
    init(passedThrough command: [String]) throws {
        let own = (0..<Int(CommandLine.argc)).suffix(command.count).compactMap { CommandLine.unsafeArgv[$0] }
        let isSame = own.map { String(cString: $0) } == command
        try self.init(
            arguments: isSame
                ? own.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
                : command.map { Array($0.utf8CString) })
    }

    private init(arguments: [[CChar]]) throws {
        self.arguments = arguments
        file = try Self.find(arguments[0])
        path = Self.text(file)
    }

    private static func text(_ bytes: [CChar]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Searches as a shell does: a name with a slash is a path; other names are searched in `PATH`.
    private static func find(_ name: [CChar]) throws -> [CChar] {
        let (slash, colon, dot) = (CChar(47), CChar(58), CChar(46))
        var candidates = [name]
        if !name.contains(slash) {
            let variable = getenv("PATH").map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
            let folders = variable ?? Array("/usr/local/bin:/usr/bin:/bin".utf8CString.dropLast())
            candidates = folders.split(separator: colon, omittingEmptySubsequences: false).map {
                ($0.isEmpty ? [dot] : Array($0)) + [slash] + name
            }
        }
        var status = stat()
        let existing = candidates.filter { stat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG }
        if let runnable = existing.first(where: { access($0, X_OK) == 0 }) { return runnable }
        throw existing.isEmpty
            ? CommandError(.programMissing, "\(text(name)): no such program")
            : CommandError(.programNotRunnable, "\(text(name)): is not executable")
    }

    // MARK: Obstacles

    /// Why the library cannot be loaded into the program, which then runs unrecorded; nil if no reason is
    /// known.
    var obstacle: RecordingObstacle? {
        var status = stat()
        if stat(file, &status) == 0 {
            let isSetUser = status.st_mode & S_ISUID != 0 && status.st_uid != geteuid()
            let isSetGroup = status.st_mode & S_ISGID != 0 && status.st_gid != getegid()
            if isSetUser || isSetGroup {
                return RecordingObstacle(
                    reason: "runs with another user's rights" + Self.consequence,
                    remedy: "record a copy of it: cp \(ShellText.quoted(path)) copy")
            }
        }
        return Self.obstacle(inHeader: Self.beginning(of: file, 4_096))
    }

    private static let consequence = ", so nothing can be loaded into it"

    /// Why the program must not be started to find out what can be recorded: the library might not be there
    /// to end it. Nil if it can be.
    var reasonNotToProbe: String? {
        guard Self.isProgram(path) else {
            return "it is a script; check the programs that it starts, which record follows"
        }
        if record_host_has_capabilities(file) { return "it has capabilities of its own (setcap)" }
        let own = Self.linker(ofHeader: Self.beginning(of: Array("/proc/self/exe".utf8CString), 4_096))
        let linker = Self.linker(ofHeader: Self.beginning(of: file, 4_096))
        return linker == own ? nil : "it has another dynamic linker than opviz"
    }

    /// Whether the path leads to an ELF file. A pipe is not read.
    static func isProgram(_ path: String) -> Bool {
        !OutputFile.isDevice(path)
            && beginning(of: Array(path.utf8CString), ELFFile.magic.count) == ELFFile.magic
    }

    /// The first bytes of a file; empty if it cannot be read.
    private static func beginning(of file: [CChar], _ size: Int) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, size))
        }
    }

    /// The obstacle that the first bytes of an ELF file show. Nil for scripts and other files.
    static func obstacle(inHeader bytes: [UInt8]) -> RecordingObstacle? {
        guard bytes.starts(with: ELFFile.magic), bytes.count >= 64 else { return nil }
        #if arch(x86_64)
            let ownMachine = 62
        #else
            let ownMachine = 183
        #endif
        guard bytes[4] == 2, number(bytes, 18, 2) == ownMachine else {
            return RecordingObstacle(
                reason: "is a program for another processor" + consequence,
                remedy: "record it on a machine with that processor")
        }
        guard let segments = segments(ofHeader: bytes) else { return nil }
        let hasLinker = segments.contains { $0.kind == Self.linkerSegment }
        return hasLinker
            ? nil
            : RecordingObstacle(
                reason: "has no dynamic linker (it is linked with -static)" + consequence,
                remedy: "link without -static")
    }

    /// The segment that names the dynamic linker.
    private static let linkerSegment = 3

    /// The kinds of the segments, and where they are in the file; nil if the header has no usable list.
    private static func segments(ofHeader bytes: [UInt8]) -> [(kind: Int, start: Int, size: Int)]? {
        let (start, size, count) = (number(bytes, 32, 4), number(bytes, 54, 2), number(bytes, 56, 2))
        guard size >= 56, count > 0, start + size * count <= bytes.count else { return nil }
        return (0..<count).map { index in
            let segment = start + index * size
            return (number(bytes, segment, 4), number(bytes, segment + 8, 4), number(bytes, segment + 32, 4))
        }
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int {
        guard offset >= 0, offset + size <= bytes.count else { return 0 }
        return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The path of the dynamic linker.
    private static func linker(ofHeader bytes: [UInt8]) -> [UInt8]? {
        guard let segment = segments(ofHeader: bytes)?.first(where: { $0.kind == linkerSegment }),
            segment.start + segment.size <= bytes.count
        else { return nil }
        return Array(bytes[segment.start..<segment.start + segment.size])
    }

    // MARK: Running

    /// How the program ended.
    struct Ending {
        let status: Int32

        var isSuccess: Bool { status == 0 }

        var signalNumber: Int32 { status & 0x7f }

        var exitCode: Int32 { status >> 8 & 0xff }

        /// Ends this process in the same way.
        func follow() -> Never {
            guard signalNumber != 0 else { exit(exitCode) }
            // The program itself has left its core file, if any; this process must not leave another.
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            #if os(Linux)
                setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
            #else
                setrlimit(RLIMIT_CORE, &none)
            #endif
            signal(signalNumber, SIG_DFL)
            kill(getpid(), signalNumber)
            exit(128 + signalNumber)
        }
    }

    /// Runs the program to its end. Forwards signals that are sent to this process.
    ///
    /// - Parameters:
    ///   - output: a descriptor for its output and errors, which also means that it has no input; nil shares
    ///     all three streams of this process.
    ///   - serve: called when the program has started. It returns when the program has ended, or earlier.
    func run(environment: ProgramEnvironment, output: Int32? = nil, serve: (pid_t) -> Void) throws -> Ending {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Restores the original signal handlers of this process for the program.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in StandardStreams.changedSignals { sigaddset(&defaults, number) }
        for number in SignalForwarding.signals { sigaddset(&defaults, number) }
        for number in SignalForwarding.ignoredBefore { sigdelset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        // A signal that arrives before the program exists stays pending for it; the program itself does not
        // block it.
        var (forwarded, mask) = (sigset_t(), sigset_t())
        sigemptyset(&forwarded)
        for number in SignalForwarding.signals { sigaddset(&forwarded, number) }
        pthread_sigmask(SIG_BLOCK, &forwarded, &mask)
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        }
        var variables = environment.allocate()
        defer { for variable in variables { free(variable) } }
        var process = pid_t()
        func spawn(_ file: [CChar], _ arguments: [[CChar]]) -> Int32 {
            var strings = arguments.map { strdup($0) } + [nil]
            defer { for string in strings { free(string) } }
            return posix_spawn(&process, file, &actions, &attributes, &strings, &variables)
        }
        // If SIGCHLD is ignored, the kernel discards the program's status.
        signal(SIGCHLD, SIG_DFL)
        SignalForwarding.begin()
        var failure = spawn(file, arguments)
        // A script without an interpreter line: run it with a shell, as shells and `execvp` do. A program for
        // another machine contains zeros, and is not run.
        if failure == ENOEXEC, !Self.beginning(of: file, 256).contains(0) {
            let shell = Array("/bin/sh".utf8CString)
            failure = spawn(shell, [shell, file] + arguments.dropFirst())
        }
        guard failure == 0 else {
            throw CommandError(.programNotRunnable, "\(path): \(String(cString: strerror(failure)))")
        }
        SignalForwarding.forward(to: process)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        serve(process)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        SignalForwarding.forward(to: 0)
        return Ending(status: status)
    }
}

/// Forwards signals that are sent to opviz to the program.
///
/// Signals from a terminal reach the program directly, because it is in the same process group.
enum SignalForwarding {
    static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT]
    private static let target = Atomic<Int32>(0)
    /// The last signal that asks a program to end; 0 for none.
    private static let ending = Atomic<Int32>(0)

    /// A signal that asked this process or its program to end; nil if there was none.
    static var received: Int32? {
        let number = ending.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Restores the default action of the signals.
    static func end() {
        for number in signals where !ignoredBefore.contains(number) { signal(number, SIG_DFL) }
    }

    /// Signals that this process was started with as ignored, for example by nohup. They stay ignored, here
    /// and in the program.
    static let ignoredBefore: [Int32] = signals.filter(isIgnored)

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if os(Linux)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    static func begin() {
        for number in signals where !ignoredBefore.contains(number) {
            var action = sigaction()
            let handler:
                @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
                    number, information, _ in
                    if number == SIGINT || number == SIGQUIT || number == SIGTERM || number == SIGHUP {
                        SignalForwarding.ending.store(number, ordering: .relaxed)
                    }
                    let process = SignalForwarding.target.load(ordering: .relaxed)
                    // The kernel sends a terminal's signals to the whole group. A signal from a process was
                    // sent only to this process.
                    guard process > 0, let information, information.pointee.si_code <= 0 else { return }
                    kill(process, number)
                }
            #if os(Linux)
                action.__sigaction_handler.sa_sigaction = handler
            #else
                action.__sigaction_u.__sa_sigaction = handler
            #endif
            action.sa_flags = Int32(SA_SIGINFO | SA_RESTART)
            sigaction(number, &action, nil)
        }
    }

    static func forward(to process: Int32) { target.store(process, ordering: .relaxed) }
}
