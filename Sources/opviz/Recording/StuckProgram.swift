import Foundation
import Inspector

/// Says what a recorded program waits for, while it stands still.
enum StuckProgram {
    /// One line for each thing that everything waits for; the first also says why the program is ended.
    ///
    /// - Parameters:
    ///   - guests: the recorded processes. The last one to start comes first: a test before what runs it.
    ///   - program: for a program without any.
    static func lines(_ guests: [RecordGuest], _ reason: Deadline.Reason, program: String) -> [String] {
        var lines: [String] = []
        for guest in guests.reversed() where guest.memory >= 0 && !guest.isEnded {
            guard let report = report(guest), let first = report.sentences.first else { continue }
            lines.append("\(guest.title) \(reason.text): \(first)")
            lines += report.sentences.dropFirst().map { "\(guest.title): \($0)" }
            lines.append("\(guest.title): \(report.unfinished)")
        }
        if lines.isEmpty {
            lines.append(
                "\(TerminalText.escaped(program)) \(reason.text); opviz saw no operation or task that "
                    + "had not finished")
        }
        return lines
    }

    /// Nil if the log cannot be read.
    private static func report(_ guest: RecordGuest) -> StuckReport? {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        guard let log = try? LiveLog(path: "/proc/self/fd/\(guest.memory)", isMemory: true),
            let trace = try? log.trace(at: time)
        else { return nil }
        return StuckReport(trace) { thread in
            ThreadReading(process: guest.process, thread: thread.number, .real)
                .map { $0.isRunnable ? "on a CPU" : "blocked" }
        }
    }
}
