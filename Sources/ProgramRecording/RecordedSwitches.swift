import CRecordHost
import EventLog

/// The context switches of a run: when the threads of each process were on processors.
struct RecordedSwitches {
    /// By process, thread and time.
    private let switches: [record_switch]
    /// In the same order.
    private let delays: [record_delay]
    /// Intervals without records; ascending, apart from each other.
    let gaps: [record_gap]
    /// The end of the recording, in nanoseconds of the monotonic clock.
    private let end: UInt64

    init(
        switches: [record_switch] = [], delays: [record_delay] = [], gaps: [record_gap] = [], end: UInt64 = 0,
        isOverLimit: Bool = false
    ) {
        // Rings of several processors were read one after the other.
        var switches = switches.sorted {
            ($0.process, $0.thread, $0.time_and_kind) < ($1.process, $1.thread, $1.time_and_kind)
        }
        self.delays = delays.sorted {
            ($0.process, $0.thread, $0.latest) < ($1.process, $1.thread, $1.latest)
        }
        self.gaps = Self.joined(gaps + (isOverLimit ? [record_gap(start: end, end: .max)] : []))
        SwitchCosts(switches, self.delays, gaps: self.gaps).apply(to: &switches)
        self.switches = switches
        self.end = isOverLimit ? .max : end
    }

    private static func joined(_ gaps: [record_gap]) -> [record_gap] {
        gaps.sorted { $0.start < $1.start }.reduce(into: []) { joined, gap in
            guard let last = joined.last, gap.start <= last.end else { return joined.append(gap) }
            joined[joined.count - 1].end = max(last.end, gap.end)
        }
    }

    /// Adds to a log what the threads of its process did: exactly for those that operations ran on. Of the
    /// others, it adds how long they were on processors, without short pauses.
    func add(to contents: inout EventLogContents, of process: Int32) {
        guard let start = contents.header.bootClock?.monotonic else { return }
        var added = events(of: process, since: start)
        var end = contents.header.lastAlive
        // How the process ended after its log is nobody's execution, and would make the trace longer.
        if !contents.header.isClosed {
            for event in added { if case .leftCPU = event.body { end = max(end, event.time) } }
            contents.header.lastAlive = end
        }
        let threads = contents.threadsOfBodies
        added = added.joiningStretches { $0 != 0 && !threads.contains($0) }
        let count = added.partitioningIndex { $0.time > end }
        added.replaceSubrange(count..., with: added[count...].compactMap { $0.until(end) })
        contents.insert(added)
    }

    /// What the threads of a process did from the start of a log on, in nanoseconds since that start, by
    /// time. A process can run several programs, one after the other; this is about the one that wrote the
    /// log.
    func events(of process: Int32, since start: UInt64) -> [LogEvent] {
        let own =
            switches.partitioningIndex {
                $0.process >= process
            }..<switches.partitioningIndex { $0.process > process }
        let ownDelays =
            delays.partitioningIndex {
                $0.process >= process
            }..<delays.partitioningIndex { $0.process > process }
        let program = ProgramStarts(switches[own]).program(of: process, at: start)
        let (from, until) = (program.lowerBound, min(end, program.upperBound))
        guard from < until else { return [] }
        var events = gaps.compactMap { gap -> LogEvent? in
            guard gap.end > start, gap.start < until else { return nil }
            let end = Self.time(min(gap.end, until), since: start)
            return .init(
                time: end, thread: 0,
                .switchesLost(nanoseconds: end - Self.time(gap.start, since: start)))
        }
        var (rest, restOfDelays) = (switches[own], delays[ownDelays])
        while let thread = rest.first?.thread {
            let part = rest[..<rest.partitioningIndex { $0.thread > thread }]
            rest = rest[part.endIndex...]
            restOfDelays = restOfDelays[restOfDelays.partitioningIndex { $0.thread >= thread }...]
            let delays = restOfDelays[..<restOfDelays.partitioningIndex { $0.thread > thread }]
            let records = ThreadSwitches(part, delays, gaps: gaps)
            for stretch in records.stretches(from: from, until: until) where stretch.end > start {
                let end = Self.time(stretch.end, since: start)
                let length = end - Self.time(stretch.start, since: start)
                events.append(
                    LogEvent(
                        time: end, thread: UInt64(thread),
                        .leftCPU(afterNanoseconds: length, stretch.departure)))
            }
            for reading in records.readings() where reading.time > start && reading.time <= until {
                events.append(
                    LogEvent(
                        time: Self.time(reading.time, since: start), thread: UInt64(thread),
                        .waitedForCPU(nanoseconds: Int64(clamping: reading.delay))))
            }
        }
        return events.sorted { $0.time < $1.time }
    }

    /// Whether a thread that was about to leave its processor at a time left it to wait.
    func isBlocking(_ process: Int32, _ thread: Int32, at time: UInt64) -> Bool {
        let rest = switches[
            switches.partitioningIndex { ($0.process, $0.thread, $0.time) >= (process, thread, time) }...]
        guard let next = rest.first, (next.process, next.thread) == (process, thread) else { return false }
        return next.kind == .blocked
    }

    /// Nanoseconds since the start of a log; 0 before it.
    private static func time(_ time: UInt64, since start: UInt64) -> Int64 {
        time < start ? 0 : Int64(clamping: time - start)
    }
}

extension [LogEvent] {
    /// Of threads that no operation ran on, what matters is how long they calculated. A program can have many
    /// that run often, for a moment: stretches that end within this time of each other become one, because
    /// the trace would be longer otherwise. In nanoseconds.
    private static let shortPause: Int64 = 1_000_000

    /// The same with fewer stretches on processors: of some threads, those that follow each other soon become
    /// one of the same length, which ends with the last of them. The events are ordered by time.
    fileprivate func joiningStretches(of isJoined: (_ thread: UInt64) -> Bool) -> [LogEvent] {
        /// By thread: the place of the last stretch in the result, and when the first of those joined began.
        var last: [UInt64: (place: Int, start: Int64)] = [:]
        var joined: [LogEvent?] = []
        joined.reserveCapacity(count)
        for event in self {
            guard case .leftCPU(let length, let departure) = event.body, isJoined(event.thread) else {
                joined.append(event)
                continue
            }
            var (sum, start) = (length, event.time - length)
            if let last = last[event.thread], event.time - last.start <= Self.shortPause,
                case .leftCPU(let before, _)? = joined[last.place]?.body
            {
                joined[last.place] = nil
                (sum, start) = (before + length, last.start)
            }
            last[event.thread] = (joined.count, start)
            joined.append(
                LogEvent(
                    time: event.time, thread: event.thread,
                    .leftCPU(afterNanoseconds: sum, departure)))
        }
        return joined.compactMap(\.self)
    }
}

extension LogEvent {
    /// The part of what a thread did until a time before this; nil if nothing is left.
    fileprivate func until(_ end: Int64) -> LogEvent? {
        func event(_ length: Int64, _ body: (Int64) -> Body) -> LogEvent? {
            let left = length - (time - end)
            return left > 0 ? LogEvent(time: end, thread: thread, body(left)) : nil
        }
        return switch body {
        case .leftCPU(let length, _): event(length) { .leftCPU(afterNanoseconds: $0, .unknown) }
        case .switchesLost(let length): event(length) { .switchesLost(nanoseconds: $0) }
        default: nil
        }
    }
}
