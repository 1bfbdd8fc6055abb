import CRecordHost
import EventLog
import Inspector

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
        self.switches = switches.sorted {
            ($0.process, $0.thread, $0.time_and_kind) < ($1.process, $1.thread, $1.time_and_kind)
        }
        self.delays = delays.sorted {
            ($0.process, $0.thread, $0.latest) < ($1.process, $1.thread, $1.latest)
        }
        self.gaps = Self.joined(gaps + (isOverLimit ? [record_gap(start: end, end: .max)] : []))
        self.end = isOverLimit ? .max : end
    }

    private static func joined(_ gaps: [record_gap]) -> [record_gap] {
        gaps.sorted { $0.start < $1.start }.reduce(into: []) { joined, gap in
            guard let last = joined.last, gap.start <= last.end else { return joined.append(gap) }
            joined[joined.count - 1].end = max(last.end, gap.end)
        }
    }

    /// Adds to a log what the threads of its process did.
    func add(to contents: inout EventLogContents, of process: Int32) {
        guard let start = contents.header.bootClock?.monotonic else { return }
        var added = events(of: process, since: start)
        var end = contents.header.lastAlive
        // How the process ended after its log is nobody's execution, and would make the trace longer.
        if !contents.header.isClosed {
            for event in added { if case .ran = event.body { end = max(end, event.time) } }
            contents.header.lastAlive = end
        }
        let count = added.partition { $0.time <= end }
        added.replaceSubrange(count..., with: added[count...].compactMap { $0.until(end) })
        var merged: [LogEvent] = []
        merged.reserveCapacity(contents.events.count + added.count)
        var rest = added[...]
        for event in contents.events {
            let earlier = rest.prefix { $0.time < event.time }
            merged += earlier
            rest = rest[earlier.endIndex...]
            merged.append(event)
        }
        contents.events = merged + rest
    }

    /// What the threads of a process did from the start of a log on, in nanoseconds since that start, by
    /// time. A process can run several programs, one after the other; this is about the one that wrote the
    /// log.
    func events(of process: Int32, since start: UInt64) -> [LogEvent] {
        let own = switches.partition { $0.process < process }..<switches.partition { $0.process <= process }
        let ownDelays = delays.partition { $0.process < process }..<delays.partition { $0.process <= process }
        let beginnings = switches[own].lazy.filter(\.isBeginning).map(\.time).sorted()
        let from = beginnings.last { $0 <= start } ?? 0
        let until = min(end, beginnings.first { $0 > start } ?? .max)
        guard from < until else { return [] }
        var events = gaps.compactMap { gap -> LogEvent? in
            guard gap.end > start, gap.start < until else { return nil }
            return .init(
                time: Self.time(min(gap.end, until), since: start), thread: 0,
                .switchesLost(since: Self.time(gap.start, since: start)))
        }
        var (rest, restOfDelays) = (switches[own], delays[ownDelays])
        while let thread = rest.first?.thread {
            let part = rest[..<rest.partition { $0.thread <= thread }]
            rest = rest[part.endIndex...]
            restOfDelays = restOfDelays[restOfDelays.partition { $0.thread < thread }...]
            let delays = restOfDelays[..<restOfDelays.partition { $0.thread <= thread }]
            let records = ThreadSwitches(part, delays, gaps: gaps)
            for stretch in records.stretches(from: from, until: until) where stretch.end > start {
                events.append(
                    LogEvent(
                        time: Self.time(stretch.end, since: start), thread: UInt64(thread),
                        .ran(since: Self.time(stretch.start, since: start), leaving: stretch.leaving)))
            }
            for reading in records.readings() where reading.time > start && reading.time <= until {
                events.append(
                    LogEvent(
                        time: Self.time(reading.time, since: start), thread: UInt64(thread),
                        .waitedForProcessor(nanoseconds: Int64(clamping: reading.delay))))
            }
        }
        return events.sorted { $0.time < $1.time }
    }

    /// Nanoseconds since the start of a log; 0 before it.
    private static func time(_ time: UInt64, since start: UInt64) -> Int64 {
        time < start ? 0 : Int64(clamping: time - start)
    }
}

extension LogEvent {
    /// The part of what a thread did until a time before this; nil if nothing is left.
    fileprivate func until(_ end: Int64) -> LogEvent? {
        switch body {
        case .ran(let since, _) where since < end:
            LogEvent(time: end, thread: thread, .ran(since: since, leaving: .unknown))
        case .switchesLost(let since) where since < end:
            LogEvent(time: end, thread: thread, .switchesLost(since: since))
        default: nil
        }
    }
}

extension record_switch {
    /// Nanoseconds of the monotonic clock.
    var time: UInt64 { time_and_kind >> 3 }

    var kind: record_switch_kind? { record_switch_kind(rawValue: time_and_kind & 7) }

    /// Whether the process began here, or another program in it.
    fileprivate var isBeginning: Bool { kind == .program || kind == .forked }
}

extension RandomAccessCollection where Index == Int {
    /// The index after all elements for which the condition holds; they come first.
    func partition(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
