import CRecordHost
import EventLog
import Foundation

/// Holds the memory of the logs while the recorded processes write into it, whatever happens to them.
///
/// It serves them on the thread that waits for the program, because a limit may forbid other threads. It
/// waits for none of them: a silent connection delays nobody. The same thread takes the kernel's records.
/// That may wait while a log is archived: the kernel's rings hold the records of a busy tenth of a second,
/// and tell when some were lost.
package final class RecordHost {
    private let folder: RecordFolder
    private let limit: TraceLimit
    private let listener: Int32
    private let library: String
    private var guests: RecordGuests
    /// Takes a sentence, which names may make unsafe for a terminal.
    private let report: (String) -> Void
    private var processors: ProcessorRecorder
    private let tasks: Bool
    private let awaitStacks: Bool
    /// A spare descriptor. It is closed to answer one more process when descriptors run out, so that the
    /// process does not wait for an answer.
    private var spare: Int32 = -1
    private var connections: [Connection] = []
    /// The process that opviz started.
    private var program: pid_t = 0

    private struct Connection {
        let descriptor: Int32
        let process: Int32
        var isAnswered = false
    }

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
    ///   - report: takes a sentence for the user, during the run or when its logs are read. The names in it
    ///     may contain anything.
    package init(
        limit: String? = nil, processorTimes: ProcessorSource = .off, sampleRate: Int? = nil,
        tasks: Bool = false, awaitStacks: Bool = false, kernelMemory: Int? = nil,
        report: @escaping (String) -> Void
    ) throws {
        #if !os(Linux)
            throw RecordingError(
                .usage, "record is offered on Linux only; embed the library Ops, and run with OPVIZ_TRACE")
        #endif
        DescriptorLimit.restore()
        library = try RecordLibrary.find()
        self.limit = try TraceLimit(limit)
        self.report = report
        self.tasks = tasks
        self.awaitStacks = awaitStacks
        processors = try ProcessorRecorder(
            processorTimes, sampleRate: sampleRate, limit: kernelMemory ?? self.limit.kernelBytes,
            keepsLatest: self.limit.keepsLatest)
        folder = try RecordFolder()
        listener = record_host_listen(folder.socket)
        guard listener >= 0 else {
            let reason = String(cString: strerror(errno))
            folder.remove()
            throw RecordingError(.cannotCreate, "\(folder.socket): \(reason)")
        }
        guests = RecordGuests(archive: LogArchive(report: report))
    }

    /// The environment for the program: this process's own, with additions.
    ///
    /// - Parameter isProbe: whether the library is to end the program before its `main()`.
    package func environment(isProbe: Bool = false) -> ProgramEnvironment {
        var environment = ProgramEnvironment()
        environment.prepend(library, to: "LD_PRELOAD")
        environment.set(RecordFolder.variable, folder.socket)
        environment.set(TraceLimit.variable, limit.text)
        if tasks { environment.set("OPVIZ_TASKS", "1") }
        environment.set("OPVIZ_RECORD_PROBE", isProbe ? "1" : nil)
        if awaitStacks { environment.set("OPVIZ_AWAIT_STACKS", "1") }
        return environment
    }

    /// Serves the processes until the program has ended. The caller still has to wait for the program.
    package func serve(until program: Int32) {
        var none = Deadline()
        serve(until: program, &none, named: "")
    }

    /// Serves the processes until the program has ended, and ends it at its deadline.
    ///
    /// - Parameters:
    ///   - deadline: when to end the program, after a report of what it waits for.
    ///   - name: the program's name for that report.
    package func serve(until program: Int32, _ deadline: inout Deadline, named name: String) {
        self.program = program
        DescriptorLimit.raise()
        let ended = record_host_process_descriptor(program)
        defer { close(ended) }
        while true {
            if spare < 0 { spare = open("/dev/null", O_RDONLY | O_CLOEXEC) }
            // Without a descriptor that reports it, checks periodically whether the program has ended.
            let timeout: Int32 = ended < 0 || isOutOfDescriptors ? 20 : guests.lookAtUnwatched() ? 200 : -1
            let next = Self.earlier(processors.take() ?? timeout, deadline.timeout)
            let ready = poll(ended: ended, next)
            guests.settle(ready)
            if !ready.isEmpty || isOutOfDescriptors {
                receive { ready.contains($0) }
                accept()
            }
            if ended < 0 ? Self.hasEnded(program) : ready.contains(ended) { return }
            if let reason = deadline.newReason(program) {
                let stuck = StuckProgram(guests.list, reason, root: program, program: name)
                for line in stuck.lines { report(line) }
                for (index, searches) in stuck.searches { guests.add(searches, to: index) }
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
    package func finish(_ ending: RecordableProgram.Ending?) -> RecordedProcesses {
        // Messages from before the program's end have arrived, so this waits for nobody.
        accept()
        receive { _ in true }
        let records = processors.finish(keeping: Set(guests.list.lazy.filter(\.hasLog).map(\.process)))
        close(listener)
        unlink(folder.socket)
        folder.remove()
        for connection in connections { close(connection.descriptor) }
        connections = []
        close(spare)
        guests.finish(program, ending)
        return RecordedProcesses(
            guests.list, guests.archive, records,
            wish: .init(
                tasks: tasks, switches: processors.takesSwitches, samples: processors.takesSamples))
    }

    // MARK: Waiting

    private var isOutOfDescriptors = false

    /// The descriptors that are ready.
    private func poll(ended: Int32, _ timeout: Int32) -> Set<Int32> {
        // A waiting process that cannot be answered would be reported again and again.
        var requests = [isOutOfDescriptors ? -1 : listener, ended].filter { $0 >= 0 }
        requests += connections.map(\.descriptor)
        requests += guests.watches
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

    // MARK: Descriptors

    /// Frees a descriptor for a new process: an answered connection, or the oldest silent one, or the spare
    /// descriptor. Returns false on failure.
    private func makeRoom() -> Bool {
        if !connections.isEmpty {
            let index = connections.firstIndex { $0.isAnswered } ?? 0
            let dropped = connections.remove(at: index)
            close(dropped.descriptor)
            if !dropped.isAnswered { guests.refuse(dropped.process) }
            return true
        }
        guard spare >= 0 else { return false }
        close(spare)
        spare = -1
        return true
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
                receive { $0 == connection }
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

    private func receive(where isReady: (Int32) -> Bool) {
        for index in connections.indices.reversed() where isReady(connections[index].descriptor) {
            let connection = connections[index]
            var hello = record_hello()
            var result = record_host_receive(connection.descriptor, &hello)
            while result == 1 {
                connections[index].isAnswered = true
                answer(hello, of: connection.process, on: connection.descriptor)
                result = record_host_receive(connection.descriptor, &hello)
            }
            if result < 0 {
                close(connection.descriptor)
                connections.remove(at: index)
            }
        }
    }

    private func answer(_ hello: record_hello, of process: Int32, on connection: Int32) {
        let index = guests.guest(for: hello, process)
        switch record_state(hello.state) {
        case RECORD_STATE_LOADED:
            guard let place = guests.list[index].place else {
                send(UInt32(ENOSPC), -1, on: connection)
                return
            }
            send(place, guests.register, on: connection)
        case RECORD_STATE_ASKING: give(memoryTo: index, on: connection)
        default: break
        }
    }

    private func give(memoryTo index: Int, on connection: Int32) {
        var memory = record_host_make_memory(limit.bytes)
        if memory < 0, errno == EMFILE, spare >= 0 {
            close(spare)
            spare = -1
            memory = record_host_make_memory(limit.bytes)
        }
        guard memory >= 0 else {
            let error = errno
            guests.refuse(index, because: error)
            send(UInt32(error), -1, on: connection)
            return
        }
        guests.give(memory, to: index)
        send(0, memory, on: connection)
    }

    private func send(_ number: UInt32, _ descriptor: Int32, on connection: Int32) {
        record_host_answer(
            connection, record_answer(number: number, processor_times: processors.times.rawValue), descriptor)
    }
}
