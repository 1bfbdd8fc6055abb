import CRecordHost
import Foundation
import Inspector

/// Holds the memory of the logs while the recorded processes write into it, whatever becomes of them.
final class RecordHost: @unchecked Sendable {
    // Sound because `guests` is touched by the listening thread alone until `finish` has waited for its end.

    /// A process that was recorded, or said why it could not be.
    struct Guest {
        let process: Int32
        let program: String
        let state: UInt32
        /// -1 where there is none.
        let memory: Int32
    }

    /// As much as a trace may take of memory, where nobody says otherwise: about ten million operations.
    static let defaultLimit: UInt64 = 1 << 30

    private let folder: String
    private let limit: UInt64
    private let limitText: String?
    private let listener: Int32
    private let library: String
    private let stop: (reading: Int32, writing: Int32)
    private let ended = DispatchSemaphore(value: 0)
    private var guests: [Guest] = []

    static var environmentLimit: String? { ProcessInfo.processInfo.environment["OPVIZ_TRACE_LIMIT"] }

    init(limit: String?) throws {
        #if !os(Linux)
            throw CommandError(
                .usage, "record is offered on Linux only; embed the library Ops, and run with OPVIZ_TRACE")
        #endif
        library = try Self.findLibrary()
        limitText = limit
        self.limit = try limit.map(Self.bytes) ?? Self.defaultLimit
        folder = try TemporaryFolder.make("opviz")
        listener = record_host_listen(folder + "/socket")
        guard listener >= 0 else {
            let reason = String(cString: strerror(errno))
            rmdir(folder)
            throw CommandError(.cannotCreate, "\(folder)/socket: \(reason)")
        }
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stop = (ends[0], ends[1])
        let thread = Thread { [self] in
            listen()
            ended.signal()
        }
        thread.name = "opviz record"
        thread.start()
    }

    /// What the program is to find in its environment, besides what is there.
    func environment() -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        let earlier = environment["LD_PRELOAD"].map { ":" + $0 } ?? ""
        environment["LD_PRELOAD"] = library + earlier
        environment["OPVIZ_RECORD"] = folder + "/socket"
        environment["OPVIZ_TRACE_LIMIT"] = limitText
        return environment
    }

    /// Ends the listening. The processes that came, in their order.
    func finish() -> [Guest] {
        close(stop.writing)
        ended.wait()
        close(listener)
        unlink(folder + "/socket")
        rmdir(folder)
        return guests
    }

    // MARK: Listening

    private func listen() {
        var waited = [
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            pollfd(fd: stop.reading, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = poll(&waited, 2, -1)
            if count < 0 && errno == EINTR { continue }
            while takeGuest() {}
            if count < 0 || waited[1].revents != 0 { return }
        }
    }

    /// False where nobody asks.
    private func takeGuest() -> Bool {
        var guest = record_guest()
        let failure = record_host_accept(listener, limit, &guest)
        if failure == 0 {
            let program = withUnsafeBytes(of: guest.program) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guests.append(
                Guest(process: guest.process, program: program, state: guest.state, memory: guest.memory))
        }
        return failure != EAGAIN
    }

    // MARK: What is needed

    /// The library that is loaded into programs: beside an installed opviz, or in the folder where it was built.
    private static func findLibrary() throws -> String {
        let name = "libopviz-record.so"
        var folder = URL(fileURLWithPath: CommandLine.executablePath).deletingLastPathComponent()
        var candidates = [
            folder.deletingLastPathComponent().appendingPathComponent("lib/opviz/\(name)"),
            folder.appendingPathComponent(name),
        ]
        for _ in 0..<3 {
            folder.deleteLastPathComponent()
            candidates.append(folder.appendingPathComponent(name))
        }
        guard let found = candidates.first(where: { access($0.path, R_OK) == 0 }) else {
            throw CommandError(
                .software,
                "\(name), which is loaded into programs, is not beside this opviz; make record-library builds it"
            )
        }
        // The loader takes spaces and colons for separators.
        guard !found.path.contains(where: { $0 == " " || $0 == ":" }) else {
            throw CommandError(
                .software,
                "\(found.path): a program cannot be given a library whose path has a space or a colon")
        }
        return found.path
    }

    private static func bytes(_ text: String) throws -> UInt64 {
        guard let limit = LogLimitText(text) else {
            throw CommandError(.usage, "\(text): is no size such as 64M or \"64M latest\"")
        }
        return limit.bytes
    }
}

extension CommandLine {
    /// Where this program is.
    static var executablePath: String {
        #if os(Linux)
            if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
                return path
            }
        #endif
        return Bundle.main.executablePath ?? arguments[0]
    }
}
