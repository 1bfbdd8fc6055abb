import EventLog
import InspectorColumns

/// The runs of Swift tasks on tracks of their executors, for viewers, and who made tasks go on.
struct ExportedTasks {
    /// A track of an executor, on which runs do not overlap.
    struct Track {
        /// Index into `sections`.
        let section: Int
        /// The number among the tracks of its executor, from 0.
        let number: Int
        let name: String
        /// Positions in `stays`, ordered by time.
        var stays: [Int32] = []
    }

    /// A place within a run.
    struct Place {
        /// Index into `tracks`.
        let track: Int
        let time: Int64
    }

    let tasks: TraceTasks
    let lifetimes: TaskLifetimes
    /// Where each run was, ordered by time.
    let stays: [ExecutorTenures.Tenure]
    let sections: [ExecutorSection]
    private(set) var tracks: [Track] = []
    /// The track of each stay.
    private(set) var trackOfStay: [Int32]
    /// For each run, the positions of its stays, ordered by time.
    private let ofRun: Grouping

    /// Nil without tasks. Cost: O(n log n) in runs.
    init?(_ exported: ExportedTrace) {
        tasks = exported.whole.trace.tasks
        guard tasks.asOperations != nil else { return nil }
        lifetimes = TaskLifetimes(tasks, exported.processorUse)
        stays = ExecutorTenures.stays(tasks) { _, _ in true }
        sections = ExecutorSection.ranked(tasks, stays)
        ofRun = Grouping(stays.lazy.map(\.run), groups: tasks.runs.count)
        trackOfStay = [Int32](repeating: 0, count: stays.count)
        for (index, section) in sections.enumerated() {
            var packing = LanePacking()
            let first = tracks.count
            for position in section.stays {
                let stay = stays[Int(position)]
                // A run that took no time needs a place, too.
                let lane = Int(packing.lane(from: stay.start, to: max(stay.end, stay.start.saturatingAdd(1))))
                if first + lane == tracks.count {
                    let name = section.name + section.multiplicity
                    tracks.append(
                        Track(section: index, number: lane, name: lane == 0 ? name : "\(name) · \(lane + 1)"))
                }
                trackOfStay[Int(position)] = Int32(first + lane)
                tracks[first + lane].stays.append(position)
            }
        }
    }

    func task(ofStay position: Int) -> Int { Int(tasks.runs[stays[position].run].task) }

    /// The section of a task's first run; nil for one that never ran.
    func section(of task: Int) -> Int? {
        let run = tasks.firstRuns[task]
        guard run < tasks.firstRuns[task + 1], let stay = ofRun[run].first else { return nil }
        return tracks[Int(trackOfStay[Int(stay)])].section
    }

    /// The run of a task at a moment, if it took time; nil if it was not running then.
    func place(of task: Int, at moment: Int64) -> Place? {
        guard let run = tasks.run(of: task, at: moment), moment <= tasks.runs[run].end,
            let stay = ofRun[run].last(where: { stays[Int($0)].start <= moment })
        else { return nil }
        let (start, end) = (stays[Int(stay)].start, stays[Int(stay)].end)
        return start < end ? Place(track: Int(trackOfStay[Int(stay)]), time: min(moment, end - 1)) : nil
    }

    /// The beginning of a run, if it took time.
    func beginning(of run: Int) -> Place? {
        guard let stay = ofRun[run].first, stays[Int(stay)].start < stays[Int(stay)].end else { return nil }
        return Place(track: Int(trackOfStay[Int(stay)]), time: stays[Int(stay)].start)
    }

    /// Calls `body` with each run that something else caused: what created its task, or made it ready.
    ///
    /// - Parameter body: given the operation or task that was the cause, as an index into the operations of
    ///   the whole trace, and when it was; and the run.
    func forEachCause(_ trace: Trace, _ body: (_ cause: Int, _ moment: Int64, _ run: Int) -> Void) {
        let parents = trace.operations.store.columns.parents
        for task in tasks.entries.indices {
            let range = tasks.firstRuns[task]..<tasks.firstRuns[task + 1]
            let parent = Int(parents[tasks.operation(of: task)])
            if let first = range.first, let created = tasks.entries[task].created, parent >= 0 {
                body(parent, created, first)
            }
            for run in range.dropLast() {
                guard let waker = tasks.asOperations?.wakers[run], waker >= 0,
                    let ready = tasks.runs[run].ready
                else { continue }
                body(Int(waker), ready, run + 1)
            }
        }
    }

    /// Calls `body` once for each moment at which a number of an executor changed: how many tasks were
    /// running there, and how many waited for it. O(n log n) in runs.
    func visitCounts(_ body: (_ section: Int, _ time: Int64, _ running: Int, _ waiting: Int) -> Void) {
        var changes = [[(time: Int64, running: Int, waiting: Int)]](repeating: [], count: sections.count)
        for (position, stay) in stays.enumerated() {
            let section = tracks[Int(trackOfStay[position])].section
            changes[section].append((stay.start, 1, 0))
            changes[section].append((stay.end, -1, 0))
        }
        for task in tasks.entries.indices {
            lifetimes.forEach(of: task) { part, range, run in
                guard part == .executor || part == .actor, let next = tasks.run(after: run, of: task),
                    let stay = ofRun[next].first
                else { return }
                let section = tracks[Int(trackOfStay[Int(stay)])].section
                changes[section].append((range.lowerBound, 0, 1))
                changes[section].append((range.upperBound, 0, -1))
            }
        }
        for (section, list) in changes.enumerated() {
            let list = list.sortedByDigits { $0.time }
            var (running, waiting) = (0, 0)
            for (position, change) in list.enumerated() {
                running += change.running
                waiting += change.waiting
                // Changes at the same moment are reported as one.
                let isLast = position + 1 == list.count || list[position + 1].time != change.time
                if isLast { body(section, change.time, running, waiting) }
            }
        }
    }
}
