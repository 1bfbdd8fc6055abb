import InspectorColumns

/// What one run is compared by: its times, and what must be known of it before they are compared.
public struct RunTimings: Hashable, Sendable {
    /// The operations of one kind.
    public struct Kind: Hashable, Sendable {
        /// The kind, as it is in the trace: not safe for a terminal.
        public let name: String
        /// Those that were enqueued.
        public let count: Int
        /// Parts that took no operation any time are left out.
        public let samples: [Waits.Part: TimingSamples]
    }

    /// A stretch of what the makespan consisted of: what operations of a kind did, or waited for.
    public struct Delay: Hashable, Sendable {
        /// Nil for time outside of operations, before one was added.
        public let kind: String?
        /// What the operations did, or waited for.
        public let part: Waits.Part
        /// How much of the makespan it is.
        public let nanoseconds: Int64
    }

    /// The longest critical path, in kinds, that is kept: of a longer one the ends, and between them
    /// `omittedSteps`.
    static let mostPathSteps = 24
    static let omittedSteps = "…"

    /// The name of the program's executable.
    public let process: String
    /// The name of the machine.
    public let host: String
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public let start: Int64
    /// Events that were not recorded. A run with any is left out of checks.
    public let droppedEvents: UInt64
    /// The log was ended by the recorder: the program was not killed, and is not running any more.
    public let isClosed: Bool
    /// Operations that finished with an error.
    public let failed: Int
    /// Operations that finished after they were cancelled.
    public let cancelled: Int
    /// Operations that had not finished when the log ended.
    public let unfinished: Int
    /// Nanoseconds.
    public let makespan: Int64
    /// Nanoseconds.
    public let criticalPathLength: Int64
    /// Sums over all operations.
    public let totals: Waits
    /// By name.
    public let kinds: [Kind]
    /// What the makespan consisted of, by kind and part, the longest first: the sum is the length of the
    /// chain of all that delayed the run.
    public let delays: [Delay]
    /// The kinds along the critical path, the same one after another once.
    public let path: [String]
}

extension RunTimings {
    /// Cost: nearly linear in operations and edges, beyond that of the analysis.
    public init(_ analysis: TraceAnalysis) {
        let header = analysis.trace.header
        let groups = analysis.kinds
        self.init(
            process: header.process, host: header.host, start: header.start,
            droppedEvents: header.droppedEvents, isClosed: header.isClosed,
            failed: groups.failed, cancelled: groups.cancelled, unfinished: groups.unfinished,
            makespan: analysis.makespan,
            criticalPathLength: analysis.criticalPath.length,
            totals: Waits { groups.total($0) },
            kinds: Self.kinds(analysis), delays: Self.delays(analysis), path: Self.path(analysis))
    }

    private static func kinds(_ analysis: TraceAnalysis) -> [Kind] {
        let names = analysis.trace.kinds
        let columns = analysis.trace.operations.store.columns
        let samples = GroupSamples(analysis.timings, groups: names.count) { Int(columns.kinds[$0]) }
        return names.indices.filter { samples.count(of: $0) > 0 }.map { group in
            var parts: [Waits.Part: TimingSamples] = [:]
            for part in Waits.Part.allCases {
                guard let times = samples.samples(part, of: group), times.contains(where: { $0 > 0 })
                else { continue }
                parts[part] = TimingSamples(Array(times))
            }
            return Kind(name: names[group], count: samples.count(of: group), samples: parts)
        }.sorted { $0.name < $1.name }
    }

    /// A program that waits for its operations outside of queues, as with `await`, runs in phases, of which
    /// the log shows no reason: the chain of the end leads to the start of the last one. What ended last
    /// before that is taken for what the phase waited for, and so on.
    private static let mostPhases = 32

    private static func delays(_ analysis: TraceAnalysis) -> [Delay] {
        let columns = analysis.trace.operations.store.columns
        let chains = DelayChains(analysis)
        var outside: Int64 = 0
        var ofKinds: [Int32: Waits] = [:]
        var chain = chains.ofRun
        let start = (chain.steps.last?.end ?? 0) - analysis.makespan
        for _ in 0..<mostPhases {
            for step in chain.steps {
                outside = outside.saturatingAdd(step.beforeEnqueue)
                ofKinds[columns.kinds[step.operation], default: Waits()] += step.waits
            }
            guard let begun = chain.steps.first?.start, begun > start,
                let before = lastEnded(by: begun, analysis.timings.lifelines)
            else { break }
            chain = chains.chain(endingIn: before)
            guard let end = chain.steps.last?.end, let next = chain.steps.first?.start, next < begun else {
                break
            }
            outside = outside.saturatingAdd(begun - end)
        }
        let names = analysis.trace.kinds
        var delays = ofKinds.flatMap { kind, waits in
            Waits.Part.allCases.map {
                Delay(kind: names[Int(kind)], part: $0, nanoseconds: waits[$0])
            }
        }
        delays.append(Delay(kind: nil, part: .unknown, nanoseconds: outside))
        return delays.filter { $0.nanoseconds > 0 }.sorted()
    }

    /// The operation that ended last of those that had by then, the first in the log of several. Linear.
    private static func lastEnded(by moment: Int64, _ lifelines: Lifelines) -> Int? {
        var last: (operation: Int, end: Int64)?
        for index in lifelines.indices {
            guard let end = lifelines.end(of: index), end <= moment, end > last?.end ?? .min else { continue }
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
    /// The longest first; of equal ones by kind, and in the order in which an operation spends its lifetime.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        guard lhs.nanoseconds == rhs.nanoseconds else { return lhs.nanoseconds > rhs.nanoseconds }
        return TimingMetric(kind: lhs.kind, .part(lhs.part)) < TimingMetric(kind: rhs.kind, .part(rhs.part))
    }
}
