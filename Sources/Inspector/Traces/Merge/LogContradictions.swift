import EventLog

/// Counts events of a log that contradict earlier ones: events that a trace leaves out, and operations that
/// finished before they started.
struct LogContradictions {
    private(set) var count = 0
    private var operations: [UInt64: Lifetime] = [:]
    /// For each thread, how many waits have not ended.
    private var openWaits: [UInt64: Int] = [:]

    private struct Lifetime {
        /// A bit for each step that it reached.
        var steps: UInt8 = 0
        /// The earliest possible start.
        var started: Int64?
        var finished: Int64?

        /// False if it had reached the step before.
        mutating func reach(_ step: EventSchema.Step) -> Bool {
            defer { steps |= 1 << step.rawValue }
            return steps & 1 << step.rawValue == 0
        }

        mutating func forget(_ step: EventSchema.Step) { steps &= ~(1 << step.rawValue) }
    }

    /// Constant time.
    mutating func add(_ event: EventFields, _ meaning: EventSchema.Meaning) {
        switch meaning {
        case .step(let step): add(step, event)
        // It waits again, and becomes ready once more.
        case .edgeAdded: operations[event.subject]?.forget(.ready)
        case .waitBegan: openWaits[event.thread, default: 0] += 1
        case .waitEnded:
            guard let open = openWaits[event.thread], open > 0 else {
                count += 1
                return
            }
            openWaits[event.thread] = open - 1
        case .edgeRemoved, .contextSent, .contextReceived, .operationDetail, .queueNamed, .queueDetail, .mark,
            .threadTime, .sample, .taskCreated, .taskDetail, .executorOpened:
            break
        }
    }

    private mutating func add(_ step: EventSchema.Step, _ event: EventFields) {
        // A task may be cancelled again and again.
        if event.isOfTask, step == .cancelled { return }
        var lifetime = operations[event.subject] ?? Lifetime()
        guard lifetime.reach(step) else {
            count += 1
            return
        }
        switch step {
        // The thread that the execution began on may have left it before.
        case .bodyBegan: lifetime.forget(.bodyEnded)
        case .executing:
            let start = min(event.time, event.notBefore ?? event.time)
            lifetime.started = start
            if let finished = lifetime.finished, finished < start { count += 1 }
        case .finished:
            lifetime.finished = event.time
            if let start = lifetime.started, event.time < start { count += 1 }
        case .enqueued, .ready, .cancelled, .bodyEnded: break
        }
        operations[event.subject] = lifetime
    }
}
