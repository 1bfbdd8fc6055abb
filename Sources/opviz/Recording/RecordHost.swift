import CRecordHost
import Foundation
import Inspector

/// Holds the memory of the logs while the recorded processes write into it, whatever happens to them.
///
/// It serves them on the thread that waits for the program, because a limit may forbid other threads. It
/// waits for none of them: a silent connection delays nobody. The same thread takes the kernel's records.
/// That may wait while a log is archived: the kernel's rings hold the records of a busy tenth of a second,
/// and tell when some were lost.
final class RecordHost {
    /// As much memory as a trace may take by default: enough for about ten million operations.
    static let defaultLimit: UInt64 = 1 << 30
    /// The number of places in the register.
    private static let placeCount: UInt32 = 1 << 16

    private let folder: String
    private let limit: UInt64
    private let limitText: String?
    private let listener: Int32
    private let library: String
    private let places: UnsafeMutablePointer<record_place>?
    private let register: Int32
    private var archive = LogArchive()
    /// Nil if the kernel records nothing.
    private var recorder: KernelRecorder?
    /// Why the kernel does not record context switches and samples; nil if it does, or if nobody asked for
    /// them.
    private var refusal: String?
    /// Whether they were asked for.
    private let takesSwitches, takesSamples: Bool
    /// Where the programs' logs get the times on processors from.
    private let processorTimes: ProcessorTimes
    private let tasks: Bool
    private let awaitStacks: Bool
    private let stolenBefore = StolenTime()
    /// A spare descriptor. It is closed to answer one more process when descriptors run out, so that the
    /// process does not wait for an answer.
    private var spare: Int32 = -1
    private var connections: [Connection] = []
    private var guests: [RecordGuest] = []
    /// The process that opviz started.
    private var program: pid_t = 0
    /// The last guest of each process, by its number. A process can have several because of `exec` and reused
    /// numbers.
    private var last: [Int32: Int] = [:]
    /// Guests by the descriptor that reports their end; and guests without such a descriptor.
    private var watched: [Int32: Int] = [:]
    private var unwatched: [Int] = []

    private struct Connection {
        let descriptor: Int32
        let process: Int32
        var isAnswered = false
    }

    private static let limitVariable = "OPVIZ_TRACE_LIMIT"

    /// - Parameters:
    ///   - limit: the value of `--limit`; `nil` for that of `OPVIZ_TRACE_LIMIT`.
    ///   - processorTimes: with `auto` and `switches`, context switches are recorded, of the next program
    ///     that this thread starts.
    ///   - sampleRate: how often to sample its stacks, in a second on each processor; nil for never.
    ///   - tasks: whether to record Swift's tasks; false for what `OPVIZ_TASKS` says.
    ///   - awaitStacks: whether to record the functions in which each task waits; false for what
    ///     `OPVIZ_AWAIT_STACKS` says.
    ///   - kernelMemory: how many bytes of context switches to keep; nil for the usual number, or for `limit`
    ///     if that is larger.
    init(
        limit: String? = nil, processorTimes: ProcessorSource = .off, sampleRate: Int? = nil,
        tasks: Bool = false, awaitStacks: Bool = false, kernelMemory: Int? = nil
    ) throws {
        #if !os(Linux)
            throw CommandError(
                .usage, "record is offered on Linux only; embed the library Ops, and run with OPVIZ_TRACE")
        #endif
        DescriptorLimit.restore()
        library = try RecordLibrary.find()
        let source = limit == nil ? Self.limitVariable : "--limit"
        let text = limit ?? ProcessInfo.processInfo.environment[Self.limitVariable]
        limitText = text
        self.tasks = tasks
        self.awaitStacks = awaitStacks
        let given = try text.map { try Self.limit($0, from: source) }
        self.limit = given?.bytes ?? Self.defaultLimit
        let takesSwitches = processorTimes == .auto || processorTimes == .switches
        takesSamples = sampleRate != nil
        if takesSwitches || takesSamples {
            do throws(KernelRecorder.Refusal) {
                recorder = try KernelRecorder(
                    switches: takesSwitches, rate: sampleRate,
                    limit: kernelMemory
                        ?? max(KernelRecorder.usualLimit, Int(clamping: given?.bytes ?? 0)),
                    keepsLatest: given?.keepsLatest == true)
            } catch {
                guard processorTimes != .switches else {
                    throw CommandError(
                        .usage, "context switches cannot be recorded: \(error.reason); use --cpu auto")
                }
                refusal = error.reason
            }
        }
        let hasSwitches = takesSwitches && recorder != nil
        self.processorTimes = processorTimes == .off ? .off : hasSwitches ? .switches : .clocks
        self.takesSwitches = takesSwitches
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

    /// The environment for the program: this process's own, with additions.
    ///
    /// - Parameter isProbe: whether the library is to end the program before its `main()`.
    func environment(isProbe: Bool = false) -> ProgramEnvironment {
        var environment = ProgramEnvironment()
        environment.prepend(library, to: "LD_PRELOAD")
        environment.set("OPVIZ_RECORD", folder + "/socket")
        environment.set(Self.limitVariable, limitText)
        if tasks { environment.set("OPVIZ_TASKS", "1") }
        environment.set("OPVIZ_RECORD_PROBE", isProbe ? "1" : nil)
        if awaitStacks { environment.set("OPVIZ_AWAIT_STACKS", "1") }
        return environment
    }

    /// Serves the processes until the program has ended. The caller still has to wait for the program.
    func serve(until program: pid_t) {
        var none = Deadline()
        serve(until: program, &none, named: "")
    }

    /// Serves the processes until the program has ended, and ends it at its deadline.
    ///
    /// - Parameters:
    ///   - deadline: when to end the program, after a report of what it waits for.
    ///   - name: the program's name for that report.
    func serve(until program: pid_t, _ deadline: inout Deadline, named name: String) {
        self.program = program
        DescriptorLimit.raise()
        let ended = record_host_watch(program)
        defer { close(ended) }
        while true {
            if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
            // Without a descriptor that reports it, checks periodically whether the program has ended.
            let timeout: Int32 = ended < 0 || isOutOfDescriptors ? 20 : lookAtUnwatched() ? 200 : -1
            let next = Self.earlier(recorder?.take() ?? timeout, deadline.timeout)
            let ready = poll(ended: ended, next)
            for index in ready.compactMap({ watched[$0] }) { settle(index) }
            if !ready.isEmpty || isOutOfDescriptors {
                hear { ready.contains($0) }
                accept()
            }
            if ended < 0 ? Self.hasEnded(program) : ready.contains(ended) { return }
            if let reason = deadline.newReason(program) {
                let stuck = StuckProgram(guests, reason, program: name)
                for line in stuck.lines { Console.report(line) }
                for (index, searches) in stuck.searches { guests[index].searches = searches }
                deadline.end(program)
            }
            deadline.killIfDue()
        }
    }

    /// The earlier of two timeouts in milliseconds; -1 stands for never.
    private static func earlier(_ first: Int32, _ second: Int32) -> Int32 {
        first < 0 ? second : second < 0 ? first : min(first, second)
    }

    /// Stops listening. Returns the processes in the order of their arrival.
    ///
    /// - Parameter ending: how the program ended; nil if it could not be started.
    func finish(_ ending: RecordableProgram.Ending?) -> RecordedProcesses {
        // Messages from before the program's end have arrived, so this waits for nobody.
        accept()
        hear { _ in true }
        let leavesOutKernel = takesSamples && recorder?.seesKernel == false
        let records = recorder?.finish(keeping: Set(guests.lazy.filter(\.hasLog).map(\.process)))
        recorder = nil
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
        if let ending, ending.signalNumber != 0, let index = last[program] {
            guests[index].endingSignal = ending.signalNumber
        }
        if let places {
            record_host_end_register(register, places, UInt32(guests.count) + 1, Self.placeCount)
        }
        return RecordedProcesses(
            guests, archive, records ?? KernelRecords(), reasonForClocks: takesSwitches ? refusal : nil,
            reasonWithoutSamples: takesSamples ? refusal : nil,
            reasonWithoutKernel: leavesOutKernel ? KernelRecorder.reasonWithoutKernel : nil, stolen: stolen,
            wish: .init(tasks: tasks, switches: takesSwitches, samples: takesSamples))
    }

    private var stolen: String? {
        guard processorTimes != .off, let stolenBefore else { return nil }
        return StolenTime()?.note(
            since: stolenBefore, countsAs: processorTimes == .switches ? "on CPU" : "blocked")
    }

    // MARK: Waiting

    private var isOutOfDescriptors = false

    /// The descriptors that are ready.
    private func poll(ended: Int32, _ timeout: Int32) -> Set<Int32> {
        // A waiting process that cannot be answered would be reported again and again.
        var requests = [isOutOfDescriptors ? -1 : listener, ended].filter { $0 >= 0 }
        requests += connections.map(\.descriptor)
        requests += watched.keys
        var polled = requests.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard Foundation.poll(&polled, nfds_t(polled.count), timeout) > 0 else { return [] }
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
        // A process with that number that belongs to another user cannot be signalled, but exists.
        guard guest.watch >= 0 else { return kill(guest.process, 0) == 0 || errno == EPERM }
        var request = pollfd(fd: guest.watch, events: Int16(POLLIN), revents: 0)
        return Foundation.poll(&request, 1, 0) == 0
    }

    /// Checks the recorded processes without a descriptor that reports their end. Returns whether any are
    /// left.
    private func lookAtUnwatched() -> Bool {
        let before = unwatched
        unwatched = []
        for index in before where !guests[index].isEnded {
            if isRunning(guests[index]) { watch(index) } else { settle(index) }
        }
        return !unwatched.isEmpty
    }

    private func watch(_ index: Int) {
        let watch = record_host_watch(guests[index].process)
        guests[index].watch = watch
        if watch >= 0 { watched[watch] = index } else { unwatched.append(index) }
    }

    // MARK: Descriptors

    /// Frees a descriptor for a new process: an answered connection, or the oldest silent one, or the spare
    /// descriptor. Returns false on failure.
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
        if let known = last[process] {
            if !guests[known].hasLog { guests[known].refusal = EMFILE }
        } else {
            add(RecordGuest(process: process, refusal: EMFILE))
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
                // Most processes have sent their message already.
                hear { $0 == connection }
            } else if errno == EMFILE || errno == ENFILE {
                // The kernel reports this before it checks whether anybody waits.
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
            var hello = record_hello()
            var result = record_host_hear(connection.descriptor, &hello)
            while result == 1 {
                connections[index].isAnswered = true
                answer(hello, of: connection.process, on: connection.descriptor)
                result = record_host_hear(connection.descriptor, &hello)
            }
            if result < 0 {
                close(connection.descriptor)
                connections.remove(at: index)
            }
        }
    }

    private func answer(_ hello: record_hello, of process: Int32, on connection: Int32) {
        let before = last[process]
        let index = guest(for: hello, process)
        // A process runs one program at a time. `exec` replaced the earlier one, so its log is complete.
        if let before, before != index, guests[before].memory >= 0 { settle(before) }
        switch record_state(hello.state) {
        case RECORD_STATE_LOADED:
            guard let place = guests[index].place else {
                send(UInt32(ENOSPC), -1, on: connection)
                return
            }
            send(place, register, on: connection)
        case RECORD_STATE_ASKING: give(memoryTo: index, on: connection)
        default: break
        }
    }

    /// The guest that this process is known as, or a new one.
    private func guest(for hello: record_hello, _ process: Int32) -> Int {
        // Without a register, the process has no place in it.
        let place = hello.place == 0 ? nil : hello.place
        if hello.state == RECORD_STATE_ASKING.rawValue,
            let known = last[process], guests[known].place == place, !guests[known].hasLog
        {
            return known
        }
        var new = RecordGuest(process: process, hello: hello)
        let number = UInt32(guests.count + 1)
        if hello.state == RECORD_STATE_LOADED.rawValue, places != nil, number < Self.placeCount {
            new.place = number
        }
        return add(new)
    }

    @discardableResult
    private func add(_ guest: RecordGuest) -> Int {
        guests.append(guest)
        last[guest.process] = guests.count - 1
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
            send(UInt32(errno), -1, on: connection)
            return
        }
        guests[index].refusal = 0
        guests[index].memory = memory
        watch(index)
        send(0, memory, on: connection)
    }

    private func send(_ number: UInt32, _ descriptor: Int32, on connection: Int32) {
        record_host_answer(
            connection, record_answer(number: number, processor_times: processorTimes.rawValue), descriptor)
    }

    /// The process has ended, so its log is complete. Moves a small log into the archive, and frees its
    /// descriptor.
    private func settle(_ index: Int) {
        let watch = guests[index].watch
        if watch >= 0 {
            watched[watch] = nil
            close(watch)
        }
        guests[index].watch = -1
        guests[index].isEnded = true
        archive.keep(&guests[index])
    }

    // MARK: Requirements

    private static func limit(_ text: String, from source: String) throws -> LogLimitText {
        guard let limit = LogLimitText(text) else {
            throw CommandError(.usage, "\(text): expected a size such as 64M or \"64M latest\"")
        }
        guard limit.given >= LogLimitText.smallest else {
            throw CommandError(
                .usage, "\(source): \(Prose.counted(limit.given, "byte")) is too small; give at least 1M")
        }
        return limit
    }
}
