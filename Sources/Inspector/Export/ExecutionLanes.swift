import InspectorColumns

/// Assigns the executions of a trace to lanes, several for a thread if executions overlap. Operations may go
/// on after their thread has turned to others, but viewers need slices on one track not to overlap.
struct ExecutionLanes {
    struct Lane {
        /// Index into the trace's thread numbers; -1 for operations whose thread is not known.
        let thread: Int32
        /// The number among the lanes of its thread, from 0.
        let number: Int32
    }

    struct Execution {
        let operation: Int32
        let start: Int64
        let end: Int64
    }

    /// In the order of the first execution on each lane.
    private(set) var lanes: [Lane] = []
    /// The lane of each operation, or -1 if it never executed.
    private(set) var laneOfOperation: [Int32]
    /// Ordered by start.
    private(set) var executions: [Execution] = []

    private let threadNumbers: [UInt64]

    /// Cost: O(log lanes) for each execution.
    init(_ analysis: TraceAnalysis) {
        let columns = analysis.trace.operations.store.columns
        threadNumbers = columns.threadNumbers
        laneOfOperation = Array(repeating: -1, count: columns.count)
        let allWaits = analysis.waits
        for (index, line) in analysis.timings.transitions.enumerated() {
            guard let line, line.executing != nil, let waits = allWaits[index] else { continue }
            executions.append(
                Execution(operation: Int32(index), start: line.start, end: line.start + waits.execution))
        }
        executions = executions.sortedByDigits { $0.start }
        sortStartsTogether()
        // The last one is for operations without a known thread.
        var packings = [LanePacking](repeating: LanePacking(), count: threadNumbers.count + 1)
        var numbers = [[Int32]](repeating: [], count: packings.count)
        for execution in executions {
            let thread = columns.threads[Int(execution.operation)]
            let place = thread < 0 ? threadNumbers.count : Int(thread)
            let lane = Int(packings[place].lane(from: execution.start, to: execution.end))
            if lane == numbers[place].count {
                numbers[place].append(Int32(lanes.count))
                lanes.append(Lane(thread: thread, number: Int32(lane)))
            }
            laneOfOperation[Int(execution.operation)] = numbers[place][lane]
        }
    }

    /// Puts the longest first if several start at the same moment. So an execution that took no time does not
    /// share a lane with one that starts then: viewers would nest it in the other, and attach the other's
    /// arrows to it.
    private mutating func sortStartsTogether() {
        var first = 0
        while first < executions.count {
            var end = first + 1
            while end < executions.count, executions[end].start == executions[first].start { end += 1 }
            if end - first > 1 {
                executions[first..<end].sort { ($1.end, $0.operation) < ($0.end, $1.operation) }
            }
            first = end
        }
    }

    /// `thread 17`, `thread 17 · 2`.
    func name(of lane: Lane) -> String {
        let thread = lane.thread < 0 ? "no thread known" : "thread \(threadNumbers[Int(lane.thread)])"
        return lane.number == 0 ? thread : "\(thread) · \(lane.number + 1)"
    }

    /// The number of the lane's thread; nil for a lane without a thread, or that is not the first of its
    /// thread.
    func threadNumber(of lane: Lane) -> UInt64? {
        lane.thread < 0 || lane.number > 0 ? nil : threadNumbers[Int(lane.thread)]
    }
}
