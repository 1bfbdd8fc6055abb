/// What keeps the operations of a queue from being done sooner.
public struct QueueBound: Hashable, Sendable {
    /// What that is.
    public enum Cause: CaseIterable, Hashable, Sendable {
        /// The queue's slots.
        case slots
        /// The threads of libdispatch's pool.
        case threads
        /// The processors.
        case processors
        /// Both; more of one alone change nothing.
        case slotsAndProcessors
        /// What its operations wait for while they block.
        case blocking
        /// What its operations calculate, and the operations that they depend on.
        case work
    }

    /// Index into the trace's queues.
    public let queue: Int
    /// What keeps the queue's operations.
    public let cause: Cause
    /// By how much shorter it would be from the queue's first enqueue to its last finish, as fractions: with
    /// a thread for each slot; with that and unlimited slots of this queue; with that and unlimited
    /// processors; and if the operations of this queue never blocked.
    public let threads, slots, processors, blocking: Double
}

extension Replay {
    /// Less than this part of a queue's time is nothing.
    private static let noGain = 0.02

    /// What bounds each queue, in the run without other threads on the processors. Empty if the trace does
    /// not say when threads were on processors.
    ///
    /// Cost: three replays, and two or three a queue.
    public func bounds(of queues: some Sequence<Int>) -> [QueueBound] {
        var alone = ReplayScenario()
        alone.isAlone = true
        return bounds(of: queues, alone, run(alone))
    }

    /// What is known to bound a queue, with the queue's index. Of a trace that does not say when threads were
    /// on processors, that is only its slots.
    ///
    /// Cost: that of ``bounds(of:)``, or else a replay a queue.
    func causesOfBounds(
        of queues: some Sequence<Int>, _ alone: ReplayScenario, _ unchanged: ReplayResult
    ) -> [Int: QueueBound.Cause] {
        let bounds = bounds(of: queues, alone, unchanged).map { ($0.queue, $0.cause) }
        let slots = boundBySlots(queues, unchanged).map { ($0, QueueBound.Cause.slots) }
        return Dictionary(bounds + slots) { first, _ in first }
    }

    /// The queues that would be done sooner with unlimited slots. Empty for traces that say when threads were
    /// on processors.
    private func boundBySlots(_ queues: some Sequence<Int>, _ unchanged: ReplayResult) -> [Int] {
        guard recordedProcessors == nil, unchanged.stuckOperations == 0 else { return [] }
        return queues.filter { queue in
            guard unchanged.queueSpans.indices.contains(queue) else { return false }
            var scenario = ReplayScenario()
            scenario.slotsOfQueues[queue] = .unlimited
            let result = run(scenario)
            let span = Double(unchanged.queueSpans[queue])
            return result.stuckOperations == 0 && span - Double(result.queueSpans[queue]) > span * Self.noGain
        }
    }

    /// - Parameter unchanged: the replay of `alone`, the recorded run without other threads.
    func bounds(
        of queues: some Sequence<Int>, _ alone: ReplayScenario, _ unchanged: ReplayResult
    ) -> [QueueBound] {
        guard recordedProcessors != nil else { return [] }
        func spans(_ result: ReplayResult) -> [Int64?] {
            result.stuckOperations == 0 ? result.queueSpans : result.queueSpans.map { _ in nil }
        }
        func spans(_ change: (inout ReplayScenario) -> Void) -> [Int64?] {
            var scenario = alone
            change(&scenario)
            return spans(run(scenario))
        }
        func relaxProcessors(_ scenario: inout ReplayScenario) {
            (scenario.processors, scenario.pool) = (.unlimited, .unlimited)
        }
        let unchanged = spans(unchanged)
        let threads = spans { $0.pool = .unlimited }
        let processors = spans(relaxProcessors)
        return queues.compactMap { queue in
            guard unchanged.indices.contains(queue), let span = unchanged[queue], span > 0 else { return nil }
            func gain(_ spans: [Int64?]) -> Double { spans[queue].map { 1 - Double($0) / Double(span) } ?? 0 }
            let slots = gain(
                spans { ($0.slotsOfQueues[queue], $0.pool) = (.unlimited, .unlimited) })
            let blocking = gain(spans { $0.queuesWithoutBlocking = [queue] })
            // Each of the others contains the threads.
            let limits = [
                (gain(threads), QueueBound.Cause.threads), (slots, .slots), (gain(processors), .processors),
            ]
            let most = limits.map(\.0).max() ?? 0
            var cause = limits.first { $0.0 >= most - Self.noGain / 2 }?.1 ?? .work
            if most < Self.noGain {
                let both = gain(
                    spans {
                        relaxProcessors(&$0)
                        $0.slotsOfQueues[queue] = .unlimited
                    })
                cause =
                    both >= Self.noGain ? .slotsAndProcessors : blocking >= Self.noGain ? .blocking : .work
            }
            return QueueBound(
                queue: queue, cause: cause, threads: gain(threads), slots: slots,
                processors: gain(processors), blocking: blocking)
        }
    }
}
