import InspectorColumns

/// Determines what every operation of a trace spent its lifetime on.
///
/// The waits between logged transitions follow from their times. The time between ready and executing is
/// split by the queue's suspensions, which are in the log, and by the time at which a slot was free, which is
/// inferred (``SlotInference``). Time within the interval of an inexact transition is unknown, and so is time
/// around a missing transition. If the file records when a slot became free, that time is used.
///
/// Cost: at most O(n log n); linear if few operations start at the same nanosecond.
final class WaitInference: Sendable {
    /// Means no time: later than any transition.
    private static let unknown = Int64.max

    private let store: OperationStore
    private let transitions: TraceTransitions
    /// If events were dropped, the next transition of an operation may be among them.
    private let isOpenEndKnown: Bool
    /// For each operation, since when a slot was free for it; `unknown` if the trace does not show it.
    private let slotFree: [Int64]
    /// For each queue that was ever suspended.
    private let suspendedTimes: [SuspendedTime?]
    /// Of tasks among the operations, and the index of the first.
    private let tasks: (first: Int, lifetimes: TaskLifetimes)?

    /// - Parameter transitions: the transitions of the trace's operations, by index.
    init(_ trace: Trace, _ transitions: TraceTransitions) {
        store = trace.operations.store
        self.transitions = transitions
        tasks = trace.tasks.asOperations.map { ($0.first, TaskLifetimes(trace.tasks)) }
        isOpenEndKnown = trace.header.droppedEvents == 0
        suspendedTimes = trace.queues.map { $0.suspensions.isEmpty ? nil : SuspendedTime($0.suspensions) }

        let queues = store.columns.queues
        let members = Grouping(
            transitions.indices.lazy.map { transitions.has($0) ? Int(queues[$0]) : -1 },
            groups: trace.queues.count)
        var slotFree = Array(repeating: Self.unknown, count: transitions.count)
        for queue in 0..<members.count where !members[queue].isEmpty {
            Self.inferSlots(
                trace.queues[queue].limits, members[queue], transitions, store.columns.priorities, &slotFree)
        }
        // A value that the file states needs no inference.
        for index in transitions.indices where store.columns.slotFree.has(index) && transitions.has(index) {
            slotFree[index] = TraceMoment.bounded(store.columns.slotFree.notAfter(index))
        }
        self.slotFree = slotFree
    }

    var count: Int { transitions.count }

    /// `nil` for an operation that was never enqueued.
    func waits(of index: Int) -> LifetimeParts? { transitions[index].map { waits(of: index, $0) } }

    /// - Parameter line: the operation's transitions.
    func waits(of index: Int, _ line: OrderedTransitions) -> LifetimeParts {
        if let tasks, index >= tasks.first {
            return LifetimeParts(tasks.lifetimes.parts(of: index - tasks.first))
        }
        return waits(ofOperation: index, line)
    }

    /// Since when a slot was free for it; nil if the trace does not show it.
    func slotFree(of index: Int) -> Int64? { slotFree[index] == Self.unknown ? nil : slotFree[index] }

    /// For the members of one queue.
    private static func inferSlots(
        _ limits: [(time: Int64, limit: Int)], _ members: ArraySlice<Int32>, _ transitions: TraceTransitions,
        _ priorities: Column<Int32>, _ slotFree: inout [Int64]
    ) {
        if limits.isEmpty { return }
        var starters: [(start: Int64, index: Int32)] = []
        var finishes: [Int64] = []
        starters.reserveCapacity(members.count)
        finishes.reserveCapacity(members.count)
        for index in members {
            guard let line = transitions[Int(index)] else { continue }
            if line.isFinished { finishes.append(line.end) }
            // An operation that still waits for a slot at the end of the trace comes after all that started.
            if line.isFinished || line.executing != nil || line.ready != nil {
                starters.append((endOfWaiting(line), index))
            }
        }
        guard let inference = SlotInference(finishes: finishes, limits: limits) else { return }
        starters = starters.sortedByDigits(\.start)
        sortStartsTogether(&starters, transitions, priorities)
        let free = inference.slotsFreeSince(starts: starters.map(\.start))
        for (starter, free) in zip(starters, free) { slotFree[Int(starter.index)] = free }
    }

    /// Among operations that started at the same moment, higher priorities come first, then those
    /// that were ready first.
    private static func sortStartsTogether(
        _ starters: inout [(start: Int64, index: Int32)], _ transitions: TraceTransitions,
        _ priorities: Column<Int32>
    ) {
        var first = 0
        while first < starters.count {
            var end = first + 1
            while end < starters.count, starters[end].start == starters[first].start { end += 1 }
            if end - first > 1 {
                starters[first..<end].sort { one, other in
                    let ready = (
                        transitions[Int(one.index)]?.ready?.notAfter ?? .min,
                        transitions[Int(other.index)]?.ready?.notAfter ?? .min
                    )
                    return (priorities[Int(other.index)], ready.0, one.index)
                        < (priorities[Int(one.index)], ready.1, other.index)
                }
            }
            first = end
        }
    }

    /// Until when an operation certainly waited: its start, or its end if it never started.
    private static func endOfWaiting(_ line: OrderedTransitions) -> Int64 {
        line.executing?.notBefore ?? line.finished.notBefore
    }

    private func waits(ofOperation index: Int, _ line: OrderedTransitions) -> LifetimeParts {
        var waits = LifetimeParts()
        var cursor = line.enqueued
        if let ready = line.ready {
            waits.dependency = ready.notBefore - cursor
            waits.unknown += ready.notAfter - ready.notBefore
            cursor = ready.notAfter
        }
        if let executing = line.executing {
            if line.ready != nil {
                split(index, from: cursor, to: executing.notBefore, hasStarted: true, into: &waits)
            } else {
                waits.unknown += executing.notBefore - cursor
            }
            waits.unknown += executing.notAfter - executing.notBefore
            let executed = line.finished.notBefore - executing.notAfter
            if line.isFinished || isOpenEndKnown {
                waits.execution = executed
            } else {
                waits.unknown += executed
            }
            waits.unknown += line.end - line.finished.notBefore
        } else if line.isFinished ? line.wasCancelled && line.ready != nil : isOpenEndKnown {
            if line.ready != nil {
                split(
                    index, from: cursor, to: line.finished.notBefore, hasStarted: line.isFinished,
                    into: &waits)
                waits.unknown += line.end - line.finished.notBefore
            } else {
                waits.dependency = line.end - cursor
            }
        } else {
            waits.unknown += line.end - cursor
        }
        return waits
    }

    /// Splits the time between ready and started into suspended, slot and dispatch wait.
    private func split(
        _ index: Int, from ready: Int64, to start: Int64, hasStarted: Bool, into waits: inout LifetimeParts
    ) {
        let queue = Int(store.columns.queues[index])
        let isFreeKnown = slotFree[index] != Self.unknown
        if suspendedTimes.indices.contains(queue) {
            var end = start
            var before: Int64 = 0
            let suspended = suspendedTimes[queue]
            if let suspended {
                // An operation that starts while the queue is suspended was dispatched before, so this
                // suspension did not delay it.
                if hasStarted, let beginning = suspended.suspension(around: start) {
                    end = max(ready, beginning)
                }
                before = suspended.upTo(ready)
                waits.suspended = suspended.upTo(end) - before
            }
            if isFreeKnown {
                let moment = min(max(slotFree[index], ready), start)
                let suspendedBefore = suspended.map { $0.upTo(min(moment, end)) - before } ?? 0
                waits.slot = (moment - ready) - suspendedBefore
            }
        }
        let rest = start - ready - waits.untilSlot
        if isFreeKnown { waits.dispatch = rest } else { waits.unknown += rest }
    }
}
