import CRecordHost
import Foundation
import Inspector

/// Holds the memory of the logs while the recorded processes write into it, whatever becomes of them.
///
/// It serves them on the thread that waits for the program, since a limit may forbid others, and waits for none of them: a
/// connection that says nothing delays nobody.
final class RecordHost {
    /// As much as a trace may take of memory, where nobody says otherwise: about ten million operations.
    static let defaultLimit: UInt64 = 1 << 30
    /// Processes that can have a place in the register.
    private static let placeCount: UInt32 = 1 << 16

    private let folder: String
    private let limit: UInt64
    private let limitText: String?
    private let listener: Int32
    private let library: String
    private let places: UnsafeMutablePointer<record_place>?
    private let register: Int32
    private var archive = LogArchive()
    /// Given up to answer one process more where descriptors run out, so that it does not wait for an answer.
    private var spare: Int32 = -1
    private var connections: [Connection] = []
    private var guests: [RecordGuest] = []

    private struct Connection {
        let descriptor: Int32
        let process: Int32
        var isAnswered = false
    }

    static var environmentLimit: String? { ProcessInfo.processInfo.environment["OPVIZ_TRACE_LIMIT"] }

    init(limit: String?) throws {
        #if !os(Linux)
            throw CommandError(
                .usage, "record is offered on Linux only; embed the library Ops, and run with OPVIZ_TRACE")
        #endif
        Self.restoreDescriptorLimit()
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
        var places: UnsafeMutablePointer<record_place>?
        register = record_host_make_register(Self.placeCount, &places)
        self.places = register < 0 ? nil : places
    }

    /// What the program is to find in its environment, besides what is there.
    func environment() -> ProgramEnvironment {
        var environment = ProgramEnvironment()
        environment.prepend(library, to: "LD_PRELOAD")
        environment.set("OPVIZ_RECORD", folder + "/socket")
        environment.set("OPVIZ_TRACE_LIMIT", limitText)
        return environment
    }

    /// Serves the processes until the program has ended, which is left to be waited for.
    func serve(until program: pid_t) {
        Self.raiseDescriptorLimit()
        let ended = record_host_watch(program)
        defer { close(ended) }
        while true {
            if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
            // Without a descriptor that says so, it is looked whether the program has ended.
            let patience: Int32 = ended < 0 || isOutOfDescriptors ? 20 : lookAtUnwatched() ? 200 : -1
            let ready = poll(ended: ended, patience)
            for index in guests.indices where ready.contains(guests[index].watch) { settle(index) }
            hear { ready.contains($0) }
            accept()
            if ended < 0 ? Self.hasEnded(program) : ready.contains(ended) { return }
        }
    }

    /// Ends the listening. The processes that came, in their order.
    func finish() -> RecordedProcesses {
        // What was said before the program's end is there, and nobody is waited for.
        accept()
        hear { _ in true }
        close(listener)
        unlink(folder + "/socket")
        rmdir(folder)
        for connection in connections { close(connection.descriptor) }
        connections = []
        close(spare)
        for index in guests.indices {
            if let place = guests[index].place, let places {
                guests[index].note = record_host_place(places, place)
            }
            if guests[index].memory >= 0, !isRunning(guests[index]) { settle(index) }
        }
        if let places {
            record_host_end_register(register, places, UInt32(guests.count) + 1, Self.placeCount)
        }
        return RecordedProcesses(guests, archive)
    }

    // MARK: Waiting

    private var isOutOfDescriptors = false

    /// Those descriptors that have something to say.
    private func poll(ended: Int32, _ patience: Int32) -> Set<Int32> {
        // One that cannot be answered would be announced again and again.
        var requests = [isOutOfDescriptors ? -1 : listener, ended].filter { $0 >= 0 }
        requests += connections.map(\.descriptor)
        requests += guests.map(\.watch).filter { $0 >= 0 }
        var polled = requests.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard Foundation.poll(&polled, nfds_t(polled.count), patience) > 0 else { return [] }
        return Set(polled.lazy.filter { $0.revents != 0 }.map(\.fd))
    }

    private static func hasEnded(_ process: pid_t) -> Bool {
        #if os(Linux)
            var information = siginfo_t()
            let options = WEXITED | WNOHANG | WNOWAIT
            return waitid(P_PID, id_t(process), &information, options) != 0 || information.si_signo != 0
        #else
            return true
        #endif
    }

    private func isRunning(_ guest: RecordGuest) -> Bool {
        // One that is another user's by now cannot be asked, and is there.
        guard guest.watch >= 0 else { return kill(guest.process, 0) == 0 || errno == EPERM }
        var request = pollfd(fd: guest.watch, events: Int16(POLLIN), revents: 0)
        return Foundation.poll(&request, 1, 0) == 0
    }

    /// Looks at the recorded processes whose end nobody tells of, because there was no descriptor for it. Whether there are any.
    private func lookAtUnwatched() -> Bool {
        var areAny = false
        for index in guests.indices
        where guests[index].memory >= 0 && guests[index].watch < 0 && !guests[index].isEnded {
            if !isRunning(guests[index]) {
                settle(index)
            } else {
                guests[index].watch = record_host_watch(guests[index].process)
                areAny = areAny || guests[index].watch < 0
            }
        }
        return areAny
    }

    // MARK: Descriptors

    #if os(Linux)
        /// As this process was started with it.
        private static let descriptorLimit: rlimit = {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return limit
        }()
    #endif

    /// What is started from now on has the limit that it would have had.
    private static func restoreDescriptorLimit() {
        #if os(Linux)
            var limit = descriptorLimit
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }

    /// Each recorded process takes two. The program has been started.
    private static func raiseDescriptorLimit() {
        #if os(Linux)
            var limit = descriptorLimit
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
    }

    /// Makes room for one that comes: a connection goes that is no longer needed, or the longest silent one, or the spare
    /// descriptor. False where there is none of these.
    private func makeRoom() -> Bool {
        if !connections.isEmpty {
            let index = connections.firstIndex { $0.isAnswered } ?? 0
            let dropped = connections.remove(at: index)
            close(dropped.descriptor)
            if !dropped.isAnswered { refuse(dropped.process) }
            return true
        }
        guard spare >= 0 else { return false }
        close(spare)
        spare = -1
        return true
    }

    private func refuse(_ process: Int32) {
        if let known = guests.lastIndex(where: { $0.process == process }) {
            if !guests[known].hasLog { guests[known].refusal = EMFILE }
        } else {
            guests.append(RecordGuest(process: process, refusal: EMFILE))
        }
    }

    // MARK: Connections

    private func accept() {
        isOutOfDescriptors = false
        while true {
            var process: pid_t = 0
            let connection = record_host_accept(listener, &process)
            if connection >= 0 {
                connections.append(Connection(descriptor: connection, process: process))
                // Most have spoken already.
                hear { $0 == connection }
            } else if errno == EMFILE || errno == ENFILE {
                // The kernel says so before it looks whether anybody waits.
                var caller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                guard Foundation.poll(&caller, 1, 0) > 0 else { return }
                guard makeRoom() else {
                    isOutOfDescriptors = true
                    return
                }
            } else if errno != EPERM && errno != ECONNABORTED && errno != EINTR {
                return
            }
        }
    }

    private func hear(where isReady: (Int32) -> Bool) {
        for index in connections.indices.reversed() where isReady(connections[index].descriptor) {
            let connection = connections[index]
            var said = record_hello()
            var result = record_host_hear(connection.descriptor, &said)
            while result == 1 {
                connections[index].isAnswered = true
                answer(said, of: connection.process, on: connection.descriptor)
                result = record_host_hear(connection.descriptor, &said)
            }
            if result < 0 {
                close(connection.descriptor)
                connections.remove(at: index)
            }
        }
    }

    private func answer(_ said: record_hello, of process: Int32, on connection: Int32) {
        let index = guest(that: said, process)
        // A process has one image: what an earlier one of the same number left is all of it, because `exec` replaced it.
        for earlier in guests.indices
        where earlier != index && guests[earlier].process == process && guests[earlier].memory >= 0 {
            settle(earlier)
        }
        switch record_state(said.state) {
        case RECORD_STATE_LOADED:
            guard let place = guests[index].place else {
                record_host_answer(connection, UInt32(ENOSPC), -1)
                return
            }
            record_host_answer(connection, place, register)
        case RECORD_STATE_ASKING: give(memoryTo: index, on: connection)
        default: break
        }
    }

    /// The one that this process was known by, or a new one.
    private func guest(that said: record_hello, _ process: Int32) -> Int {
        // Where there is no register, the process has no place in it.
        let place = said.place == 0 ? nil : said.place
        if said.state == RECORD_STATE_ASKING.rawValue,
            let known = guests.lastIndex(where: { $0.process == process && $0.place == place }),
            !guests[known].hasLog
        {
            return known
        }
        var new = RecordGuest(process: process, said: said)
        let number = UInt32(guests.count + 1)
        if said.state == RECORD_STATE_LOADED.rawValue, places != nil, number < Self.placeCount {
            new.place = number
        }
        guests.append(new)
        return guests.count - 1
    }

    private func give(memoryTo index: Int, on connection: Int32) {
        var memory = record_host_make_memory(limit)
        if memory < 0, errno == EMFILE, spare >= 0 {
            close(spare)
            spare = -1
            memory = record_host_make_memory(limit)
        }
        guard memory >= 0 else {
            guests[index].refusal = errno
            record_host_answer(connection, UInt32(errno), -1)
            return
        }
        guests[index].refusal = 0
        guests[index].watch = record_host_watch(guests[index].process)
        guests[index].memory = memory
        record_host_answer(connection, 0, memory)
    }

    /// The process has ended: what it wrote is all of it. A small log goes into the archive, and its descriptor is free.
    private func settle(_ index: Int) {
        if guests[index].watch >= 0 { close(guests[index].watch) }
        guests[index].watch = -1
        guests[index].isEnded = true
        archive.keep(&guests[index])
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
