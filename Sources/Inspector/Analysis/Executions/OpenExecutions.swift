import InspectorColumns

/// The open executions at the end of a trace, and what each of them may hold up.
final class OpenExecutions {
    /// Of the time since its start, the part in percent that makes an operation one that is blocked, or that
    /// calculates.
    private static let most: Int64 = 90

    private let trace: Trace
    private let columns: OperationColumns
    private let open: [Int]
    private let waits: OperationWaits
    private let end: Int64
    private let use: () -> ProcessorUse?
    private lazy var processorUse = use()
    private let usual: ((Int) -> OpenExecution.Usual?)?
    private lazy var usualInTrace = usualTimes()
    private lazy var children = waitingChildren()
    private lazy var ofProcesses = Dictionary(
        grouping: open.filter {
            columns.executing.has($0) && !columns.bodyEnded.has($0) && self[$0].activity == .calculating
        },
        by: { columns.processes[$0] })

    /// Cost: constant. The first look at an operation is linear in operations, and calls `use`.
    ///
    /// - Parameters:
    ///   - open: the operations that have not finished.
    ///   - end: the last time that the trace covers.
    ///   - use: what the threads of the trace did, if that is known.
    ///   - usual: how long others of the kind of an operation took; nil to ask the trace.
    init(
        _ trace: Trace, _ open: [Int], _ waits: OperationWaits, end: Int64,
        use: @escaping () -> ProcessorUse?, usual: ((Int) -> OpenExecution.Usual?)?
    ) {
        (self.trace, self.open, self.waits, self.end) = (trace, open, waits, end)
        (self.use, self.usual) = (use, usual)
        columns = trace.operations.store.columns
    }

    /// - Parameter index: of an operation that has started and not finished.
    subscript(index: Int) -> OpenExecution {
        let operation = trace.operations[index]
        let last = trace.lastMoment(of: index, end: end)
        let executed = max(0, (waits[index]?.execution ?? 0) - (end - last))
        return OpenExecution(
            executed: executed,
            returned: operation.bodyEnded.map { max(0, last - TraceMoment.bounded($0.notAfter)) },
            thread: operation.thread, activity: activity(of: index, executed),
            usual: usual.map { $0(index) }
                ?? usualInTrace[Int(columns.kinds[index])])
    }

    /// The first operation that this one added to its own queue and that has not started, if this one has a
    /// slot and none is free. Whether the body waits for it is not in the log.
    func childWaitingForItsSlot(_ index: Int) -> Int? { children[index] }

    /// The operations of a process that calculate.
    func calculating(in process: Int32) -> [Int] { ofProcesses[process] ?? [] }

    /// Whether the body of an operation has not returned, and is not known to be blocked. Not of Swift tasks.
    var isAnyAtWork: Bool {
        open.contains { index in
            guard columns.executing.has(index), !columns.bodyEnded.has(index), trace.task(index) == nil else {
                return false
            }
            return switch self[index].activity {
            case .blocked, .mostlyBlocked: false
            case .calculating, nil: true
            }
        }
    }

    /// By the operation that has a slot. Linear in open operations.
    private func waitingChildren() -> [Int: Int] {
        var free = trace.queues.map { queue in
            queue.limits.last.flatMap { $0.limit > 0 ? $0.limit : nil } ?? .max
        }
        func queue(_ index: Int) -> Int? {
            let queue = Int(columns.queues[index])
            return free.indices.contains(queue) ? queue : nil
        }
        for index in open where columns.executing.has(index) {
            if let queue = queue(index) { free[queue] -= 1 }
        }
        var children: [Int: Int] = [:]
        for child in open where columns.ready.has(child) && !columns.executing.has(child) {
            let parent = Int(columns.parents[child])
            guard trace.operations.indices.contains(parent), parent != child, children[parent] == nil,
                let queue = queue(child),
                columns.queues[parent] == columns.queues[child], free[queue] <= 0
            else { continue }
            children[parent] = child
        }
        return children
    }

    private func activity(of index: Int, _ executed: Int64) -> OpenExecution.Activity? {
        guard executed > 0, let parts = processorUse?.parts(of: index) else { return nil }
        func isMost(_ time: Int64) -> Bool { time / Self.most >= executed / 100 }
        if isMost(parts.blocked) {
            let last = processorUse?.stretches(of: index).last
            let isNow = last?.part == .blocked
            let time = last.map { $0.end - $0.start } ?? 0
            return isNow && isMost(time) ? .blocked(time) : .mostlyBlocked(parts.blocked)
        }
        return isMost(parts.onCPU.saturatingAdd(parts.waitingForCPU)) ? .calculating : nil
    }

    /// By kind.
    private func usualTimes() -> [Int: OpenExecution.Usual] {
        var (longest, counts): ([Int: Int64], [Int: Int]) = ([:], [:])
        for index in trace.operations.indices
        where columns.executing.has(index) && columns.finished.has(index) {
            let kind = Int(columns.kinds[index])
            longest[kind] = max(longest[kind] ?? 0, waits[index]?.execution ?? 0)
            counts[kind, default: 0] += 1
        }
        return counts.filter { $0.value >= OpenExecution.Usual.fewest }.reduce(into: [:]) {
            $0[$1.key] = OpenExecution.Usual(longest: longest[$1.key] ?? 0, count: $1.value)
        }
    }
}
