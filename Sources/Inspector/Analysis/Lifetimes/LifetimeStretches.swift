/// What an operation spent its lifetime on, and when: the parts of ``LifetimeParts`` laid out in time.
///
/// They follow each other without gaps from its enqueue to its end. The total length of each part's intervals
/// equals that part, so that pictures and tables agree.
package struct LifetimeStretches {
    package typealias Emit = (LifetimeParts.Part, Int64, Int64) -> Void

    /// How many suspensions of one wait are laid out individually. If there are more, they become one
    /// interval at the beginning. Otherwise a queue that is suspended all the time would cost its suspensions
    /// for each of its operations.
    private static let mostSuspensions = 8

    private let line: OrderedTransitions
    private let waits: LifetimeParts
    private let suspended: SuspendedTime?

    /// - Parameter suspended: the suspensions of its queue.
    package init(_ line: OrderedTransitions, _ waits: LifetimeParts, _ suspended: SuspendedTime?) {
        self.line = line
        self.waits = waits
        self.suspended = suspended
    }

    /// Calls `emit` for every interval that is not empty, ordered by time.
    package func visit(_ emit: Emit) {
        func stretch(_ part: LifetimeParts.Part, _ from: Int64, _ to: Int64) {
            if from < to { emit(part, from, to) }
        }
        var cursor = line.enqueued + waits.dependency
        stretch(.dependency, line.enqueued, cursor)
        let waitingEnd = line.executing?.notBefore ?? line.finished.notBefore
        if let ready = line.ready {
            stretch(.unknown, cursor, ready.notAfter)
            cursor = max(cursor, ready.notAfter)
            split(from: cursor, to: waitingEnd, emit)
            cursor = max(cursor, waitingEnd)
        }
        let executionStart = line.executing == nil ? line.end : line.start
        stretch(.unknown, cursor, executionStart)
        stretch(.execution, executionStart, executionStart + waits.execution)
        stretch(.unknown, executionStart + waits.execution, line.end)
    }

    /// Between ready and started: the queue's suspensions at their times; around them, the slot wait before
    /// the dispatch wait.
    private func split(from start: Int64, to end: Int64, _ emit: Emit) {
        var left = waits
        var cursor = start
        func fill(to limit: Int64) {
            for part in [LifetimeParts.Part.slot, .dispatch, .unknown] where cursor < limit {
                let length = part == .unknown ? limit - cursor : min(left[part], limit - cursor)
                guard length > 0 else { continue }
                emit(part, cursor, cursor + length)
                if part != .unknown { left[part] -= length }
                cursor += length
            }
        }
        func suspend(to limit: Int64) {
            let length = min(left.suspended, limit - cursor)
            guard length > 0 else { return }
            emit(.suspended, cursor, cursor + length)
            left.suspended -= length
            cursor += length
        }
        let suspensions = left.suspended > 0 ? suspended?.suspensions(from: start, to: end) ?? [] : []
        if suspensions.count > Self.mostSuspensions {
            suspend(to: end)
        } else {
            for suspension in suspensions {
                fill(to: max(cursor, suspension.lowerBound))
                suspend(to: min(end, suspension.upperBound))
            }
        }
        suspend(to: end)
        fill(to: end)
    }
}
