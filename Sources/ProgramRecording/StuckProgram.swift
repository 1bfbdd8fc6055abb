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

    /// - Parameters:
    ///   - guests: the recorded processes. The last one to start comes first: a test before what runs it.
    ///   - program: for a program without any.
    init(_ guests: [RecordGuest], _ reason: Deadline.Reason, program: String) {
        for (index, guest) in guests.enumerated().reversed() where guest.memory >= 0 && !guest.isEnded {
            guard let report = report(guest, index), let first = report.sentences.first else { continue }
            lines.append("\(guest.title) \(reason.text): \(first)")
            lines += report.sentences.dropFirst().map { "\(guest.title): \($0)" }
            lines.append("\(guest.title): \(report.unfinished)")
        }
        if lines.isEmpty {
            lines.append(
                "\(TerminalText.escaped(program)) \(reason.text); opviz saw no operation or task that "
                    + "had not finished")
        }
    }

    /// Nil if the log cannot be read.
    private mutating func report(_ guest: RecordGuest, _ index: Int) -> StuckReport? {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        guard let log = try? LiveLog(path: "/proc/self/fd/\(guest.memory)", isMemory: true),
            var trace = try? log.trace(at: time)
        else { return nil }
        let waiting = trace.tasks.awaitingContinuation
        // It is ended in any case, so it can stand still before.
        if !waiting.isEmpty,
            let search = try? ResumeSearch(process: guest.process, available: AvailableMemory.bytes)
        {
            let found = search.searches(of: waiting)
            trace.tasks.take(found)
            searches[index] = found.map {
                LogEvent(time: trace.tasks.end, thread: UInt64(guest.process), .taskSearched($0))
            }
        }
        return StuckReport(trace) { thread in
            ThreadReading(process: guest.process, thread: thread.number, .real)
                .map { $0.isRunnable ? "on a CPU" : "blocked" }
        }
    }
}
