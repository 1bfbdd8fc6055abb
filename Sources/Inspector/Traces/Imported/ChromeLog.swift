import CLogFormat
import EventLog

/// Converts a Chrome trace into an event log. Slices are operations that were enqueued and started when they
/// began. The queue is the slice's thread in its process.
struct ChromeLog {
    private let slices: [ChromeSlices.Slice]
    private let flows: ChromeFlows
    private let points: [(entry: Int32, slice: Int32)]
    private let entries: [ChromeEvents.Entry]
    private let tracks: [ChromeEvents.Track]
    private let queueNames: [InternedTexts.Number]
    private struct AsyncQueue: Hashable {
        let category: InternedTexts.Number
        let process: Int32
    }

    /// Queues for asynchronous slices, which have no thread, by category and process.
    private let asyncQueues: [AsyncQueue: UInt64]
    private let threads: [UInt64]
    private let processes: ChromeProcesses
    /// The time of the first event, in the file's own time.
    let origin: Int64
    private(set) var texts: InternedTexts
    private(set) var eventCount = 0

    init(
        _ events: ChromeEvents, _ slices: ChromeSlices, _ flows: ChromeFlows,
        _ processes: ChromeProcesses
    ) {
        self.processes = processes
        self.slices = slices.slices
        self.flows = flows
        points = slices.points.filter { events.entries[Int($0.entry)].phase == .instant }
        entries = events.entries
        tracks = events.tracks
        origin = events.entries.lazy.map(\.time).min() ?? 0
        var texts = events.texts
        queueNames = events.tracks.map { track in
            events.threadNames[track] ?? texts.number(of: "thread \(texts[track.thread])")
        }
        let numbers = ThreadNumbers(
            events.tracks.enumerated().lazy.map { (processes.ofTrack[$0], $1.thread) }, texts)
        threads = events.tracks.enumerated().map { numbers.number(of: $1.thread, in: processes.ofTrack[$0]) }
        var asyncQueues: [AsyncQueue: UInt64] = [:]
        for slice in slices.slices {
            guard let category = slice.category else { continue }
            let queue = AsyncQueue(category: category, process: processes.ofTrack[Int(slice.track)])
            if asyncQueues[queue] == nil {
                asyncQueues[queue] = UInt64(events.tracks.count + asyncQueues.count + 1)
            }
        }
        self.asyncQueues = asyncQueues
        self.texts = texts
    }

    /// Passes the events to `consumer`, ordered by time. O(n log n).
    mutating func write(to consumer: any EventConsumer) {
        enum Step: UInt8 { case finish, mark, start, finishAtOnce }
        var steps: [(time: Int64, step: Step, index: Int32)] = []
        steps.reserveCapacity(2 * slices.count + points.count)
        for (index, slice) in slices.enumerated() {
            steps.append((slice.start, .start, Int32(index)))
            if let end = slice.end {
                steps.append((end, end > slice.start ? .finish : .finishAtOnce, Int32(index)))
            }
        }
        for index in points.indices {
            steps.append((entries[Int(points[index].entry)].time, .mark, Int32(index)))
        }
        steps.sort { ($0.time, $0.step.rawValue, $0.index) < ($1.time, $1.step.rawValue, $1.index) }
        var isOpen = Set<UInt64>()
        for step in steps {
            switch step.step {
            case .start: start(Int(step.index), &isOpen, consumer)
            case .finish, .finishAtOnce: finish(Int(step.index), consumer)
            case .mark: mark(points[Int(step.index)], consumer)
            }
        }
    }

    private mutating func start(_ index: Int, _ isOpen: inout Set<UInt64>, _ consumer: any EventConsumer) {
        let slice = slices[index]
        var event = fields(.queueOpened, slice.start, slice.track)
        event.subject = queue(of: slice)
        if isOpen.insert(event.subject).inserted {
            event.text = slice.category ?? queueNames[Int(slice.track)]
            if event.text == InternedTexts.empty { event.text = texts.number(of: "asynchronous") }
            // The queue has no limit.
            event.limit = -1
            give(event, consumer)
        }
        event = fields(.enqueued, slice.start, slice.track)
        event.subject = Self.identifier(index)
        event.enqueuedQueue = queue(of: slice)
        event.text = slice.name == InternedTexts.empty ? InternedTexts.unknown : slice.name
        event.name = slice.detail
        event.priority = 0
        let parent = slice.parent >= 0 ? slice.parent : flows.parents[Int32(index)]
        event.parent = parent.map { Self.identifier(Int($0)) }
        event.predecessors = (flows.predecessors[Int32(index)] ?? []).map { Self.identifier(Int($0)) }
        give(event, consumer)
        event = fields(.executing, slice.start, slice.track)
        event.subject = Self.identifier(index)
        give(event, consumer)
    }

    private mutating func finish(_ index: Int, _ consumer: any EventConsumer) {
        var event = fields(.finished, slices[index].end ?? slices[index].start, slices[index].track)
        event.subject = Self.identifier(index)
        give(event, consumer)
    }

    private mutating func mark(_ point: (entry: Int32, slice: Int32), _ consumer: any EventConsumer) {
        let entry = entries[Int(point.entry)]
        var event = fields(.mark, entry.time, entry.track)
        event.text = entry.name
        event.parent = point.slice < 0 ? nil : Self.identifier(Int(point.slice))
        give(event, consumer)
    }

    private mutating func give(_ event: EventFields, _ consumer: any EventConsumer) {
        eventCount += 1
        consumer.consume(event, texts)
    }

    private func fields(_ type: RecordType, _ time: Int64, _ track: Int32) -> EventFields {
        var event = EventFields()
        event.type = type
        event.time = time.saturatingSubtract(origin)
        event.thread = threads[Int(track)]
        event.process = processes.ofTrack[Int(track)]
        return event
    }

    private func queue(of slice: ChromeSlices.Slice) -> UInt64 {
        let process = processes.ofTrack[Int(slice.track)]
        return slice.category.flatMap { asyncQueues[AsyncQueue(category: $0, process: process)] }
            ?? UInt64(slice.track) + 1
    }

    private static func identifier(_ slice: Int) -> UInt64 { UInt64(slice) + 1 }
}
