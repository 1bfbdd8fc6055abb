package import EventLog
import Foundation
package import WaitDiagnosis

/// Follows the log of a running program. Each look reads what is new, and the state shows what the program is
/// doing.
///
/// A look costs what was written since the last one, and over time never more than a share of a core. If a
/// program writes faster than that can be read, records are skipped and counted. Memory grows with unfinished
/// operations. Do not use it on several threads at once.
package final class LiveLog {
    /// What a look found.
    package enum Look: Sendable {
        /// Everything that was written has been read, or as much as there was time for.
        case read
        /// Earlier records remain, which are read once; with the share that has been read.
        case catchingUp(Double)
        /// The file now contains another log, or none: the program was restarted.
        case otherLog
    }

    /// A program that gives no sign of life for this long is checked more closely. 1.5 s.
    private static let silence: Int64 = 1_500_000_000
    /// If a program does nothing for this long, skipped records are read after all. 5 s.
    private static let quiet: Int64 = 5_000_000_000
    /// How long one look may take while it catches up, in nanoseconds of processor time. 100 ms.
    private static let catchingUp: Int64 = 100_000_000

    package let path: String
    private let descriptor: Int32
    private let isMemory: Bool
    private let processorTime: () -> Int64
    private let system: LiveSystem
    private var follower: LogFollower
    private var state = LiveState()
    private var texts = LiveTexts()
    private var hazards = LiveHazards()
    private var threads = LiveThreads()
    private var pool = PoolThreads()
    /// The last findings of the rules, each with the state of its operation at that time.
    private var found: [(hazard: LiveFindings.Hazard, phase: LiveOperation.Phase?)] = []
    private var pace = LivePace()
    private var isCatchingUp = true
    private var isBehind = false
    /// How many records were missed before the missed records were read after all.
    private var knownMissed = 0
    /// When the log last showed that the program lives, and when its last event was read, on the clock of the
    /// looks.
    private var lastSign: (alive: Int64, at: Int64)?
    private var lastNews: (events: Int, at: Int64)?
    private var isGone = false

    /// Opens a log. Nil for a file in which no log was begun yet.
    ///
    /// - Parameters:
    ///   - isMemory: whether it is memory that `opviz record` holds, which nobody locks.
    ///   - processorTime: how long this thread has been on a processor, in nanoseconds.
    ///   - system: what says where the program's threads are.
    /// - Throws: `TraceError` if the file does not exist, is not a recorder's log, or cannot be read.
    package init?(
        path: String, isMemory: Bool = false, processorTime: @escaping () -> Int64 = ThreadTime.now,
        system: LiveSystem = .real
    ) throws(TraceError) {
        // Non-blocking, so that a FIFO does not wait for a writer.
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw Self.failure(path, errno) }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw TraceError(.unreadable, path: path, reason: "is not a file")
        }
        do throws(BinaryLogError) {
            guard let follower = try LogFollower(following: opened) else {
                close(opened)
                return nil
            }
            self.follower = follower
        } catch {
            close(opened)
            throw Self.traceError(path, error)
        }
        self.path = path
        self.isMemory = isMemory
        self.processorTime = processorTime
        self.system = system
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// The log's header at the last look.
    package var header: LogHeader { follower.log }

    /// Reads what was written since the last look. Records from before the first look are read in parts of a
    /// tenth of a second.
    ///
    /// - Parameter now: nanoseconds of a clock that never goes back.
    /// - Throws: `TraceError` if the file cannot be read.
    package func look(at now: Int64) throws(TraceError) -> Look {
        pace.begin(at: now)
        let start = processorTime()
        let look: LogFollower.Look
        do throws(BinaryLogError) {
            look = try follower.look(into: state) {
                let spent = processorTime() - start
                return isCatchingUp ? spent < Self.catchingUp : pace.mayGoOn(after: spent)
            }
        } catch {
            throw Self.traceError(path, error)
        }
        if look == .otherLog { return .otherLog }
        if isCatchingUp {
            guard look == .all else { return .catchingUp(shareRead) }
            isCatchingUp = false
            checkStanding()
        } else {
            pace.noteLook(took: processorTime() - start, isAll: look == .all)
        }
        isBehind = look != .all
        if pace.isOverrun {
            follower.skip()
            pace.noteSkip()
        }
        if follower.missedRecords > knownMissed {
            knownMissed = follower.missedRecords
            state.noteLoss()
        }
        noteSigns(at: now)
        if knownMissed > 0, !follower.keepsLatest, let lastNews, now - lastNews.at >= Self.quiet {
            try readAgain()
        }
        return .read
    }

    /// Whether there is time for another picture, which takes long with very many open operations. The last
    /// picture then still shows its own moment correctly.
    ///
    /// - Parameter now: as given to the last look.
    package func isTimeForScreen(at now: Int64) -> Bool { pace.mayMake(.screen, at: now) }

    /// The texts of the log, by their numbers.
    private var text: (UInt32) -> String {
        { [follower, texts, state] in texts.text($0, follower, origins: state.origins) }
    }

    /// Whether the program is running, as far as can be known.
    ///
    /// - Parameter now: as given to the last look.
    package func standing(at now: Int64) -> LiveStanding {
        if follower.log.isClosed { return .ended }
        if isGone { return .killed }
        guard let lastSign, now - lastSign.at >= Self.silence else { return .running }
        isGone = !isHeld
        return isGone ? .killed : .silent(now - lastSign.at)
    }

    /// Checks at once whether the program is running, without waiting for signs of life.
    package func checkStanding() { isGone = !follower.log.isClosed && !isHeld }

    /// What the program does, what everything is waiting for and what misbehaves, at the last look.
    ///
    /// - Parameters:
    ///   - now: as given to the last look.
    ///   - rows: the largest number of operations in a list.
    func picture(at now: Int64, rows: Int) -> LivePicture {
        let start = processorTime()
        var header = follower.log
        // Unread events must not make the ones that were read look older than they are.
        if isBehind { header.lastAlive = max(0, follower.lastEvent) }
        let text = self.text
        let standing = standing(at: now)
        if seesThreads(standing) {
            pool.look(at: state.tasks, of: follower.log.processID, system)
        } else {
            pool.pause()
        }
        let blocked = pool.blocked
        func activity(of thread: UInt64) -> String? {
            blocked[thread].map { $0.isEmpty ? "blocked" : "blocked in \(TerminalText.shortened($0))" }
        }
        let findings = LiveFindings(
            state, header, missed: missedEvents, thread: activity, text: text)
        var picture = LivePictureMaking(state: state, header: header, text: text).picture(rows: rows)
        // Threads are read one after the other. When reading is behind, each is known up to a different
        // moment, and what seems to be waiting may have finished.
        let origins = isBehind ? [] : findings.origins()
        picture.header = follower.log
        picture.moment = findings.moment
        picture.standing = standing
        lookAtThreads(picture)
        picture.threads = threads.uses
        picture.kinds = LiveKind.all(findings.moment, threads)
        let spent = processorTime() - start
        applyRules(findings, at: now, isLast: picture.standing.isOver)
        let ofPool = pool.hazard(
            state.tasks, processors: header.processors?.usable, at: header.lastAlive, text: text)
        let ofRules = [ofPool].compactMap(\.self) + found.map(\.hazard)
        hazards.take(findings.stuckHazards(origins, besides: ofRules) + ofRules, at: header.lastAlive)
        picture.behind = isBehind ? max(0, follower.log.lastAlive - follower.lastEvent) : nil
        picture.losses = losses
        picture.origins = LiveFindings.shown(origins)
        picture.hazards = hazards.entries
        picture.hazardCount = hazards.count
        pace.note(.screen, at: now, took: spent)
        return picture
    }

    /// Operations that have finished since keep what was seen of them, as long as they are not forgotten.
    private func lookAtThreads(_ picture: LivePicture) {
        threads.keep { state.operations[$0] != nil || state.operations.isRecent($0) }
        guard seesThreads(picture.standing) else { return threads.pause() }
        let executing = picture.executingRows.prefix(LiveThreads.most)
        threads.look(
            at: executing.compactMap { state.operations[$0.operation] }, of: follower.log.processID, system)
    }

    /// In another machine's log, or another container's, the numbers are those of other threads. And when
    /// reading is behind, a thread may execute something else now.
    private func seesThreads(_ standing: LiveStanding) -> Bool {
        !isBehind && !standing.isOver && follower.log.host == system.host
    }

    /// Runs the rules if there is time for that. Otherwise keeps earlier findings whose operation is in the
    /// same state, so that a finished operation is not reported as stuck.
    private func applyRules(_ findings: LiveFindings, at now: Int64, isLast: Bool) {
        func phase(_ hazard: LiveFindings.Hazard) -> LiveOperation.Phase? {
            state.operations[hazard.operation]?.phase
        }
        guard !isBehind, isLast || pace.mayMake(.rules, at: now) else {
            return found.removeAll { phase($0.hazard) != $0.phase }
        }
        let start = processorTime()
        found = findings.ruleHazards().map { ($0, phase($0)) }
        pace.note(.rules, at: now, took: processorTime() - start)
    }

    /// The whole log as a trace, read again: for the summary when the program has ended.
    ///
    /// - Parameter now: the present time of the calendar, in nanoseconds since 1970, if the program still
    ///   runs: what has not ended lasts until then. Nil for the log as it is.
    /// - Throws: `TraceError` if it cannot be read, or if there is not enough memory.
    package func trace(at now: Int64? = nil) throws(TraceError) -> Trace {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure(path, errno) }
        try MemoryNeed(.binary, fileSize: Int(status.st_size), for: .trace).check(path)
        let builder = TraceBuilder()
        var log = try BinaryLogFile(path: path, descriptor: descriptor)
            .read(into: builder, isCompact: false)
        // The log is the program's, which may say anything.
        if let now, (0...max(0, now)).contains(log.header.start) {
            log.header.lastAlive = max(log.header.lastAlive, now - log.header.start)
            // Up to this moment, nothing is missing.
            log.header.isClosed = true
        }
        return builder.finish(log)
    }

    /// Swift tasks that await a continuation.
    package var awaitingContinuation: [OperationID] {
        state.tasks.tasks.filter { $0.value.part == .continuation }.keys.sorted().map { OperationID($0) }
    }

    /// What has not finished. Cost: O(n log n) in that.
    package var unfinished: Trace {
        var made = LiveTrace(state, text: text)
        return made.make(follower.log)
    }

    /// From now on, what is told of these tasks includes what a search found.
    package func take(_ searches: [LogEvent.TaskSearch]) {
        for search in searches { state.tasks.searches[search.task.rawValue] = search }
    }

    /// The same of operations.
    package func take(_ searches: [LogEvent.OperationSearch]) {
        for search in searches { state.searches[search.operation.rawValue] = search }
    }

    // MARK: Losses

    private var missedEvents: UInt64 { UInt64(max(0, knownMissed)) + follower.overwrittenRecords }

    private var losses: [String] {
        var losses: [String] = []
        let dropped = follower.log.droppedEvents
        if dropped > 0 {
            losses.append(
                "the recorder could not write "
                    + "\(Prose.grouped(Int(clamping: dropped))) events: its log is full"
            )
        }
        if knownMissed > 0 {
            let why =
                follower.keepsLatest
                ? "were overwritten before they were read"
                : "were skipped: 5 % of a core cannot read that fast"
            losses.append("about \(Prose.grouped(knownMissed)) records \(why)")
        }
        if let loss = follower.damagedEvents.loss { losses.append(loss) }
        if follower.unknownRecords > 0 {
            losses.append(
                "\(Prose.grouped(follower.unknownRecords)) records "
                    + "have a type that this version does not know"
            )
        }
        return losses
    }

    /// From the start, now that there is time; nothing is skipped then.
    private func readAgain() throws(TraceError) {
        do throws(BinaryLogError) {
            guard let again = try LogFollower(following: descriptor) else { return }
            follower = again
        } catch {
            throw Self.traceError(path, error)
        }
        state = LiveState()
        texts = LiveTexts()
        threads.pause()
        isCatchingUp = true
        knownMissed = 0
        lastNews = nil
    }

    // MARK: Signs of life

    private func noteSigns(at now: Int64) {
        let alive = follower.log.lastAlive
        if lastSign?.alive != alive { lastSign = (alive, now) }
        if lastNews?.events != follower.eventCount { lastNews = (follower.eventCount, now) }
    }

    /// Whether a process still has the log.
    private var isHeld: Bool {
        if isMemory { return kill(follower.log.processID, 0) == 0 || errno == EPERM }
        // The recorder holds a lock on the file as long as it writes.
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    private var shareRead: Double {
        let alive = Double(max(1, follower.log.lastAlive))
        return min(1, Double(follower.lastEvent) / alive)
    }

    private static func traceError(_ path: String, _ error: BinaryLogError) -> TraceError {
        let code: TraceError.Code =
            error.isUnreadable ? .unreadable : error.isOtherVersion ? .newerVersion : .notATrace
        return TraceError(code, path: path, offset: error.offset, reason: error.reason)
    }

    private static func failure(_ path: String, _ code: Int32) -> TraceError {
        if code == ENOENT || code == ENOTDIR {
            return TraceError(.noSuchFile, path: path, reason: "no such file")
        }
        return TraceError(.unreadable, path: path, reason: String(cString: strerror(code)))
    }
}

/// How long this thread has been on a processor.
package enum ThreadTime {
    /// Nanoseconds.
    package static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
