import InspectorColumns

/// The runs of Swift tasks in the lanes of their executors: the global executor as wide as it was, the main
/// actor, and actors by their type.
struct TimelineTasks {
    /// The executors of one kind and name.
    struct Section {
        /// Safe for pictures and terminals.
        var name: String
        /// What identifies its executors in other runs, whatever their number: kind, program and name, as
        /// recorded. Several for a section of further executors.
        let keys: [String]
        /// Positions in `stays`, ordered by time, each with a lane.
        var bars: [TimelineLayout.Bar] = []
        var lanes = 0
        var tasks = 0
        /// How many tasks waited for it on average.
        var waiting = 0.0

        /// Of several sections.
        init(name: String, _ sections: some Sequence<ExecutorSection>, _ trace: Trace) {
            self.name = name
            keys = sections.map { Self.key($0, trace) }
        }

        init(_ section: ExecutorSection, _ trace: Trace) {
            name =
                TerminalText.shortened(section.name, toColumns: TimelineTasks.longestName)
                + section.multiplicity
            keys = [Self.key(section, trace)]
        }

        private static func key(_ section: ExecutorSection, _ trace: Trace) -> String {
            let process = Int(section.process)
            let program =
                trace.isMerged && trace.processes.indices.contains(process)
                ? trace.processes[process].process : ""
            return "\(section.kind.map { "\($0)" } ?? "") \(program) \(section.name)"
        }

        /// `4 tasks, 12 runs`.
        var words: String { "\(Prose.counted(tasks, "task")), \(Prose.counted(bars.count, "run"))" }
    }

    /// Further ones are merged into one.
    private static let mostSections = 12
    private static let longestName = 60

    /// With the tasks as operations.
    let analysis: TraceAnalysis
    /// Where each run was, in parts if it moved from one executor to another.
    let stays: [ExecutorTenures.Tenure]
    /// The global executor, the main actor, then the others by their running time.
    let sections: [Section]
    /// How many tasks the options leave out.
    let hidden: Int

    /// Nil without tasks. Cost: O(n log n) in runs.
    ///
    /// - Parameter analysis: with the tasks as operations.
    init?(_ analysis: TraceAnalysis, _ options: TimelineOptions, _ range: Range<Int64>) {
        let tasks = analysis.trace.tasks
        guard tasks.asOperations != nil else { return nil }
        self.analysis = analysis
        let kind = options.kind.map { Handle.name($0, .kind, among: tasks.kinds) }
        let named = options.named(in: analysis)
        let isShown = tasks.entries.indices.map { task in
            kind.map { $0 == tasks.kind(of: task) } ?? true
                && named?.contains(tasks.operation(of: task)) ?? true
        }
        let names = tasks.executors.map { $0.name }
        let queue = options.queue.map { Handle.name($0, .queue, among: names) }
        let stays = ExecutorTenures.stays(tasks) { run, executor in
            isShown[Int(tasks.runs[run].task)]
                && queue.map { executor >= 0 && names[Int(executor)] == $0 } ?? true
        }.filter { $0.end >= range.lowerBound && $0.start < range.upperBound }
        self.stays = stays
        hidden = isShown.count { !$0 }

        let ranked = ExecutorSection.ranked(tasks, stays)
        var kept = ranked.prefix(Self.mostSections).map { (Section($0, analysis.trace), $0.stays) }
        if ranked.count > Self.mostSections {
            let rest = ranked.dropFirst(Self.mostSections - 1)
            let count = rest.reduce(0) { $0 + $1.executors.count }
            kept[Self.mostSections - 1] = (
                Section(name: "\(Prose.grouped(count)) more executors", rest, analysis.trace),
                rest.flatMap(\.stays).sorted()
            )
        }
        let waiting = Self.waiting(tasks, isShown, range)
        self.sections = kept.map { section, members in
            Self.packed(section, members, stays, tasks, waiting, range)
        }
    }

    private static func packed(
        _ section: Section, _ members: [Int32], _ stays: [ExecutorTenures.Tenure], _ tasks: TraceTasks,
        _ waiting: [Int64], _ range: Range<Int64>
    ) -> Section {
        var section = section
        var packing = LanePacking()
        var seen: Set<Int32> = []
        var executors: Set<Int32> = []
        for position in members {
            let stay = stays[Int(position)]
            // A run that took no time needs a place, too.
            let lane = packing.lane(from: stay.start, to: max(stay.end, stay.start + 1))
            section.bars.append(
                TimelineLayout.Bar(operation: position, lane: lane, from: stay.start, to: stay.end))
            seen.insert(tasks.runs[stay.run].task)
            executors.insert(stay.executor)
        }
        section.lanes = Int(packing.count)
        section.tasks = seen.count
        let wait = executors.reduce(Int64(0)) { $0 + ($1 < 0 ? 0 : waiting[Int($1)]) }
        section.waiting = Double(wait) / Double(max(1, range.upperBound - range.lowerBound))
        return section
    }

    /// How long tasks waited for each executor, within a range.
    private static func waiting(
        _ tasks: TraceTasks, _ isShown: [Bool], _ range: Range<Int64>
    ) -> [Int64] {
        var waiting = [Int64](repeating: 0, count: tasks.executors.count)
        let lifetimes = TaskLifetimes(tasks)
        for task in tasks.entries.indices where isShown[task] {
            lifetimes.forEach(of: task, from: range.lowerBound, to: range.upperBound) { part, stretch, run in
                guard part == .executor || part == .actor else { return }
                guard let next = tasks.run(after: run, of: task), tasks.runs[next].executor >= 0 else {
                    return
                }
                waiting[Int(tasks.runs[next].executor)] += stretch.upperBound - stretch.lowerBound
            }
        }
        return waiting
    }

    /// The times of tasks that a timeline shows; nil without tasks.
    static func times(_ trace: Trace) -> Range<Int64>? {
        let lifetimes = TaskLifetimes(trace.tasks)
        var times: Range<Int64>?
        for task in trace.tasks.entries.indices where trace.tasks.start(of: task) != nil {
            let range = lifetimes.range(of: task)
            times =
                times.map {
                    min($0.lowerBound, range.lowerBound)..<max($0.upperBound, range.upperBound)
                } ?? range
        }
        return times
    }
}
