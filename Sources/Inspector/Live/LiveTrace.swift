import EventLog
import InspectorColumns

/// Creates a trace of what a running program is doing, so that the analyses of traces can be used.
///
/// It contains the unfinished operations and tasks, and the last finished operations.
struct LiveTrace {
    private let state: LiveState
    private let text: (UInt32) -> String
    private var texts = InternedTexts()
    /// By the number of a text in the log.
    private var numbers: [UInt32: InternedTexts.Number] = [:]

    /// - Parameter text: returns the text for a number in the log.
    init(_ state: LiveState, text: @escaping (UInt32) -> String) {
        self.state = state
        self.text = text
    }

    /// Cost: O(n log n) in open operations, plus looking up their names.
    ///
    /// - Parameter header: its `lastAlive` is the end of the trace.
    mutating func make(_ header: LogHeader) -> Trace {
        var operations = state.operations.open.filter { operation in
            switch operation.phase {
            case .unseen, .pending, .ready, .executing: true
            case .finished, .lost: false
            }
        }
        operations += state.operations.recent
        operations.sort { $0.id < $1.id }
        let indices = Dictionary(
            operations.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        var trace = Trace(header: header)
        var columns = OperationColumns()
        for (index, operation) in operations.enumerated() {
            add(operation, index, indices, &columns)
            if operation.usedCPU != LiveOperation.never {
                let wait = operation.waitedForCPU
                trace.bodyUses[Int32(index)] = Trace.BodyUse(
                    onCPU: operation.usedCPU, waitedForCPU: wait == LiveOperation.never ? nil : wait,
                    readAt: operation.usesRead,
                    finish: operation.finished == LiveOperation.never ? nil : operation.finished)
            }
            for predecessor in operation.predecessors {
                guard let predecessor = indices[predecessor], predecessor != index else { continue }
                trace.edges.append(Trace.Edge(predecessor: predecessor, successor: index))
            }
            if operation.mark != 0 {
                trace.marks.append(
                    TraceMark(
                        time: operation.marked, thread: operation.thread, text: text(operation.mark),
                        operation: index))
            }
        }
        let end = max(header.lastAlive, columns.lastTime)
        trace.tasks = state.tasks.traced(until: end, &texts, text: text)
        trace.operations = TracedOperations(OperationStore(columns, texts))
        if !state.searches.isEmpty { trace.take(Array(state.searches.values)) }
        trace.queues = state.queues.all.map { queue in
            var traced = TracedQueue(id: QueueID(queue.id), name: text(queue.name))
            traced.limits = [(0, queue.limit)]
            if queue.isSuspended, queue.suspendedSince < end {
                traced.suspensions = [queue.suspendedSince..<end]
            }
            return traced
        }
        trace.blockingWaits = blockingWaits(indices)
        trace.repeatedTransitions = state.repeated.compactMap { repeated in
            indices[repeated.operation].map {
                .init(transition: repeated.transition, operation: $0, time: repeated.time)
            }
        }
        return trace
    }

    private mutating func add(
        _ operation: LiveOperation, _ index: Int, _ indices: [UInt64: Int], _ columns: inout OperationColumns
    ) {
        columns.append(operation.id)
        if let kind = operation.kind {
            columns.kinds[index] = columns.kind(number(kind), texts)
            columns.closures[index] = LiveTexts.isClosure(kind: kind)
        }
        if operation.name != 0, number(operation.name) != InternedTexts.empty {
            columns.names[index] = number(operation.name)
        }
        columns.queues[index] = operation.queue
        if let parent = indices[operation.parent], parent != index { columns.parents[index] = Int32(parent) }
        columns.priorities[index] = operation.priority
        func set(_ column: inout MomentColumn, _ time: Int64) {
            if time != LiveOperation.never { column[index] = TraceMoment(time) }
        }
        set(&columns.enqueued, operation.enqueued)
        set(&columns.ready, operation.ready)
        set(&columns.executing, operation.executing)
        set(&columns.bodyBegan, operation.bodyBegan)
        set(&columns.bodyEnded, operation.bodyEnded)
        set(&columns.cancelled, operation.cancelled)
        set(&columns.finished, operation.finished)
        set(&columns.unnotifiedFinish, operation.unnotifiedFinish)
        if operation.executing != LiveOperation.never {
            columns.threads[index] = columns.thread(ProcessThread(process: 0, number: operation.thread))
        }
        guard operation.finished != LiveOperation.never else { return }
        columns.outcomes[index] =
            switch operation.ending {
            case .succeeded: OperationColumns.succeeded
            case .cancelled: OperationColumns.cancelled
            case .failed: OperationColumns.failed + number(operation.message)
            }
    }

    private mutating func number(_ logged: UInt32) -> InternedTexts.Number {
        if let known = numbers[logged] { return known }
        let number = texts.number(of: text(logged))
        numbers[logged] = number
        return number
    }

    private func blockingWaits(_ indices: [UInt64: Int]) -> [BlockingWait] {
        var waits: [BlockingWait] = []
        for (thread, ofThread) in state.waits.all.sorted(by: { $0.key < $1.key }) {
            for wait in ofThread {
                let target: BlockingWait.Target? =
                    switch wait.target {
                    case .operation(let id): indices[id].map { .operation($0) }
                    case .queue(let id): state.queues.existingIndex(of: id).map { .queue($0) }
                    }
                guard let target else { continue }
                waits.append(
                    BlockingWait(
                        target: target, operation: indices[wait.operation], thread: thread, start: wait.start)
                )
            }
        }
        return waits
    }
}

extension OperationColumns {
    /// The time of the last transition.
    fileprivate var lastTime: Int64 {
        [enqueued, ready, executing, cancelled, finished].reduce(0) { max($0, $1.last) }
    }
}
