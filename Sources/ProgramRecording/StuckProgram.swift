import EventLog
import Foundation
import InspectorLive
import InspectorReports
import MemorySearch
import WaitDiagnosis

/// What a recorded program waits for, while it stands still.
struct StuckProgram {
    /// One line for each thing that everything waits for; the first also says why the program is ended.
    private(set) var lines: [String] = []
    /// What the search of a process's memory found, for its log; by the index of its guest.
    private(set) var searches: [Int: [LogEvent]] = [:]

    /// The most places of threads that are named without a sentence about what waits for them.
    private static let mostPlaces = 5

    /// - Parameters:
    ///   - guests: the recorded processes. The last one to start comes first: a test before what runs it.
    ///   - root: the process that was started.
    ///   - program: its name.
    init(_ guests: [RecordGuest], _ reason: Deadline.Reason, root: Int32, program: String) {
        let newest = guests.last { $0.memory >= 0 && !$0.isEnded }?.process
        for (index, guest) in guests.enumerated().reversed() where guest.memory >= 0 && !guest.isEnded {
            let threads = Self.threads(of: guest.process)
            guard let report = report(guest, index, threads), let first = report.sentences.first else {
                // A test that waits without operations and tasks; what runs it only waits for it.
                if guest.process == newest, let threads { nameThreads(threads, guest, reason) }
                continue
            }
            lines.append("\(guest.title) \(reason.text): \(first)")
            lines += report.sentences.dropFirst().map { "\(guest.title): \($0)" }
            // Those in tasks are named by sentences about these.
            let places = threads?.groups.filter { !$0.isRunnable && $0.place.work != .task } ?? []
            lines += places.prefix(Self.mostPlaces).map { Self.line(guest.title, $0) }
            lines.append("\(guest.title): \(report.unfinished)")
        }
        if lines.isEmpty, let newest = ProcessTree(of: root).newest, let threads = Self.threads(of: newest) {
            var guest = guests.last { $0.process == newest } ?? RecordGuest(process: newest, refusal: 0)
            if guest.program.isEmpty { guest.program = ProcessTree.program(newest) ?? "" }
            nameThreads(threads, guest, reason)
        }
        if lines.isEmpty {
            lines.append(
                "\(TerminalText.escaped(program)) \(reason.text); opviz saw no operation or task that "
                    + "had not finished")
        }
    }

    private static func line(_ title: String, _ group: ProgramThreads.Group) -> String {
        "\(title): \(group.name) \(group.members.count == 1 ? "is" : "are") \(ProgramThreads.sentence(group))"
    }

    private static func threads(of process: Int32) -> ProgramThreads? {
        (try? ThreadStacks(process: process)).map { ProgramThreads($0.threads, of: process) }
    }

    /// Where the threads of a process are, if that is all that can be said of it.
    private mutating func nameThreads(
        _ threads: ProgramThreads, _ guest: RecordGuest, _ reason: Deadline.Reason
    ) {
        guard
            let first = threads.groups.first(where: { !$0.isRunnable && $0.place.work != .other })
                ?? threads.groups.first
        else { return }
        let title = TerminalText.escaped(guest.title)
        lines.append(
            "\(title) \(reason.text): its \(first.name) is \(ProgramThreads.sentence(first)); opviz saw no "
                + "operation or task that had not finished")
        lines += threads.groups.filter { $0.members[0].number != first.members[0].number }
            .prefix(Self.mostPlaces).map { Self.line(title, $0) }
    }

    /// Nil if the log cannot be read.
    private mutating func report(
        _ guest: RecordGuest, _ index: Int, _ threads: ProgramThreads?
    ) -> StuckReport? {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        guard let log = try? LiveLog(path: "/proc/self/fd/\(guest.memory)", isMemory: true),
            var trace = try? log.trace(at: time)
        else { return nil }
        let waiting = trace.tasks.awaitingContinuation
        let executing = trace.operations.contains { $0.executing != nil && $0.finished == nil }
        // It is ended in any case, so it can stand still before.
        if !waiting.isEmpty || executing,
            let search = try? ResumeSearch(
                process: guest.process, available: AvailableMemory.bytes, findsQueues: executing)
        {
            let tasks = search.searches(of: waiting)
            let operations = FinishVerdicts(search.queues, unseen: search.unseen).searches(of: trace)
            trace.tasks.take(tasks)
            trace.take(operations)
            let found: [LogEvent.Body] =
                operations.map { .operationSearched($0) } + tasks.map { .taskSearched($0) }
            searches[index] = found.map {
                LogEvent(time: trace.tasks.end, thread: UInt64(guest.process), $0)
            }
        }
        return StuckReport(trace) { thread in
            threads?.sentence(ofThread: thread.number)
                ?? ThreadReading(process: guest.process, thread: thread.number, .real)
                .map { $0.isRunnable ? "on a CPU" : "blocked" }
        }
    }
}
