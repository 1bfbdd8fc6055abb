import InspectorColumns

/// Assigns each operation of a timeline to a lane of its queue.
///
/// If few operations overlap, each has its own row for its whole lifetime, including waits. If more do, a
/// lane is a slot: only executions take room in it, and a band above counts waiting operations. If more
/// operations execute at once than lanes fit into a picture, a queue has no lanes, and only counts.
struct TimelineLayout {
    enum Style { case rows, lanes, merged }

    /// One operation in its lane.
    struct Bar {
        let operation: Int32
        let lane: Int32
        /// The range that it takes in its lane.
        let from: Int64
        let to: Int64
    }

    /// The operations of one queue, or of several merged queues.
    struct Section {
        /// An index into the trace's queues; `nil` for operations without a queue, and for merged queues.
        let queue: Int?
        /// The queue's slots in words, and their number if it never changed.
        var slots: (words: String, fixed: Int?) = ("", nil)
        /// How many queues are merged in this; 1 otherwise.
        var queues = 1
        var operations: [Int32] = []
        /// Ordered by lane and time. Empty for merged queues. Operations that never started have bars only in
        /// rows.
        var bars: [Bar] = []
        var lanes = 0
        /// How many operations have no execution, whatever their ending.
        var neverStarted = 0
        var endings = EndingCounts()
    }

    /// The limits of a style. Beyond them, the next style is used.
    struct Limits {
        var rows: Int
        var lanes: Int
        /// Further queues are merged into one.
        var mergedQueues: Int
    }

    let style: Style
    /// In the order of the log; operations without a queue come last.
    let sections: [Section]

    /// Cost: O(n log n).
    ///
    /// - Parameters:
    ///   - operations: indices into the trace's operations.
    ///   - range: lanes contain only what executed then.
    init(
        _ analysis: TraceAnalysis, _ operations: [Int32], _ bounds: Limits, within range: Range<Int64>? = nil
    ) {
        var sections = Self.byQueue(analysis, operations)
        var style = Style.rows
        if operations.count > bounds.rows * 8
            || !Self.pack(&sections, style, analysis, range, mostLanes: bounds.rows)
        {
            style = .lanes
            if sections.count > bounds.lanes / 2
                || !Self.pack(&sections, style, analysis, range, mostLanes: bounds.lanes)
            {
                style = .merged
                sections = Self.merged(sections, most: bounds.mergedQueues)
            }
        }
        let columns = analysis.trace.operations.store.columns
        let limits = QueueLimits(analysis)
        for section in sections.indices {
            if let queue = sections[section].queue {
                sections[section].slots = (limits.text(queue), limits.fixed(queue))
            }
            for operation in sections[section].operations {
                if !columns.executing.has(Int(operation)) { sections[section].neverStarted += 1 }
                sections[section].endings.count(ExactEnding(columns, Int(operation)))
            }
        }
        self.style = style
        self.sections = sections
    }

    private static func byQueue(_ analysis: TraceAnalysis, _ operations: [Int32]) -> [Section] {
        let queues = analysis.trace.operations.store.columns.queues
        let count = analysis.trace.queues.count
        var members = Grouping(
            operations.lazy.map { index in
                let queue = Int(queues[Int(index)])
                return queue >= 0 && queue < count ? queue : count
            }, groups: count + 1)
        members.renumber { operations[Int($0)] }
        return (0...count).compactMap { queue in
            members[queue].isEmpty
                ? nil : Section(queue: queue < count ? queue : nil, operations: Array(members[queue]))
        }
    }

    /// False if they do not fit into `mostLanes` lanes altogether.
    private static func pack(
        _ sections: inout [Section], _ style: Style, _ analysis: TraceAnalysis, _ range: Range<Int64>?,
        mostLanes: Int
    ) -> Bool {
        var lanes = 0
        for section in sections.indices {
            var stretches: [(operation: Int32, from: Int64, to: Int64)] = []
            stretches.reserveCapacity(sections[section].operations.count)
            for operation in sections[section].operations {
                guard let line = analysis.timings.transitions[Int(operation)] else { continue }
                if style == .rows {
                    stretches.append((operation, line.enqueued, line.end))
                } else if line.executing != nil,
                    range?.overlaps(line.start..<max(line.end, line.start + 1)) ?? true
                {
                    stretches.append((operation, line.start, line.end))
                }
            }
            // Among operations that were enqueued together, the first to start is at the top.
            if style == .rows {
                stretches = stretches.sortedByDigits {
                    analysis.timings.transitions.start(of: Int($0.operation)) ?? 0
                }
            }
            var packing = LanePacking()
            var bars: [Bar] = []
            bars.reserveCapacity(stretches.count)
            for stretch in stretches.sortedByDigits(\.from) {
                // An operation that took no time needs a place, too.
                let lane = packing.lane(from: stretch.from, to: max(stretch.to, stretch.from + 1))
                if lanes + Int(packing.count) > mostLanes { return false }
                bars.append(
                    Bar(operation: stretch.operation, lane: lane, from: stretch.from, to: stretch.to))
            }
            sections[section].bars = bars
            sections[section].lanes = Int(packing.count)
            lanes += Int(packing.count)
        }
        return true
    }

    /// Keeps the queues with the most operations, and merges all others.
    private static func merged(_ sections: [Section], most: Int) -> [Section] {
        var sections = sections
        for section in sections.indices {
            sections[section].bars = []
            sections[section].lanes = 0
        }
        if sections.count <= most { return sections }
        let bySize = sections.indices.sorted {
            (sections[$1].operations.count, $0) < (sections[$0].operations.count, $1)
        }
        let kept = Set(bySize.prefix(most - 1))
        var rest = Section(queue: nil, queues: 0)
        for section in sections.indices where !kept.contains(section) {
            rest.operations += sections[section].operations
            rest.queues += 1
        }
        return sections.indices.filter(kept.contains).map { sections[$0] } + [rest]
    }
}
