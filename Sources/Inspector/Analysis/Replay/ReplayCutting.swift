import InspectorColumns

/// Cuts executions into ``ReplayPieces``.
struct ReplayCutting {
    typealias Interval = (start: Int64, end: Int64)

    /// Executions with more stretches are read as sums once the budget is used up.
    private static let freeStretches = 16

    private let analysis: TraceAnalysis
    private let children: Grouping
    private let use: ProcessorUse
    private let processors: [Int]
    private let loads: [OtherProgramsLoad]
    private let hosts: [Int]
    private let threads: RecordedThreads
    private let delegated: DelegatedWork
    private let takesPart: [Bool]
    private let dispatchDelays: [Int64]
    private var first = [0]
    private var kinds: [ReplayPieces.Kind] = []
    private var values: [Int64] = []
    private var threadCounts: [Int: Double] = [:]
    private var isAdded: [Bool]
    private var awaits: [ReplayExecution.Pair] = []
    /// How many more stretches may be read, so that no trace takes more than n log n: in an inconsistent
    /// log, many executions can be on one thread at once.
    private var budget: Int

    /// Nil if the trace does not say when threads were on processors.
    init?(_ analysis: TraceAnalysis, _ takesPart: [Bool], dispatchDelays: [Int64]) {
        guard let use = ProcessorUse(analysis.timings), !use.histories.isEmpty else { return nil }
        self.analysis = analysis
        children = analysis.nesting.children
        self.use = use
        self.takesPart = takesPart
        self.dispatchDelays = dispatchDelays
        var numbers: [String: Int] = [:]
        let hosts = analysis.trace.processes.map { process in
            let number = numbers[process.host] ?? numbers.count
            numbers[process.host] = number
            return number
        }
        self.hosts = hosts
        let histories = (0..<numbers.count).map { host in
            use.histories.filter {
                hosts.indices.contains(Int($0.key.process)) && hosts[Int($0.key.process)] == host
            }
        }
        let recorded = analysis.trace.processes.map { $0.processors?.usable }
        let processors = histories.indices.map { host in
            // Programs of one machine may have different processors. Some of a trace may not say.
            let known = recorded.indices.filter { hosts[$0] == host }.compactMap { recorded[$0] }.max()
            return known ?? ThreadsAtOnce.most(of: histories[host].values) ?? 1
        }
        self.processors = processors
        let threads = RecordedThreads(
            analysis, use, dispatchDelays: dispatchDelays, takesPart: takesPart,
            processors: hosts.map { processors[$0] })
        self.threads = threads
        let outside = OutsideStretches(use)
        delegated = DelegatedWork(use, outside)
        loads = histories.indices.map { host in
            OtherProgramsLoad(
                histories[host], operations: threads.operations,
                outside: outside.stretches.filter { hosts[Int($0.thread.process)] == host },
                processors: processors[host])
        }
        isAdded = Array(repeating: false, count: takesPart.count)
        budget = 4 * use.histories.values.reduce(takesPart.count) { $0 + $1.count }
    }

    var pieces: ReplayPieces {
        ReplayPieces(
            first: first, kinds: kinds, values: values, threadCounts: threadCounts,
            background: background, isAdded: isAdded,
            awaiters: ReplayModel.Lists(awaits, count: takesPart.count), threads: threads, hosts: hosts,
            processors: processors, quotas: quotas)
    }

    private var quotas: [Double] {
        var quotas = processors.map { Double($0) }
        for (host, process) in zip(hosts, analysis.trace.processes) {
            if let quota = process.processors?.quota { quotas[host] = min(quotas[host], quota) }
        }
        return quotas
    }

    private var background: [ReplayPieces.Background] {
        delegated.background.map {
            ReplayPieces.Background(
                time: $0.start, work: $0.end - $0.start, machine: hosts[Int($0.process)])
        }
    }

    /// The next operation, which does nothing that is known.
    mutating func addNothing() { first.append(kinds.count) }

    /// The next operation.
    ///
    /// - Parameters:
    ///   - entries: what it waited for, by time.
    ///   - waits: when it seems to have waited for others; ordered by time, without overlaps.
    mutating func add(
        _ index: Int, _ line: OrderedTransitions, _ entries: [ExecutionWaits.Entry], waits: [Interval]
    ) {
        defer { first.append(kinds.count) }
        let body = use.body(of: index)
        addDispatch(of: index, line, body?.thread)
        let nested = entries.compactMap { entry -> Interval? in
            guard let body, entry.reason == .child, threads.isNested[entry.operation],
                let inner = use.body(of: entry.operation), inner.thread == body.thread
            else { return nil }
            return (inner.start, inner.end)
        }
        var (waits, inside) = (Intervals(waits), Intervals(nested))
        var marks = marks(of: index, line, entries)[...]
        var hasLeft = body == nil
        for stretch in stretches(of: index) {
            if stretch.part == .offThread, let body, stretch.start >= body.end, !hasLeft {
                append(.leavesThread, 0)
                hasLeft = true
            }
            var begin = stretch.start
            while begin < stretch.end {
                while let mark = marks.first, mark.time <= begin {
                    add(mark, of: index, isCalculating: stretch.part == .onCPU)
                    marks.removeFirst()
                }
                let end = min(marks.first?.time ?? .max, stretch.end)
                add(stretch.part, (begin, end), waits.length(begin, end), inside.length(begin, end), index)
                begin = end
            }
        }
        for mark in marks { add(mark, of: index, isCalculating: false) }
    }

    // MARK: One operation

    private struct Mark {
        let time: Int64
        let kind: ReplayPieces.Kind
        let operation: Int
        /// Whether it is certainly a wait.
        let isSure: Bool
    }

    /// What it adds and what it waits for, by time.
    private mutating func marks(
        of index: Int, _ line: OrderedTransitions, _ entries: [ExecutionWaits.Entry]
    ) -> [Mark] {
        let transitions = analysis.timings.transitions
        var marks: [(order: Int64, mark: Mark)] = []
        for child in children[index].map(Int.init) where takesPart[child] {
            guard let added = transitions.enqueued(of: child), line.start <= added, added <= line.end else {
                continue
            }
            isAdded[child] = true
            marks.append((added * 4 + 1, Mark(time: added, kind: .adds, operation: child, isSure: true)))
        }
        for (position, entry) in entries.enumerated() {
            let added = transitions.enqueued(of: entry.operation) ?? .min
            // The log contradicts itself.
            if entry.moment < added { continue }
            let isSure =
                entry.reason != .child || threads.isNested[entry.operation] || position == entries.count - 1
            marks.append(
                (
                    entry.moment * 4 + (added == entry.moment ? 2 : 0),
                    Mark(time: entry.moment, kind: .awaits, operation: entry.operation, isSure: isSure)
                ))
        }
        return marks.sortedByDigits(\.order).map(\.mark)
    }

    /// A thread that calculated did not wait.
    private mutating func add(_ mark: Mark, of index: Int, isCalculating: Bool) {
        guard mark.isSure || !isCalculating else { return }
        append(mark.kind, Int64(mark.operation))
        if mark.kind == .awaits {
            awaits.append(
                (Int32(truncatingIfNeeded: mark.operation), Int32(truncatingIfNeeded: index), 0))
        }
    }

    private mutating func add(
        _ part: ExecutionParts.Part, _ stretch: Interval, _ waited: Int64, _ nested: Int64, _ index: Int
    ) {
        let length = stretch.end - stretch.start
        switch part {
        case .onCPU: append(.calculates, length - nested)
        case .waitingForCPU: if nested == 0 { append(.taken, taken(stretch, index)) }
        case .blocked, .offThread:
            let left = length - max(waited, nested)
            append(.blocks, left - (left < length ? 0 : addDelegates(stretch, index)))
        case .unmeasured: append(.unmeasured, length - max(waited, nested))
        }
    }

    /// What other threads calculated for an operation that was blocked or off thread. Returns how long that
    /// took, waits for processors included.
    private mutating func addDelegates(_ stretch: Interval, _ index: Int) -> Int64 {
        let share = delegated.share(of: index, from: stretch.start, to: stretch.end)
        let length = stretch.end - stretch.start
        func whole(_ time: Double) -> Int64 { TraceMoment.bounded(Int64(rounding: time)) }
        let (calculating, waiting) = (whole(share.calculating), whole(share.waiting))
        guard calculating > 0 else { return 0 }
        // For so long, some of its threads waited for a processor that another program had.
        let taken = Double(taken(stretch, index)) / Double(length) * share.waiting
        let threads = max(1, share.work / share.calculating)
        append(.taken, whole(taken), threads: threads)
        append(.delegates, calculating, threads: threads)
        return min(length, calculating.saturatingAdd(waiting))
    }

    /// What its thread did between getting the slot and the start, as far as it was free.
    private mutating func addDispatch(of index: Int, _ line: OrderedTransitions, _ thread: ProcessThread?) {
        let slot = line.start - dispatchDelays[index]
        guard let thread, let history = use.histories[thread] else {
            if !threads.isNested[index] { append(.wakes, dispatchDelays[index]) }
            return
        }
        guard let free = threads.freeSince[index] else { return }
        let begin = min(max(slot, free), line.start)
        let parts = history.parts(from: begin, to: line.start)
        append(.wakes, parts.blocked + parts.unmeasured)
        append(.taken, min(parts.waitingForCPU, taken((begin, line.start), index)))
        append(.dispatches, parts.onCPU)
    }

    private func taken(_ stretch: Interval, _ index: Int) -> Int64 {
        let process = Int(analysis.trace.operations.store.columns.processes[index])
        guard hosts.indices.contains(process) else { return 0 }
        return loads[hosts[process]].taken(from: stretch.start, to: stretch.end)
    }

    private mutating func stretches(of index: Int) -> [ExecutionStretch] {
        let count = use.stretchCount(of: index)
        guard count > Self.freeStretches, count > budget else {
            budget -= count
            return use.stretches(of: index)
        }
        guard let parts = use.parts(of: index), let start = analysis.timings.transitions.start(of: index)
        else {
            return []
        }
        return parts.inUsualOrder(from: start)
    }

    private mutating func append(_ kind: ReplayPieces.Kind, _ value: Int64, threads: Double = 1) {
        let isTime =
            switch kind {
            case .leavesThread, .adds, .awaits: false
            case .wakes, .dispatches, .calculates, .delegates, .blocks, .unmeasured, .taken: true
            }
        if isTime, value <= 0 { return }
        let last = kinds.count - 1
        if isTime, kinds.count > first[first.count - 1], kinds[last] == kind,
            (threadCounts[last] ?? 1) == threads
        {
            values[last] += value
        } else {
            if threads > 1 { threadCounts[kinds.count] = threads }
            kinds.append(kind)
            values.append(value)
        }
    }
}

/// Intervals that are asked in order how much of a time they cover.
private struct Intervals {
    private var rest: ArraySlice<ReplayCutting.Interval>

    init(_ intervals: [ReplayCutting.Interval]) {
        rest =
            DisjointRanges(intervals.filter { $0.start < $0.end }.map { $0.start..<$0.end }).ranges
            .map { ($0.lowerBound, $0.upperBound) }[...]
    }

    /// - Parameter start: not before the end of the last call.
    mutating func length(_ start: Int64, _ end: Int64) -> Int64 {
        var length: Int64 = 0
        while let next = rest.first, next.start < end {
            length += max(0, min(next.end, end) - max(next.start, start))
            if next.end > end { break }
            rest.removeFirst()
        }
        return length
    }
}
