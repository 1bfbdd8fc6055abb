import CLogFormat
import EventLog
import InspectorColumns

/// The queues of imported spans, as events.
///
/// Queues of other programs' spans have no limit. For spans that this project exported, the file says when a
/// queue was limited, suspended and cancelled. If it does not, the queue counts as suspended while operations
/// waited for that, and its limit is unknown.
struct ImportedQueues {
    struct Change {
        let type: RecordType
        let time: Int64
        let process: Int32
        let queue: UInt64
        var name = InternedTexts.empty
        var limit: Int?
    }

    private struct Queue {
        let name: InternedTexts.Number
        let process: Int32
        let isOwn: Bool
        /// When the first operation was enqueued.
        var start: Int64
        var history: [(time: Int64, limit: Int)]?
        var suspensions: [Range<Int64>] = []
        var cancellations: [Int64] = []
    }

    private var queues: [UInt64: Queue] = [:]
    private var order: [UInt64] = []
    private(set) var changes: [Change] = []

    mutating func open(
        _ number: UInt64, _ name: InternedTexts.Number, of span: ImportedSpans.Span, isOwn: Bool
    ) {
        guard queues[number] == nil else { return }
        queues[number] = Queue(name: name, process: span.process, isOwn: isOwn, start: span.start)
        order.append(number)
    }

    mutating func suspend(_ number: UInt64, _ stretch: Range<Int64>) {
        guard queues[number]?.history == nil else { return }
        queues[number]?.suspensions.append(stretch)
    }

    /// - Parameter start: the time that the times in the history are relative to.
    mutating func take(_ history: QueueHistory, of number: UInt64, after start: Int64) {
        queues[number]?.history = history.limits.map { (start.saturatingAdd($0.time), $0.limit) }
        queues[number]?.suspensions = history.suspensions.map {
            start.saturatingAdd($0.lowerBound)..<start.saturatingAdd($0.upperBound)
        }
        queues[number]?.cancellations = history.cancellations.map { start.saturatingAdd($0) }
    }

    /// Sorts the changes into events. O(n log n) in suspensions.
    ///
    /// - Parameter origin: the start of the trace. All times are near it.
    mutating func close(origin: Int64) {
        for number in order {
            guard let queue = queues[number] else { continue }
            func add(_ type: RecordType, _ time: Int64, limit: Int? = nil) {
                changes.append(
                    Change(
                        type: type, time: time, process: queue.process, queue: number, name: queue.name,
                        limit: limit))
            }
            let limits = queue.history ?? (queue.isOwn ? [] : [(queue.start, -1)])
            if let first = limits.first {
                add(.queueOpened, first.time, limit: first.limit)
                for later in limits.dropFirst() { add(.limitChanged, later.time, limit: later.limit) }
            } else {
                add(.queueRenamed, queue.start)
            }
            let suspensions = queue.suspensions.map {
                $0.lowerBound.saturatingSubtract(origin)..<$0.upperBound.saturatingSubtract(origin)
            }
            for suspension in SuspendedTime(suspensions).suspensions {
                add(.suspended, suspension.lowerBound.saturatingAdd(origin))
                add(.resumed, suspension.upperBound.saturatingAdd(origin))
            }
            for time in queue.cancellations { add(.allCancelled, time) }
        }
    }
}
