internal import HeapModule
import InspectorColumns

/// One replay of Swift tasks: a simulation, event by event.
struct TaskReplayRun {
    private struct Event: Comparable {
        enum Kind { case isMet, canBegin, hasEnded, threadComes }

        let time: Int64
        /// Events at the same time come in the order in which they were made.
        let order: Int
        let kind: Kind
        let piece: Int32

        static func < (lhs: Self, rhs: Self) -> Bool { (lhs.time, lhs.order) < (rhs.time, rhs.order) }
    }

    private let model: TaskReplayModel
    private let limits: [TaskReplayModel.Limit]
    private let threads: Int
    /// See ``TaskReplayModel/joins(_:of:)``.
    private let joins: [Int32]
    private let factor: (TaskReplayModel.Piece) -> Double

    private var events = Heap<Event>()
    private var order = 0
    private var now: Int64 = 0
    private var result = TaskReplayResult()
    private var start = Int64.max
    private var end = Int64.min
    /// A rank's priority is above that many bits.
    private static let orderBits: UInt64 = 48
    /// For each piece, how many things must still happen before it is ready; and since when it is.
    private var conditions: [UInt32]
    private var ready: [Int64]

    /// How many threads of the pool are taken; how many there are; and how many there will be.
    private var busy = 0
    private var present = 0
    private var requested = 0
    /// Pieces in the order in which they became ready: what ranks refer to.
    private var ranked: [Int32] = []
    /// Ranks of what waits for a thread of the pool, and for each executor: the lowest goes first.
    private var pool = Heap<UInt64>()
    private var lines: [Heap<UInt64>]
    /// Executors that have a task, and actors that wait for a thread.
    private var isTaken: [Bool]
    private var isInPool: [Bool]
    /// For each task that runs, the executor whose own thread it has; or one of the pool's, or another one.
    private var threadOfTask: [Int32]
    private static let ofPool: Int32 = -1
    private static let other: Int32 = -2
    private var hasEnded: [Bool]

    /// - Parameter factor: for the length of each piece.
    init(
        _ model: TaskReplayModel, limits: [TaskReplayModel.Limit], threads: Int, joins: [Int32],
        _ factor: @escaping (TaskReplayModel.Piece) -> Double
    ) {
        self.model = model
        self.limits = limits
        self.threads = threads
        self.joins = joins
        self.factor = factor
        conditions = model.pieces.map { $0.isFirst || !$0.hasWaker ? 1 : 2 }
        for (piece, join) in joins.enumerated() where piece != Int(join) { conditions[Int(join)] += 1 }
        ready = [Int64](repeating: 0, count: model.pieces.count)
        lines = limits.map { _ in [] }
        isTaken = limits.map { _ in false }
        isInPool = isTaken
        threadOfTask = [Int32](repeating: Self.ofPool, count: model.tasks)
        hasEnded = [Bool](repeating: false, count: model.pieces.count)
    }

    mutating func run() -> TaskReplayResult {
        for (piece, known) in model.pieces.enumerated() where known.isFirst && !known.hasWaker {
            add(.isMet, piece, at: known.delay)
        }
        while let event = events.popMin() {
            now = event.time
            switch event.kind {
            case .isMet: meet(Int(event.piece))
            case .canBegin: enqueue(Int(event.piece))
            case .hasEnded: finish(Int(event.piece))
            case .threadComes:
                present += 1
                dispatch()
            }
        }
        if end >= start { result.makespan = end - start }
        for piece in hasEnded.indices where !hasEnded[piece] && next(after: piece) == nil {
            result.stuckTasks += 1
        }
        return result
    }

    // MARK: Inside

    /// The next piece of the same task.
    private func next(after piece: Int) -> Int? {
        let next = piece + 1
        return next == model.pieces.count || model.pieces[next].isFirst ? nil : next
    }

    /// What begins no sooner than what a piece waited for; itself, unless its task no longer waits there.
    private func join(of piece: Int) -> Int { joins.isEmpty ? piece : Int(joins[piece]) }

    private func limit(of executor: Int32) -> TaskReplayModel.Limit {
        executor < 0 ? .pool : limits[Int(executor)]
    }

    private mutating func add(_ kind: Event.Kind, _ piece: Int, at time: Int64) {
        events.insert(Event(time: max(time, now), order: order, kind: kind, piece: Int32(piece)))
        order += 1
    }

    private mutating func meet(_ piece: Int) {
        conditions[piece] -= 1
        guard conditions[piece] == 0 else { return }
        ready[piece] = now
        let wait = model.pieces[piece].otherWait
        if wait > 0 { add(.canBegin, piece, at: now + wait) } else { enqueue(piece) }
    }

    private mutating func enqueue(_ piece: Int) {
        let task = Int(model.pieces[piece].task)
        let rank = UInt64(255 - model.pieces[piece].priority) << Self.orderBits | UInt64(ranked.count)
        ranked.append(Int32(piece))
        let executor = Int(model.pieces[piece].executor)
        switch limit(of: Int32(executor)) {
        case .none:
            threadOfTask[task] = Self.other
            begin(piece)
        case .pool:
            threadOfTask[task] = Self.ofPool
            pool.insert(rank)
            dispatch()
        case .actor:
            threadOfTask[task] = Self.ofPool
            lines[executor].insert(rank)
            if !isTaken[executor] { askForThread(executor) }
        case .thread:
            threadOfTask[task] = Int32(executor)
            lines[executor].insert(rank)
            if !isTaken[executor] { beginNext(executor) }
        }
    }

    /// What a rank refers to.
    private func item(_ rank: UInt64) -> Int32 { ranked[Int(rank & ((1 << Self.orderBits) - 1))] }

    /// An actor whose tasks wait needs a thread, as urgently as the first of them.
    private mutating func askForThread(_ actor: Int) {
        guard !isInPool[actor], let first = lines[actor].min else { return }
        isInPool[actor] = true
        pool.insert((first >> Self.orderBits) << Self.orderBits | UInt64(ranked.count))
        ranked.append(-1 - Int32(actor))
        dispatch()
    }

    private mutating func dispatch() {
        while busy < present, let rank = pool.popMin() {
            let item = item(rank)
            if item >= 0 {
                busy += 1
                begin(Int(item))
                continue
            }
            let actor = Int(-1 - item)
            isInPool[actor] = false
            // Meanwhile, a task may have taken the actor without being suspended.
            if !isTaken[actor], beginNext(actor) { busy += 1 }
        }
        // A thread for each that needs one.
        while requested < threads, requested < busy + pool.count {
            add(.threadComes, 0, at: now.saturatingAdd(model.delay(ofThread: requested)))
            requested += 1
        }
    }

    /// Whether a task waited for the executor, which begins on a thread that is there.
    @discardableResult
    private mutating func beginNext(_ executor: Int) -> Bool {
        guard let rank = lines[executor].popMin() else { return false }
        isTaken[executor] = true
        begin(Int(item(rank)))
        return true
    }

    private mutating func begin(_ index: Int) {
        let piece = model.pieces[index]
        let begin = join(of: index) == index ? now.saturatingAdd(piece.latency) : now
        result.executorWait = result.executorWait.saturatingAdd(begin - ready[index])
        start = min(start, begin)
        let factor = factor(piece)
        func scaled(_ time: Int64) -> Int64 { Makespans.scaled(time, by: factor) }
        // A task may become ready a moment after the one that made it ready has ended.
        model.forEachWake(of: index) { wake in
            let late = max(0, wake.offset - piece.length)
            add(
                .isMet, join(of: Int(wake.piece)),
                at: begin.saturatingAdd(scaled(wake.offset - late)).saturatingAdd(late))
        }
        add(.hasEnded, index, at: begin.saturatingAdd(scaled(piece.length)))
    }

    private mutating func finish(_ index: Int) {
        let piece = model.pieces[index]
        end = max(end, now)
        hasEnded[index] = true
        let next = next(after: index)
        if let next {
            let known = model.pieces[next]
            let join = join(of: next)
            if join != next, !known.hasWaker { add(.isMet, join, at: now.saturatingAdd(known.delay)) }
            if known.isInRun || join != next { return goOn(next, after: piece) }
            add(.isMet, next, at: now.saturatingAdd(known.delay))
        }
        leave(piece)
    }

    /// A run goes on on another executor: at once if that is free.
    private mutating func goOn(_ next: Int, after piece: TaskReplayModel.Piece) {
        let executor = model.pieces[next].executor
        let isExclusive = limit(of: executor) == .actor || limit(of: executor) == .thread
        conditions[next] = 0
        ready[next] = now
        if executor == piece.executor { return begin(next) }
        if isExclusive, isTaken[Int(executor)], threadOfTask[Int(piece.task)] != executor {
            // As in the runtime, it is then suspended.
            leave(piece)
            return enqueue(next)
        }
        if isExclusive { isTaken[Int(executor)] = true }
        release(piece)
        begin(next)
    }

    /// A run is over, or its task waits for another executor. The next one has its thread.
    private mutating func leave(_ piece: TaskReplayModel.Piece) {
        let thread = threadOfTask[Int(piece.task)]
        if limit(of: piece.executor) == .actor, thread == Self.ofPool, beginNext(Int(piece.executor)) {
            // The thread stays with the actor as long as tasks wait for it.
            return
        }
        release(piece)
        switch thread {
        case Self.other: break
        case Self.ofPool:
            busy -= 1
            dispatch()
        default:
            isTaken[Int(thread)] = false
            beginNext(Int(thread))
        }
    }

    /// The next one that waits for the executor may have it. The thread remains.
    private mutating func release(_ piece: TaskReplayModel.Piece) {
        let executor = Int(piece.executor)
        switch limit(of: piece.executor) {
        case .pool, .none: break
        case .actor:
            isTaken[executor] = false
            askForThread(executor)
        case .thread:
            // Its own thread goes with it when the run is over.
            if threadOfTask[Int(piece.task)] == piece.executor { return }
            isTaken[executor] = false
            beginNext(executor)
        }
    }
}
