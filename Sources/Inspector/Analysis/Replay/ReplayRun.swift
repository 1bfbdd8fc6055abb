internal import HeapModule
import InspectorColumns

/// One simulation of a ``ReplayModel``, event by event: what ends, what that releases, and what gets the
/// slot.
///
/// As in Foundation, an operation that ends first releases its dependents, one after the other. Each takes a
/// slot at once if one is free. Then the operation's own slot goes to the first ready operation of the
/// highest priority, in the order in which they were added.
struct ReplayRun {
    struct Event: Comparable {
        enum Kind: Int64 { case finish, resume, suspend, limit, release, handOver, piece, pool }

        let time: Int64
        /// The kind, and the operation, the queue, or the position of the limit or of the pool's width.
        let tag: Int64

        init(_ kind: Kind, _ index: Int, at time: Int64) {
            self.time = time
            tag = kind.rawValue << 40 | Int64(index)
        }

        static func < (lhs: Event, rhs: Event) -> Bool {
            lhs.time == rhs.time ? lhs.tag < rhs.tag : lhs.time < rhs.time
        }

        var kind: Kind { Kind(rawValue: tag >> 40) ?? .finish }
        var index: Int { Int(tag & 0xFF_FFFF_FFFF) }
    }

    private struct Queue {
        /// Negative for no limit.
        var limit: Int
        var running = 0
        /// Suspensions may overlap in an inconsistent trace.
        var suspensions = 0
        /// When the operation whose slot is handed on at this moment finished.
        var slotFree: Int64?
        var firstEnqueue: Int64 = .max
        var lastFinish: Int64 = .min
        var waiting = ReadyQueue()
        private(set) var mostSlots = 0

        /// The rank of the operation that gets a slot now; nil if none does.
        mutating func giveSlot() -> UInt64? {
            guard suspensions <= 0, limit < 0 || running < limit, let rank = waiting.popMin() else {
                return nil
            }
            running += 1
            mostSlots = max(mostSlots, running)
            return rank
        }
    }

    /// A release that took this many nanoseconds had a reason of its own. Shorter releases are complete
    /// before a slot is handed on, even if the thread had to wait for a processor meanwhile.
    private static let longRelease: Int64 = 10_000_000

    private let model: ReplayModel
    /// The factor for each operation's execution; empty if all are 1.
    private let factors: [Double]
    /// On which threads and processors operations execute, if the trace says so.
    private var work: ReplayWork?
    /// Whether it is there: asking the work itself would copy it.
    private let hasWork: Bool
    /// Operations that a piece of another one adds.
    private let isAdded: [Bool]
    /// The time of the events that are being taken.
    private var now: Int64 = .min
    private var queues: [Queue]
    private let limits: [(queue: Int, limit: Int)]
    private var events: Heap<Event>
    /// The position in the model's roots, which are already ordered and need no heap.
    private var nextRoot = 0
    /// What the model's threads without operations calculate, and the position in it.
    private let background: [ReplayPieces.Background]
    private var nextBackground = 0
    /// How many dependencies have not finished, plus 1 until it was added.
    private var waitingFor: [Int32]
    private var states: [ReplayModel.State]
    private var lastFinish: Int64 = .min
    private var firstEnqueue: Int64 = .max
    private var finished = 0
    /// Queues in which a slot, or an operation that needs one, may have appeared at this moment.
    private var touched: [Int32] = []
    /// How many of `touched` are meant: emptying an array a million times takes long.
    private var touchedCount = 0

    init(_ model: ReplayModel, _ trace: Trace, _ scenario: ReplayScenario, factors: [Double]) {
        self.model = model
        self.factors = factors
        background = model.pieces?.background ?? []
        isAdded = model.pieces?.isAdded ?? []
        work = model.pieces.map {
            ReplayWork($0, of: model, scenario, trace, factors: factors)
        }
        hasWork = model.pieces != nil
        waitingFor = model.waitsBefore
        states = model.states
        var events: [Event] = []
        var limits: [(queue: Int, limit: Int)] = []
        queues = []
        for (index, queue) in trace.queues.enumerated() {
            let recorded = queue.limits.enumerated().sorted {
                ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
            }.map(\.element)
            let slots = scenario.slotsOfQueues[index] ?? scenario.slots
            queues.append(Queue(limit: slots.limit ?? recorded.first?.limit ?? -1))
            if slots == .recorded {
                for (time, limit) in recorded.dropFirst() {
                    events.append(Event(.limit, limits.count, at: TraceMoment.bounded(time)))
                    limits.append((index, limit))
                }
            }
            for suspension in queue.suspensions {
                events.append(Event(.suspend, index, at: TraceMoment.bounded(suspension.lowerBound)))
                events.append(Event(.resume, index, at: TraceMoment.bounded(suspension.upperBound)))
            }
        }
        if work?.hasRecordedPools == true, let steps = model.pieces?.threads.steps {
            events += steps.enumerated().map { Event(.pool, $0.offset, at: $0.element.time) }
        }
        self.limits = limits
        self.events = Heap(events)
    }

    /// Cost: O(n log n) in operations and edges.
    mutating func run() -> ReplayResult {
        while advance() {
            let time = now
            // Slots are assigned after all other events of that moment.
            if hasWork {
                addBackground(upTo: time)
                work?.takeDone(at: time, &events)
            }
            while events.min?.time == time, let event = events.popMin() { take(event) }
            while nextRoot < model.roots.count, model.roots[nextRoot].time <= time {
                nextRoot += 1
                added(Int(model.roots[nextRoot - 1].operation), at: time)
            }
            for position in 0..<touchedCount { dispatch(Int(touched[position]), at: time) }
            touchedCount = 0
            if hasWork, isIdle { work?.growPools(at: time, &events) }
        }
        let stuck = model.takesPart.count { $0 } - finished
        return ReplayResult(
            makespan: Self.span(firstEnqueue, lastFinish), stuckOperations: stuck,
            queueSpans: queues.map { Self.span($0.firstEnqueue, $0.lastFinish) },
            mostSlots: queues.map(\.mostSlots).max() ?? 0, mostThreads: work?.mostThreads ?? 0)
    }

    private static func span(_ start: Int64, _ end: Int64) -> Int64 {
        end > start ? end.saturatingAdd(-start) : 0
    }

    /// Goes to the next time at which something happens; false if nothing will happen any more.
    private mutating func advance() -> Bool {
        var time = hasWork ? work?.nextDone ?? .max : .max
        if nextRoot < model.roots.count { time = min(time, model.roots[nextRoot].time) }
        if let event = events.min { time = min(time, event.time) }
        if nextBackground < background.count { time = min(time, background[nextBackground].time) }
        now = time
        return time != .max
    }

    /// Whether operations do nothing any more, unless they get threads.
    private var isIdle: Bool {
        nextRoot >= model.roots.count && events.isEmpty && work?.isIdle ?? true
    }

    private mutating func addBackground(upTo time: Int64) {
        while nextBackground < background.count, background[nextBackground].time <= time {
            work?.add(background[nextBackground])
            nextBackground += 1
        }
    }

    private mutating func take(_ event: Event) {
        let index = event.index
        switch event.kind {
        case .finish: finish(index, at: event.time)
        case .release: added(index, at: event.time)
        case .handOver:
            let queue = Int(model.rows[index].queue)
            queues[queue].running -= 1
            queues[queue].slotFree = states[index].moment
            touch(queue)
        case .suspend: queues[index].suspensions += 1
        case .resume:
            queues[index].suspensions -= 1
            touch(index)
        case .limit:
            queues[limits[index].queue].limit = limits[index].limit
            touch(limits[index].queue)
        case .piece: work?.goOn(index, at: event.time, &events)
        case .pool:
            if let steps = model.pieces?.threads.steps { work?.widen(steps[index], at: event.time, &events) }
        }
    }

    private mutating func touch(_ queue: Int) {
        let queue = Int32(truncatingIfNeeded: queue)
        if touchedCount > 0, touched[touchedCount - 1] == queue { return }
        if touchedCount < touched.count {
            touched[touchedCount] = queue
        } else {
            touched.append(queue)
        }
        touchedCount += 1
    }

    private func scaled(_ time: Int64, _ operation: Int) -> Int64 {
        factors.isEmpty ? time : Makespans.scaled(time, by: factors[operation])
    }

    private mutating func added(_ operation: Int, at time: Int64) {
        // The second event for the operation: its long release is over.
        if waitingFor[operation] == 0 { return ready(operation, at: time) }
        firstEnqueue = min(firstEnqueue, time)
        let queue = Int(model.rows[operation].queue)
        if queue >= 0, time < queues[queue].firstEnqueue { queues[queue].firstEnqueue = time }
        _ = release(operation, at: time)
    }

    /// Returns the nanoseconds until it is ready. The operation that released it keeps its slot meanwhile.
    private mutating func release(_ operation: Int, at time: Int64) -> Int64 {
        waitingFor[operation] -= 1
        guard waitingFor[operation] == 0 else { return 0 }
        let delay = model.rows[operation].releaseDelay
        let moment = time.saturatingAdd(delay)
        states[operation].moment = moment
        guard delay > 0 else {
            ready(operation, at: time)
            return 0
        }
        events.insert(Event(.release, operation, at: moment))
        return delay >= Self.longRelease || model.rows[operation].isReleasedLate ? 0 : delay
    }

    private mutating func ready(_ operation: Int, at time: Int64) {
        let row = model.rows[operation]
        guard row.takesSlot else {
            let end = states[operation].moment.saturatingAdd(row.dispatchDelay)
            events.insert(Event(.finish, operation, at: end))
            return
        }
        let queue = Int(row.queue)
        guard queue >= 0 else { return start(operation, at: time) }
        queues[queue].waiting.insert(row.rank)
        touch(queue)
    }

    private mutating func dispatch(_ queue: Int, at moment: Int64) {
        // The recorded time to the start includes the hand-over of the slot.
        let time = queues[queue].slotFree ?? moment
        if queues[queue].slotFree != nil { queues[queue].slotFree = nil }
        while let rank = queues[queue].giveSlot() {
            start(Int(model.byOrder[Int(rank & 0xFFFF_FFFF)]), at: time)
        }
    }

    /// The operation has its slot.
    private mutating func start(_ operation: Int, at time: Int64) {
        if hasWork {
            work?.begin(operation, at: now, since: max(time, states[operation].moment), &events)
            return
        }
        let row = model.rows[operation]
        let start = max(time, states[operation].moment).saturatingAdd(row.dispatchDelay)
        for position in model.addedAfterStart.range(of: operation) {
            let child = Int(model.addedAfterStart.targets[position])
            let waited = model.waitedBeforeAdding[child]
            let delay = waited.saturatingAdd(
                scaled(model.addedAfterStart.delays[position] - waited, operation))
            events.insert(Event(.release, child, at: start.saturatingAdd(delay)))
        }
        // From now on, the earliest time at which its own work is done.
        let end = start.saturatingAdd(scaled(row.own, operation))
        states[operation].moment = end
        states[operation].awaited -= 1
        if states[operation].awaited == 0 { events.insert(Event(.finish, operation, at: end)) }
    }

    private mutating func finish(_ operation: Int, at time: Int64) {
        finished += 1
        lastFinish = max(lastFinish, time)
        let queue = Int(model.rows[operation].queue)
        if queue >= 0 { queues[queue].lastFinish = max(queues[queue].lastFinish, time) }
        if hasWork {
            work?.end(operation, at: time, &events)
        } else {
            endWaits(for: operation, at: time)
        }
        for position in model.addedAfterFinish.range(of: operation)
        where !hasWork || !isAdded[Int(model.addedAfterFinish.targets[position])] {
            events.insert(
                Event(
                    .release, Int(model.addedAfterFinish.targets[position]),
                    at: time.saturatingAdd(model.addedAfterFinish.delays[position])))
        }
        var delay: Int64 = 0
        for position in model.dependents.range(of: operation) {
            delay = max(delay, release(Int(model.dependents.members[position]), at: time))
        }
        guard queue >= 0, model.rows[operation].takesSlot else { return }
        if delay == 0 {
            queues[queue].running -= 1
            touch(queue)
        } else {
            states[operation].moment = time
            events.insert(Event(.handOver, operation, at: time.saturatingAdd(delay)))
        }
    }

    private mutating func endWaits(for operation: Int, at time: Int64) {
        for position in model.executionWaiters.range(of: operation) {
            let waiter = Int(model.executionWaiters.targets[position])
            states[waiter].awaited -= 1
            guard states[waiter].awaited == 0 else { continue }
            let end = max(states[waiter].moment, time.saturatingAdd(scaled(model.tails[waiter], waiter)))
            events.insert(Event(.finish, waiter, at: end))
        }
    }
}
