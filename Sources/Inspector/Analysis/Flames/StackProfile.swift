import InspectorColumns

/// The samples of a trace, by the operation whose body the thread was in.
package struct StackProfile: Sendable {
    /// One sample, and what it stands for.
    package struct Attributed: Sendable {
        /// The node of its innermost frame in `samples.nodes`.
        package let stack: Int32
        /// Index into the trace's operations; nil outside of operations.
        package let operation: Int32?
        package let isBlocked: Bool
        package let isInKernel: Bool
        /// Whether the operation was started in the body of another one, on the same thread.
        package let isNested: Bool
        /// In nanoseconds: the time between two samples, or how long the thread was blocked. 1 if the trace
        /// does not say that.
        package let weight: Int64
    }

    package let timings: TraceTimings
    package let samples: StackSamples
    /// In the order of their times.
    package let attributed: [Attributed]
    /// The nanoseconds between two samples of a processor; nil if the trace does not say that.
    package let period: Int64?
    /// Whether the trace says how long threads were blocked.
    package let hasBlockedTimes: Bool
    /// For each operation, the nanoseconds that its thread was on a processor for it, without the operations
    /// that it started in its own body; nil if the trace does not have them.
    package let ownOnCPU: [Int64]?

    /// Nil if the trace has no samples.
    ///
    /// Cost: O(n log n) in operations and samples.
    package init?(_ timings: TraceTimings) {
        let samples = timings.trace.stackSamples
        guard !samples.isEmpty else { return nil }
        let nesting = BodyNesting(timings)
        let times = timings.trace.threadTimes
        let period =
            samples.rate > 0 ? max(1, (1_000_000_000 + Int64(samples.rate) / 2) / Int64(samples.rate)) : nil
        var walks: [ProcessThread: BodyNesting.Walk] = [:]
        var attributed: [Attributed] = []
        attributed.reserveCapacity(samples.samples.count)
        for sample in samples.samples {
            let body = walks[sample.thread, default: .init(nesting.bodies[sample.thread] ?? [])]
                .innermost(at: sample.time)
            var weight = period ?? 1
            if sample.isBlocked {
                guard
                    let time = times.blockedTime(
                        from: sample, until: body?.range.upperBound ?? timings.end)
                else { continue }
                weight = time
            }
            attributed.append(
                Attributed(
                    stack: sample.stack, operation: body?.operation, isBlocked: sample.isBlocked,
                    isInKernel: sample.state == .inKernel, isNested: (body?.depth ?? 0) > 0, weight: weight))
        }
        self.timings = timings
        self.samples = samples
        self.attributed = attributed
        self.period = period
        hasBlockedTimes = !times.isEmpty
        ownOnCPU = ProcessorUse(timings).map { use in
            var own = timings.transitions.indices.map { use.parts(of: $0)?.onCPU ?? 0 }
            let all = own
            for body in nesting.bodies.values.joined() {
                if let outer = body.outer { own[Int(outer)] -= all[Int(body.operation)] }
            }
            return own.map { max(0, $0) }
        }
    }

    /// The number of samples in operations, and outside of them.
    package func counts(isBlocked: Bool) -> (inside: Int, outside: Int) {
        attributed.reduce(into: (0, 0)) { counts, sample in
            guard sample.isBlocked == isBlocked else { return }
            if sample.operation == nil { counts.outside += 1 } else { counts.inside += 1 }
        }
    }
}

extension ThreadTimes {
    /// How long a thread was off the processor after the moment of a sample, at which it was about to block.
    /// 1 if the trace has no such times; nil if the thread did not block.
    fileprivate func blockedTime(from sample: StackSamples.Sample, until end: Int64) -> Int64? {
        guard !isEmpty else { return 1 }
        guard let stretches = threads[sample.thread]?.stretches else { return nil }
        let index = stretches.partitioningIndex { $0.end >= sample.time }
        guard index < stretches.count, stretches[index].departure == .blocked else { return nil }
        let back = index + 1 < stretches.count ? min(stretches[index + 1].start, end) : end
        return max(0, back - stretches[index].end)
    }
}
