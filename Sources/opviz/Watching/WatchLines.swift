import Foundation
import Inspector
import MemorySearch
import ProgramRecording

/// Watches without a terminal: prints lines, or one screen as text.
struct WatchLines {
    private static let screenHeight = 60
    /// Seconds.
    private static let betweenLooks = 0.1

    private let source: WatchSource

    init(_ source: WatchSource) { self.source = source }

    /// Prints one screen of the present state.
    ///
    /// - Parameter proves: whether to search the process's memory for what could resume tasks.
    func printScreen(asJSON: Bool, proves: Bool = false) throws {
        Progress.begin("reading the log")
        // What threads do shows between two looks.
        _ = LiveScreen(try current(interval: 0.1), at: WatchSource.now)
        Self.sleep(Self.betweenLooks)
        let log = try current(interval: 0.1)
        let now = WatchSource.now
        log.checkStanding()
        let failure = proves ? prove(log) : nil
        let screen = LiveScreen(log, at: now, note: source.note)
        if asJSON {
            try Console.print(String(decoding: screen.json, as: UTF8.self))
        } else {
            var view = LiveScreen.View()
            view.hasFooter = false
            let lines = screen.lines(
                view, width: Console.width ?? 80, height: Self.screenHeight, isColored: Console.showsColors)
            try Console.print(lines.joined(separator: "\n") + "\n")
        }
        if let failure { throw failure }
    }

    /// Searches the process's memory. Returns why that was not possible.
    private func prove(_ log: LiveLog) -> CommandError? {
        do {
            let search = try ResumeSearch(
                process: log.header.processID, available: AvailableMemory.bytes, findsQueues: true)
            log.take(search.searches(of: log.awaitingContinuation))
            log.take(FinishVerdicts(search.queues, unseen: search.unseen).searches(of: log.unfinished))
            Self.noteStandstill(of: search)
            Self.noteLostOperations(search)
            return nil
        } catch {
            return Self.unsearched("\(error)", log.header.processID)
        }
    }

    /// - Parameter reason: a clause.
    static func unsearched(_ reason: String, _ process: Int32) -> CommandError {
        CommandError(
            .unavailable, "nothing is proven: the memory of process \(process) was not searched: \(reason)")
    }

    static func noteStandstill(of search: ResumeSearch) {
        let time = DurationFormat.text(nanoseconds: search.standstill)
        Console.report(
            "note: \(max(1, search.size >> 20)) MB of memory were searched, for which the program stood "
                + "still for \(time)")
    }

    /// The most lost operations that are named.
    private static let mostLost = 10

    private static func noteLostOperations(_ search: ResumeSearch) {
        let lost = search.queues.flatMap(\.operations).filter { $0.verdict == .unreachable }
        for operation in lost.prefix(mostLost) {
            let proof = FinishVerdicts.sentence(operation.verdict, unseen: search.unseen) ?? ""
            Console.report("note: \(OutsideQueue.name(operation)): \(proof)")
        }
        if lost.count > mostLost {
            Console.report("note: \(Prose.grouped(lost.count - mostLost)) more of these")
        }
    }

    /// Prints a line at each interval until the program has ended; less often if a line takes long.
    func follow(interval: Double) throws {
        while true {
            let log = try current(interval: interval)
            let now = WatchSource.now
            let isOver = log.standing(at: now).isOver
            if isOver || log.isTimeForScreen(at: now) {
                try Console.print(LiveScreen(log, at: now, note: source.note).sentence + "\n")
            }
            if isOver { return }
            Self.sleep(interval)
            if Self.isReaderGone { return }
        }
    }

    /// The log after everything that was written before has been read.
    private func current(interval: Double) throws -> LiveLog {
        var said = ""
        while true {
            switch try source.look(at: WatchSource.now) {
            case .waiting(let sentence):
                if sentence != said { Console.report(sentence) }
                said = sentence
                Self.sleep(interval)
            case .catchingUp: continue
            case .current: if let log = source.log { return log }
            }
        }
    }

    /// Whether nobody reads the output, as after `opviz watch … | head`.
    private static var isReaderGone: Bool {
        var waited = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&waited, 1, 0) > 0 && waited.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
    }

    private static func sleep(_ seconds: Double) { usleep(UInt32(min(seconds, 3600) * 1e6)) }
}
