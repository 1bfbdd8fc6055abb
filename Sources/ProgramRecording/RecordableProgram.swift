import CRecordHost
import EventLog
import Foundation
import InspectorText

/// A program to record: where it is, and what would keep the library from being loaded.
package struct RecordableProgram {
    /// The name for messages.
    package let path: String
    private let file: [CChar]
    /// Names of files are bytes, which need not be UTF-8.
    private let arguments: [[CChar]]

    /// - Throws: `RecordingError` if the program does not exist or cannot be run.
    package init(_ command: [String]) throws {
        try self.init(arguments: command.map { Array($0.utf8CString) })
    }

    /// The command at the end of this process's own arguments, byte for byte.
    ///
    /// - Throws: `RecordingError` if the program does not exist or cannot be run.
    package init(passedThrough command: [String]) throws {
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
        let existing = candidates.filter(isFile)
        if let runnable = existing.first(where: { access($0, X_OK) == 0 }) { return runnable }
        throw existing.isEmpty
            ? RecordingError(.missing, "\(text(name)): no such program")
            : RecordingError(.notRunnable, "\(text(name)): is not executable")
    }

    // MARK: Obstacles

    /// Why the library cannot be loaded into the program, which then runs unrecorded; nil if no reason is
    /// known.
    package var obstacle: RecordingObstacle? {
        var status = stat()
        if stat(file, &status) == 0 {
            let isSetUser = status.st_mode & S_ISUID != 0 && status.st_uid != geteuid()
            let isSetGroup = status.st_mode & S_ISGID != 0 && status.st_gid != getegid()
            if isSetUser || isSetGroup {
                return RecordingObstacle(
                    reason: "runs with another user's rights" + ProgramHeader.consequence,
                    remedy: "record a copy of it: cp \(ShellText.quoted(path)) copy")
            }
        }
        return header.obstacle
    }

    private var header: ProgramHeader { ProgramHeader(Self.beginning(of: file, ProgramHeader.size)) }

    /// Why the program must not be started to find out what can be recorded: the library might not be there
    /// to end it. Nil if it can be.
    var reasonNotToProbe: String? {
        guard Self.isProgram(path) else {
            return "it is a script; check the programs that it starts, which record follows"
        }
        if record_host_has_capabilities(file) { return "it has capabilities of its own (setcap)" }
        let own = Self.beginning(of: Array("/proc/self/exe".utf8CString), ProgramHeader.size)
        return header.linker == ProgramHeader(own).linker ? nil : "it has another dynamic linker than opviz"
    }

    /// Whether the path leads to an ELF file. A pipe is not read.
    package static func isProgram(_ path: String) -> Bool {
        let path = Array(path.utf8CString)
        return isFile(path) && beginning(of: path, ELFFile.magic.count) == ELFFile.magic
    }

    private static func isFile(_ path: [CChar]) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
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

    // MARK: Running

    /// Runs the program to its end. Forwards signals that are sent to this process.
    ///
    /// - Parameters:
    ///   - output: a descriptor for its output and errors, which also means that it has no input; nil shares
    ///     all three streams of this process.
    ///   - serve: called when the program has started. It returns when the program has ended, or earlier.
    package func run(environment: ProgramEnvironment, output: Int32? = nil, serve: (Int32) -> Void) throws
        -> Ending
    {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Restores the original signal handlers of this process for the program.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in SignalForwarding.ignoredForWrites { sigaddset(&defaults, number) }
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
            throw RecordingError(.notRunnable, "\(path): \(String(cString: strerror(failure)))")
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
