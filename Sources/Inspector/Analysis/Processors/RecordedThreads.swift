import InspectorColumns

/// On which threads the operations of a run executed, and how many threads each process had for them.
struct RecordedThreads: Sendable {
    /// A new maximum of threads that executed operations at once, and when it was reached.
    struct Step: Sendable {
        let time: Int64
        let process: Int
        let width: Int
    }

    /// For each operation, the process of whose pool its thread is; -1 if its thread is of no pool.
    private(set) var pools: [Int32]
    /// When the operation before on the same thread had ended; nothing is before it on a new thread.
    private(set) var freeSince: [Int64?]
    /// Operations that executed inside of another one on the same thread.
    private(set) var isNested: [Bool]
    /// Ordered by time. Where the pool is as wide as the machine from the beginning, the first steps change
    /// nothing.
    private(set) var steps: [Step] = []
    /// Whether operations with slots never waited for threads, although more of them executed than there are
    /// processors: the queues have threads of their own.
    private(set) var isOneForEachSlot = false

    /// When each thread had an operation, from the time when the thread was free and the operation had a
    /// slot. In order, and disjoint.
    private(set) var operations: [ProcessThread: [Range<Int64>]] = [:]

    /// A thread takes less than this to begin. A longer wait for a new thread was for the pool to grow.
    private static let newThread: Int64 = 1_000_000
    /// Waits for threads are nothing if they are less than this part of the executions.
    private static let negligible = 0.03

    /// Cost: nearly linear in operations.
    ///
    /// - Parameters:
    ///   - dispatchDelays: for each operation, how long before its start it had a slot.
    ///   - processors: by process.
    init(
        _ analysis: TraceAnalysis, _ use: ProcessorUse, dispatchDelays: [Int64], takesPart: [Bool],
        processors: [Int]
    ) {
        let trace = analysis.trace
        let columns = trace.operations.store.columns
        pools = Array(repeating: -1, count: takesPart.count)
        freeSince = Array(repeating: nil, count: takesPart.count)
        isNested = Array(repeating: false, count: takesPart.count)
        var bodies: [(operation: Int, body: ProcessorUse.Body)] = []
        for index in takesPart.indices where takesPart[index] {
            if let body = use.body(of: index) { bodies.append((index, body)) }
        }
        var ends: [ProcessThread: Int64] = [:]
        var changes: [(time: Int64, process: Int, change: Int)] = []
        var (waited, executed) = (0.0, 0.0)
        for (index, body) in bodies.sortedByDigits(\.body.start) {
            let end = ends[body.thread]
            ends[body.thread] = max(end ?? .min, body.end)
            if let end, end > body.start {
                isNested[index] = true
                continue
            }
            let process = Int(body.thread.process)
            let slot = body.start - dispatchDelays[index]
            let free = end ?? max(slot, body.start - Self.newThread)
            freeSince[index] = free
            operations[body.thread, default: []].append(min(max(slot, free), body.start)..<body.end)
            guard columns.queues[index] >= 0, trace.processes.indices.contains(process),
                !trace.isMainThread(body.thread.number, ofProcess: process)
            else { continue }
            pools[index] = body.thread.process
            waited += Double(max(0, free - slot))
            executed += Double(body.end - body.start)
            changes.append((body.end, process, -1))
            changes.append((max(slot, free), process, 1))
        }
        var running = [Int](repeating: 0, count: trace.processes.count)
        var widths = processors
        // Of equal times, ends come first.
        for change in changes.sortedByDigits({ $0.time * 2 + ($0.change > 0 ? 1 : 0) }) {
            running[change.process] += change.change
            if running[change.process] > widths[change.process] {
                widths[change.process] = running[change.process]
                steps.append(Step(time: change.time, process: change.process, width: running[change.process]))
            }
        }
        // One more can be a processor that was never used.
        let areMore = zip(widths, processors).contains { $0 >= $1 + 2 }
        isOneForEachSlot = areMore && waited <= executed * Self.negligible
    }
}
