import Dispatch
import Synchronization

/// Merges the events of a log in a file on a second thread, while this one uses those that were merged
/// before. The events are the same, in the same order.
final class MergeAhead: Sendable {
    private struct Batch: Sendable {
        static let size = 512
        /// The most predecessors in it, except for those of its last event.
        static let predecessors = 16_384

        private var events = [EventFields](repeating: EventFields(), count: size)
        private var count = 0
        /// Set for the last batch.
        private(set) var findings: StreamMerge.Findings?

        mutating func fill(from merge: inout StreamMerge) {
            count = 0
            var predecessors = 0
            while count < Self.size, predecessors < Self.predecessors {
                guard merge.next(&events[count]) else {
                    findings = merge.findings
                    return
                }
                predecessors += events[count].predecessors.count
                count += 1
            }
        }

        mutating func give(to consumer: any EventConsumer, _ texts: InternedTexts) {
            for index in 0..<count { Self.give(&events[index], to: consumer, texts) }
        }

        /// In place: a subscript that is only read copies the event.
        private static func give(
            _ event: inout EventFields, to consumer: any EventConsumer, _ texts: InternedTexts
        ) {
            consumer.consume(event, texts)
        }
    }

    private struct Batches {
        /// Whether a thread has begun to merge.
        var isBegun = false
        var filled: [Batch] = []
        var used: [Batch] = []
    }

    private static let batchCount = 4

    private let batches = Mutex(Batches())
    /// Counts batches that may be filled, and batches that are.
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let descriptor: Int32
    private let size: Int
    private let plan: StreamMerge.Plan

    /// - Parameter size: the part of the file that belongs to the log.
    init(file descriptor: Int32, size: Int, _ plan: StreamMerge.Plan) {
        self.descriptor = descriptor
        self.size = size
        self.plan = plan
        for _ in 0..<Self.batchCount { free.signal() }
    }

    /// Passes all events to `consumer`, on this thread.
    func give(to consumer: any EventConsumer, _ texts: InternedTexts) -> StreamMerge.Findings {
        DispatchQueue.global().async { if self.begin() { self.fill() } }
        // A program may keep all threads of the pool busy. Then this one does both.
        if filled.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
            if begin() { return merge.give(to: consumer, texts) }
            filled.wait()
        }
        while true {
            var batch: Batch? = batches.withLock { $0.filled.removeFirst() }
            batch?.give(to: consumer, texts)
            if let findings = batch?.findings { return findings }
            // Taken, because a batch with two owners is copied when it is filled.
            batches.withLock { $0.used.append(batch.take() ?? Batch()) }
            free.signal()
            filled.wait()
        }
    }

    private var merge: StreamMerge { StreamMerge(LogBytes(file: descriptor, size: size), plan) }

    /// Whether the calling thread is the one to merge.
    private func begin() -> Bool {
        batches.withLock { batches in
            defer { batches.isBegun = true }
            return !batches.isBegun
        }
    }

    private func fill() {
        var merge = merge
        var isAtEnd = false
        while !isAtEnd {
            free.wait()
            var batch: Batch? = batches.withLock { $0.used.popLast() } ?? Batch()
            batch?.fill(from: &merge)
            isAtEnd = batch?.findings != nil
            batches.withLock { $0.filled.append(batch.take() ?? Batch()) }
            filled.signal()
        }
    }
}
