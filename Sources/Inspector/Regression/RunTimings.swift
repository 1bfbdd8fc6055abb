import InspectorColumns

/// The times of one run for comparisons, and what must be known about the run before that.
public struct RunTimings: Hashable, Sendable {
    /// The operations, or the Swift tasks, of one kind. The kind of a task is the function that it was
    /// written in. Of its parts, the execution is its running, the dependency wait what it awaited, the slot
    /// wait that for actors, and the dispatch wait that for other executors.
    public struct Kind: Hashable, Sendable {
        /// The kind, as it is in the trace: not safe for a terminal.
        public let name: String
        /// How many were enqueued.
        public let count: Int
        /// Leaves out parts that were zero for all operations.
        public let samples: [LifetimeParts.Part: TimingSamples]
        /// What their executions spent their time on. Empty if the trace does not say it for most of them;
        /// otherwise leaves out parts that were zero for all operations, except for the CPU time.
        public internal(set) var executionSamples: [ExecutionParts.Part: TimingSamples] = [:]
    }

    /// A part of the makespan: what operations of a kind did, or waited for.
    public struct Delay: Hashable, Sendable {
        /// Nil for time outside of operations, before one was added.
        public let kind: String?
        /// What the operations did, or waited for.
        public let part: LifetimeParts.Part
        /// Its share of the makespan.
        public let nanoseconds: Int64
    }

    /// The longest critical path that is kept, in kinds. A longer one keeps its ends, with `omittedSteps`
    /// between them.
    static let mostPathSteps = 24
    static let omittedSteps = "…"

    /// The name of the program's executable.
    public let process: String
    /// The name of the machine.
    public let host: String
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public let start: Int64
    /// How many events were not recorded. Such a run is left out of checks.
    public let droppedEvents: UInt64
    /// Whether the recorder ended the log: the program was not killed, and is not running any more.
    public let isClosed: Bool
    /// How many operations finished with an error.
    public let failed: Int
    /// How many operations finished after they were cancelled.
    public let cancelled: Int
    /// How many operations had not finished when the log ended.
    public let unfinished: Int
    /// Nanoseconds.
    public let makespan: Int64
    /// Nanoseconds.
    public let criticalPathLength: Int64
    /// Sums over all operations.
    public let totals: LifetimeParts
    /// By name.
    public let kinds: [Kind]
    /// The parts of the makespan, by kind and part, the longest first. They add up to the length of the chain
    /// that delayed the run.
    public let delays: [Delay]
    /// The kinds along the critical path, with repetitions in a row removed.
    public let path: [String]
}

extension RunTimings {
    /// Cost: nearly linear in operations and edges, beyond that of the analysis.
    public init(_ analysis: TraceAnalysis) {
        let analysis = analysis.withTasks
        let header = analysis.trace.header
        let groups = analysis.kinds
        self.init(
            process: header.process, host: header.host, start: header.start,
            droppedEvents: header.droppedEvents, isClosed: header.isClosed,
            failed: groups.failed, cancelled: groups.cancelled, unfinished: groups.unfinished,
            makespan: analysis.makespan,
            criticalPathLength: analysis.criticalPath.length,
            totals: LifetimeParts { groups.total($0) },
            kinds: Self.kinds(analysis), delays: Self.delays(analysis), path: Self.path(analysis))
    }

    private static func kinds(_ analysis: TraceAnalysis) -> [Kind] {
        let names = analysis.trace.kinds
        let columns = analysis.trace.operations.store.columns
        let samples = GroupSamples(analysis.timings, groups: names.count) { Int(columns.kinds[$0]) }
        let executions = KindExecutions(analysis.timings)
        return names.indices.filter { samples.count(of: $0) > 0 }.map { group in
            var parts: [LifetimeParts.Part: TimingSamples] = [:]
            for part in LifetimeParts.Part.allCases {
                guard let times = samples.samples(part, of: group), times.contains(where: { $0 > 0 })
                else { continue }
                parts[part] = TimingSamples(Array(times))
            }
            return Kind(
                name: names[group], count: samples.count(of: group), samples: parts,
                executionSamples: executions?.samples(ofKind: group) ?? [:])
        }.sorted { $0.name < $1.name }
    }

    /// A program that waits for its operations outside of queues, for example with `await`, runs in phases.
    /// The log does not show why a phase begins, so the chain of the end leads only to the start of the last
    /// phase. The operation that ended last before that counts as what the phase waited for, and so on.
    private static let mostPhases = 32

    private static func delays(_ analysis: TraceAnalysis) -> [Delay] {
        let columns = analysis.trace.operations.store.columns
        let chains = DelayChains(analysis)
        var outside: Int64 = 0
        var ofKinds: [Int32: LifetimeParts] = [:]
        var chain = chains.ofRun
        let start = (chain.steps.last?.end ?? 0) - analysis.makespan
        for _ in 0..<mostPhases {
            for step in chain.steps {
                outside = outside.saturatingAdd(step.beforeEnqueue)
                ofKinds[columns.kinds[step.operation], default: LifetimeParts()] += step.waits
            }
            guard let begun = chain.steps.first?.start, begun > start,
                let before = lastEnded(by: begun, analysis.timings.transitions)
            else { break }
            chain = chains.chain(endingIn: before)
            guard let end = chain.steps.last?.end, let next = chain.steps.first?.start, next < begun else {
                break
            }
            outside = outside.saturatingAdd(begun - end)
        }
        let names = analysis.trace.kinds
        var delays = ofKinds.flatMap { kind, waits in
            LifetimeParts.Part.allCases.map {
                Delay(kind: names[Int(kind)], part: $0, nanoseconds: waits[$0])
            }
        }
        delays.append(Delay(kind: nil, part: .unknown, nanoseconds: outside))
        return delays.filter { $0.nanoseconds > 0 }.sorted()
    }

    /// The operation that ended last before or at `moment`; the first in the log if there are several.
    /// Linear.
    private static func lastEnded(by moment: Int64, _ transitions: TraceTransitions) -> Int? {
        var last: (operation: Int, end: Int64)?
        for index in transitions.indices {
            guard let end = transitions.end(of: index), end <= moment, end > last?.end ?? .min else {
                continue
            }
            last = (index, end)
        }
        return last?.operation
    }

    private static func path(_ analysis: TraceAnalysis) -> [String] {
        let columns = analysis.trace.operations.store.columns
        var kinds: [Int32] = []
        for operation in analysis.criticalPath.operations where columns.kinds[operation] != kinds.last {
            kinds.append(columns.kinds[operation])
        }
        let names = analysis.trace.kinds
        guard kinds.count > mostPathSteps else { return kinds.map { names[Int($0)] } }
        let start = kinds.prefix(mostPathSteps / 2).map { names[Int($0)] }
        let end = kinds.suffix(mostPathSteps - start.count - 1).map { names[Int($0)] }
        return start + [omittedSteps] + end
    }
}

extension RunTimings.Delay: Comparable {
    /// The longest first; equal ones by kind, and in the order of the parts of a lifetime.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        guard lhs.nanoseconds == rhs.nanoseconds else { return lhs.nanoseconds > rhs.nanoseconds }
        return TimingMetric(kind: lhs.kind, .part(lhs.part)) < TimingMetric(kind: rhs.kind, .part(rhs.part))
    }
}
