import EventLog

/// One queue of a running program, and how many of its operations are in which state.
struct LiveQueue {
    let id: UInt64
    /// A text of the log; 0 for none.
    var name: UInt32 = 0
    /// `maxConcurrentOperationCount`; -1 if the system decides.
    var limit = -1
    /// Since when it is suspended, in nanoseconds since the start of the log; `LiveOperation.never` if it is
    /// not.
    var suspendedSince = LiveOperation.never
    private(set) var executing = 0
    private(set) var ready = 0
    private(set) var pending = 0
    private(set) var finished = 0
    private(set) var rate = LiveRate()
    /// When one of its operations started or finished last; `LiveOperation.never` before that. Since then,
    /// the same slots are free.
    private(set) var lastTurnover = LiveOperation.never

    init(_ id: UInt64) { self.id = id }

    var isSuspended: Bool { suspendedSince != LiveOperation.never }
    /// How many have not started.
    var waiting: Int { ready + pending }
    /// Whether more operations are ready than slots are free: the first ones are about to be started, and the
    /// others wait for a slot.
    var lacksSlots: Bool { limit >= 0 && ready > limit - executing }

    mutating func move(from old: LiveOperation.Phase, to new: LiveOperation.Phase) {
        count(old, -1)
        count(new, 1)
    }

    mutating func finish(at time: Int64) {
        finished += 1
        rate.add(at: time)
        turnOver(at: time)
    }

    /// Notes that one of its operations started or finished.
    mutating func turnOver(at time: Int64) {
        lastTurnover = lastTurnover == LiveOperation.never ? time : max(lastTurnover, time)
    }

    private mutating func count(_ phase: LiveOperation.Phase, _ number: Int) {
        switch phase {
        case .pending: pending += number
        case .ready: ready += number
        case .executing: executing += number
        case .unseen, .finished, .lost: break
        }
    }
}

/// The queues of a running program, in the order in which its log names them.
struct LiveQueues {
    private(set) var all: [LiveQueue] = []
    private var indices: [UInt64: Int] = [:]

    subscript(index: Int) -> LiveQueue {
        get { all[index] }
        set { all[index] = newValue }
    }

    mutating func index(of id: UInt64) -> Int {
        if let known = indices[id] { return known }
        indices[id] = all.count
        all.append(LiveQueue(id))
        return all.count - 1
    }

    /// Nil for a queue that was not named by any event.
    func existingIndex(of id: UInt64) -> Int? { indices[id] }

    // MARK: Events about a queue

    mutating func open(_ event: EventFields) {
        rename(event)
        limit(event)
        if event.isSuspended { suspend(event) }
    }

    mutating func rename(_ event: EventFields) { all[index(of: event.subject)].name = event.text }

    mutating func limit(_ event: EventFields) { all[index(of: event.subject)].limit = event.limit }

    mutating func suspend(_ event: EventFields) {
        let index = index(of: event.subject)
        if !all[index].isSuspended { all[index].suspendedSince = event.time }
    }

    mutating func resume(_ event: EventFields) {
        all[index(of: event.subject)].suspendedSince = LiveOperation.never
    }
}
