import InspectorColumns

/// What threads without operations did for operations.
///
/// An operation that is blocked or off thread can have given its work to another thread. Which one is not
/// recorded. So what such threads calculate counts as work of the operations of their process that are
/// blocked or off thread meanwhile, to equal parts. What they calculate while there are none, and what the
/// main thread calculates, is the program's own.
package struct DelegatedWork: Sendable {
    /// Of some time in which an operation was blocked or off thread; in nanoseconds.
    package struct Share: Sendable {
        /// How long other threads were on processors for it, altogether.
        package var work = 0.0
        /// How long at least one of them was.
        var calculating = 0.0
        /// How long none was, but at least one waited for a processor.
        var waiting = 0.0
    }

    /// What one operation of a process gets, from some time on.
    private struct Process: Sendable {
        var times: [Int64] = []
        var rates: [Share] = []
        var sums: [Share] = []

        mutating func append(_ rate: Share, at time: Int64) {
            if times.last == time {
                rates[rates.count - 1] = rate
                return
            }
            sums.append(sum(at: time))
            times.append(time)
            rates.append(rate)
        }

        func sum(at time: Int64) -> Share {
            let index = times.partitioningIndex { $0 > time }
            guard index > 0 else { return Share() }
            let length = Double(time - times[index - 1])
            return sums[index - 1] + rates[index - 1] * length
        }
    }

    private var processes: [Int32: Process] = [:]
    private let processOfOperation: Column<Int32>
    /// By operation: whether it can have given work away. Others added operations or waited for some, and
    /// their other work is not told apart from that.
    private let isPossible: [Bool]
    /// What the program calculated for no operation.
    private(set) var background: [Background] = []

    /// One thread on a processor.
    struct Background: Sendable {
        let process: Int32
        let start: Int64
        let end: Int64
    }

    /// Cost: nearly linear in operations and switches.
    package init(_ use: ProcessorUse, _ outside: OutsideStretches) {
        let trace = use.timings.trace
        let operations = use.timings.transitions.indices
        processOfOperation = trace.operations.store.columns.processes
        var isPossible = [Bool](repeating: true, count: operations.count)
        for (child, parent) in trace.operations.store.columns.parents.values.enumerated()
        where parent != child && isPossible.indices.contains(Int(parent)) {
            isPossible[Int(parent)] = false
        }
        for wait in trace.blockingWaits {
            if let waiting = wait.operation, isPossible.indices.contains(waiting) {
                isPossible[waiting] = false
            }
        }
        self.isPossible = isPossible
        func isMain(_ thread: ProcessThread) -> Bool {
            trace.isMainThread(thread.number, ofProcess: Int(thread.process))
        }
        background = outside.stretches.filter { isMain($0.thread) && $0.isOnCPU }.map {
            Background(process: $0.thread.process, start: $0.start, end: $0.end)
        }
        let helping = outside.stretches.filter { !isMain($0.thread) }
        if helping.isEmpty { return }
        var changes: [Int32: [Change]] = [:]
        for operation in operations where isPossible[operation] {
            for stretch in use.stretches(of: operation)
            where stretch.part == .blocked || stretch.part == .offThread {
                changes[processOfOperation[operation], default: []] += [
                    Change(time: stretch.start, idle: 1), Change(time: stretch.end, idle: -1),
                ]
            }
        }
        for stretch in helping {
            let (onCPU, waiting) = stretch.isOnCPU ? (1, 0) : (0, 1)
            changes[stretch.thread.process, default: []] += [
                Change(time: stretch.start, onCPU: onCPU, waiting: waiting),
                Change(time: stretch.end, onCPU: -onCPU, waiting: -waiting),
            ]
        }
        for (process, changes) in changes { take(changes.sortedByDigits(\.time), of: process) }
        background.sort { ($0.start, $0.process, $0.end) < ($1.start, $1.process, $1.end) }
    }

    private struct Change {
        let time: Int64
        var idle = 0
        var onCPU = 0
        var waiting = 0
    }

    private mutating func take(_ changes: [Change], of process: Int32) {
        var (idle, onCPU, waiting, last) = (0, 0, 0, Int64(0))
        var result = Process()
        for change in changes {
            if idle == 0, onCPU > 0, change.time > last {
                background += repeatElement(
                    Background(process: process, start: last, end: change.time), count: onCPU)
            }
            idle += change.idle
            onCPU += change.onCPU
            waiting += change.waiting
            last = change.time
            result.append(Self.rate(idle, onCPU: onCPU, waiting: waiting), at: last)
        }
        processes[process] = result
    }

    /// For one of some operations that are blocked or off thread.
    private static func rate(_ idle: Int, onCPU: Int, waiting: Int) -> Share {
        guard idle > 0, onCPU + waiting > 0 else { return Share() }
        let threads = Double(onCPU + waiting) / Double(idle)
        let running = Double(onCPU) / Double(onCPU + waiting)
        return Share(
            work: threads * running, calculating: min(threads, 1) * running,
            waiting: min(threads, 1) * (1 - running))
    }

    /// What an operation got while it was blocked or off thread from `start` to `end`. Logarithmic.
    package func share(of operation: Int, from start: Int64, to end: Int64) -> Share {
        guard start < end, isPossible[operation], let process = processes[processOfOperation[operation]]
        else { return Share() }
        return process.sum(at: end) + process.sum(at: start) * -1
    }
}

extension DelegatedWork {
    /// What an operation got while it was in one of these parts.
    package func share(
        of operation: Int, in parts: Set<ExecutionParts.Part> = [.blocked, .offThread], _ use: ProcessorUse
    ) -> Share {
        use.stretches(of: operation).reduce(Share()) { sum, stretch in
            parts.contains(stretch.part)
                ? sum + share(of: operation, from: stretch.start, to: stretch.end) : sum
        }
    }
}

extension DelegatedWork.Share {
    /// For how long something was done, or could have been with a processor more.
    package var time: Int64 { Int64(rounding: calculating + waiting) }

    static func + (lhs: Self, rhs: Self) -> Self {
        Self(
            work: lhs.work + rhs.work, calculating: lhs.calculating + rhs.calculating,
            waiting: lhs.waiting + rhs.waiting)
    }

    fileprivate static func * (lhs: Self, factor: Double) -> Self {
        Self(work: lhs.work * factor, calculating: lhs.calculating * factor, waiting: lhs.waiting * factor)
    }
}
