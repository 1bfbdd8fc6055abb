import EventLog
import InspectorColumns

/// When the threads of a trace were on processors, as the kernel recorded it. Empty if nobody recorded it.
package struct ThreadTimes: Sendable {
    /// Some time that a thread spent on a processor without leaving it.
    package struct Stretch: Sendable {
        package var start: Int64
        package var end: Int64
        package var departure: LogEvent.Departure
    }

    /// A look at how long a thread had waited for processors.
    package struct Reading: Sendable {
        package var time: Int64
        /// Nanoseconds since the reading before, or since the thread began.
        package var waited: Int64
    }

    package struct Thread: Sendable {
        /// They follow each other: each begins when the one before has ended, or later.
        package fileprivate(set) var stretches: [Stretch] = []
        /// In the order of their times.
        package fileprivate(set) var readings: [Reading] = []
    }

    package private(set) var threads: [ProcessThread: Thread] = [:]
    /// For each process, when it is not known which threads were on processors. In the order of the log.
    package private(set) var losses: [Int32: [Range<Int64>]] = [:]

    package var isEmpty: Bool { threads.isEmpty }

    /// A smaller part of the time changes nothing.
    private static let noteworthy: Int64 = 100

    /// What readers must know of the time without records; nil if it is short. Linear in threads and losses.
    var loss: String? {
        let most = losses.values.max { Self.sum($0) < Self.sum($1) }
        guard let most, let first = most.map(\.lowerBound).min() else { return nil }
        let ends = threads.values.lazy.compactMap { $0.stretches.last?.end } + most.map(\.upperBound)
        let time = Self.sum(most)
        guard time > 0, time >= (ends.max() ?? 0) / Self.noteworthy else { return nil }
        let begin = first == 0 ? "from the start on" : "from \(DurationFormat.text(nanoseconds: first)) on"
        let intervals = most.count == 1 ? "" : ", in \(Prose.grouped(most.count)) intervals"
        return
            "what threads did is not recorded for \(DurationFormat.text(nanoseconds: time)) \(begin)"
            + "\(intervals): executions are unmeasured then"
    }

    private static func sum(_ losses: [Range<Int64>]) -> Int64 {
        losses.reduce(0) { $0.saturatingAdd($1.upperBound - $1.lowerBound) }
    }

    // MARK: Events, also of a damaged log

    mutating func leave(_ event: EventFields, _ departure: LogEvent.Departure) {
        let thread = ProcessThread(process: event.process, number: event.thread)
        let stretch = Self.stretch(event)
        let last = threads[thread]?.stretches.last?.end ?? .min
        guard stretch.upperBound >= last else { return }
        threads[thread, default: Thread()].stretches
            .append(
                Stretch(
                    start: max(stretch.lowerBound, last), end: stretch.upperBound, departure: departure))
    }

    mutating func wait(_ event: EventFields) {
        let thread = ProcessThread(process: event.process, number: event.thread)
        let time = max(TraceMoment.bounded(event.time), threads[thread]?.readings.last?.time ?? .min)
        threads[thread, default: Thread()].readings
            .append(Reading(time: time, waited: event.nanoseconds))
    }

    mutating func lose(_ event: EventFields) {
        losses[event.process, default: []].append(Self.stretch(event))
    }

    /// The time that the event is about, which ends with it.
    private static func stretch(_ event: EventFields) -> Range<Int64> {
        let end = TraceMoment.bounded(event.time)
        return TraceMoment.bounded(end.saturatingAdd(-event.nanoseconds))..<end
    }
}
