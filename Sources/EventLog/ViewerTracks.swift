/// Events that only improve the display in a viewer of Chrome traces: a slice for each execution, and an
/// arrow for each edge. Readers of the log skip them.
///
/// Slices on one track must not overlap, but asynchronous operations overlap on their threads. So each queue
/// gets as many lanes as operations execute at once.
struct ViewerTracks: Sendable {
    /// Viewers fail beyond about a million events, and the memory for arrows grows with each operation.
    static let operationLimit = 250_000

    private struct Slice {
        var name: String
        var process: Int
        var queue: QueueID?
        var lane: Int?
        var start: Int64 = 0
        var predecessors: [UInt64] = []
    }

    /// For each process of the header.
    private let processIDs: [Int32]
    private let processes: [String]
    private var operationCount = 0
    private var slices: [OperationID: Slice] = [:]
    /// Where the arrows of a finished operation begin.
    private var ends: [OperationID: (place: Place, time: Int64)] = [:]
    private var lanes = ViewerLanes()
    private var queueNames: [QueueID: String] = [:]
    private var arrowCount = 0
    private var hasNamed: [Bool]

    /// A track: the lanes of a process.
    private struct Place {
        var process: Int32
        var lane: Int
    }

    init(_ header: LogHeader) {
        processIDs = header.eventProcessIDs
        processes = header.processes.isEmpty ? [header.process] : header.processes.map(\.process)
        hasNamed = processes.map { _ in false }
    }

    /// The view events that `event` completes, each as JSON. Call it with every event, in order.
    mutating func follow(
        _ event: EventFields, _ meaning: EventSchema.Meaning, _ texts: InternedTexts
    ) -> [[UInt8]] {
        let operation = OperationID(event.subject)
        switch meaning {
        case .queueNamed:
            queueNames[QueueID(event.subject)] = texts[event.text]
            let process = index(ofProcess: event.process)
            if !hasNamed[process] {
                hasNamed[process] = true
                let place = Place(process: processIDs[process], lane: 0)
                return [metadata("process_name", place, value: processes[process])]
            }
        case .step(.enqueued):
            operationCount += 1
            guard operationCount <= Self.operationLimit else {
                forgetAll()
                break
            }
            slices[operation] = Slice(
                name: texts[event.name ?? event.text], process: index(ofProcess: event.process),
                queue: QueueID(event.enqueuedQueue), predecessors: event.predecessors)
        case .edgeAdded: slices[operation]?.predecessors += event.predecessors
        case .edgeRemoved: slices[operation]?.predecessors.removeAll(where: event.predecessors.contains)
        case .step(.executing): return begin(operation, at: event.time)
        case .step(.finished): return finish(operation, at: event.time)
        case .step, .contextSent, .contextReceived, .operationDetail, .queueDetail, .mark, .waitBegan,
            .waitEnded, .threadTime, .sample, .taskCreated, .taskDetail, .executorOpened:
            break
        }
        return []
    }

    private func index(ofProcess process: Int32) -> Int {
        processIDs.indices.contains(Int(process)) ? Int(process) : 0
    }

    private mutating func begin(_ operation: OperationID, at time: Int64) -> [[UInt8]] {
        guard let slice = slices[operation], let queue = slice.queue, slice.lane == nil else { return [] }
        let (lane, number, isNew) = lanes.take(on: queue)
        slices[operation]?.lane = lane
        slices[operation]?.start = time
        guard isNew else { return [] }
        let name = queueNames[queue].flatMap { $0.isEmpty ? nil : $0 } ?? "queue \(queue)"
        let place = Place(process: processIDs[slice.process], lane: lane)
        return [metadata("thread_name", place, value: number == 0 ? name : "\(name) · \(number + 1)")]
    }

    private mutating func finish(_ operation: OperationID, at time: Int64) -> [[UInt8]] {
        guard let slice = slices.removeValue(forKey: operation), let queue = slice.queue,
            let lane = slice.lane
        else { return [] }
        lanes.giveBack(lane, on: queue)
        let place = Place(process: processIDs[slice.process], lane: lane)
        var views = [self.slice(slice, place, operation: operation, end: time)]
        guard time > slice.start else { return views }
        for predecessor in slice.predecessors {
            guard let from = ends[OperationID(predecessor)] else { continue }
            arrowCount += 1
            views.append(arrow("s", from.place, time: from.time))
            views.append(arrow("f", place, time: slice.start))
        }
        // A nanosecond before the end: at the end, the slice is over, and the arrow would not find it.
        ends[operation] = (place, time - 1)
        return views
    }

    private mutating func forgetAll() {
        slices.removeAll()
        ends.removeAll()
    }

    // MARK: Encoding

    private func slice(_ slice: Slice, _ place: Place, operation: OperationID, end: Int64) -> [UInt8] {
        var bytes = Array(#"{"ph":"X","cat":"view","name":"#.utf8)
        JSONText.append(slice.name, to: &bytes)
        bytes.append(contentsOf: #","pid":\#(place.process),"tid":\#(place.lane),"ts":"#.utf8)
        JSONText.append(microseconds: slice.start, to: &bytes)
        bytes.append(contentsOf: #","dur":"#.utf8)
        JSONText.append(microseconds: max(0, end &- slice.start), to: &bytes)
        bytes.append(contentsOf: #","args":{"operation":"\#(operation)"}}"#.utf8)
        return bytes
    }

    private func arrow(_ phase: String, _ place: Place, time: Int64) -> [UInt8] {
        let binding = phase == "f" ? #","bp":"e""# : ""
        var bytes = Array(
            #"{"ph":"\#(phase)"\#(binding),"cat":"view","name":"dependency","id":\#(arrowCount)"#.utf8)
        bytes.append(contentsOf: #","pid":\#(place.process),"tid":\#(place.lane),"ts":"#.utf8)
        JSONText.append(microseconds: time, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private func metadata(_ name: String, _ place: Place, value: String) -> [UInt8] {
        var bytes = Array(#"{"ph":"M","cat":"view","name":"\#(name)","pid":\#(place.process),"#.utf8)
        bytes.append(contentsOf: #""tid":\#(place.lane),"args":{"name":"#.utf8)
        JSONText.append(value, to: &bytes)
        bytes.append(contentsOf: "}}".utf8)
        return bytes
    }
}

/// Which tracks of each queue are free. The number of a track is far above any thread's.
struct ViewerLanes: Sendable {
    private static let first = 1 << 24

    private struct Queue {
        var lanes: [Int] = []
        /// Free places in `lanes`, the lowest last.
        var free: [Int] = []
        var places: [Int: Int] = [:]
    }

    private var queues: [QueueID: Queue] = [:]
    private var count = 0

    /// The lowest free lane of `queue`, its number on that queue, and whether it is a new one.
    mutating func take(on queue: QueueID) -> (lane: Int, number: Int, isNew: Bool) {
        var state = queues[queue] ?? Queue()
        defer { queues[queue] = state }
        if let place = state.free.popLast() { return (state.lanes[place], place, false) }
        let lane = Self.first + count
        count += 1
        state.places[lane] = state.lanes.count
        state.lanes.append(lane)
        return (lane, state.lanes.count - 1, true)
    }

    mutating func giveBack(_ lane: Int, on queue: QueueID) {
        guard let place = queues[queue]?.places[lane] else { return }
        let index = queues[queue]?.free.firstIndex { $0 < place } ?? queues[queue]?.free.count ?? 0
        queues[queue]?.free.insert(place, at: index)
    }
}
