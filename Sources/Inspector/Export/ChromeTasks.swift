import EventLog
import InspectorColumns

/// The events of Swift tasks: runs on tracks of their executors, an arrow for each wake, what each task
/// waited for, and counters by executor.
struct ChromeTasks {
    private let tasks: ExportedTasks
    private let export: ChromeExport
    /// The number of the first executor among the viewer's processes.
    private let firstNumber: Int64

    init(_ tasks: ExportedTasks, _ export: ChromeExport, firstNumber: Int64) {
        (self.tasks, self.export, self.firstNumber) = (tasks, export, firstNumber)
    }

    /// How many arrows are left out.
    var withoutArrow: Int {
        var count = 0
        tasks.forEachCause(export.exported.whole.trace) { cause, moment, run in
            if arrow(from: cause, at: moment, to: run) == nil { count += 1 }
        }
        return count
    }

    /// - Parameter isDetailed: whether to write more than the runs.
    func write(isDetailed: Bool, _ bytes: inout [UInt8], _ emit: ([UInt8]) -> Void) {
        for (index, section) in tasks.sections.enumerated() {
            bytes += export.metadata(
                "process_name", pid: number(ofSection: index), tid: 0,
                "tasks on \(section.name)\(section.multiplicity)")
        }
        for (index, track) in tasks.tracks.enumerated() {
            let pid = number(ofSection: track.section)
            bytes += export.metadata("thread_name", pid: pid, tid: thread(ofTrack: index), track.name)
            for position in track.stays {
                appendRun(Int(position), pid: pid, tid: thread(ofTrack: index), &bytes)
                bytes.emitPiece(emit)
            }
        }
        guard isDetailed else { return }
        appendArrows(&bytes, emit)
        for task in tasks.tasks.entries.indices {
            appendWaits(of: task, &bytes)
            bytes.emitPiece(emit)
        }
        tasks.visitCounts { section, time, running, waiting in
            export.begin("C", pid: number(ofSection: section), tid: 0, at: time, &bytes)
            bytes += #","name":"tasks","args":{"running":\#(running),"waiting":\#(waiting)}}"#.utf8
            bytes.emitPiece(emit)
        }
    }

    private func number(ofSection section: Int) -> Int64 { firstNumber + Int64(section) }

    private func thread(ofTrack track: Int) -> Int64 { Int64(tasks.tracks[track].number) + 1 }

    private func appendRun(_ position: Int, pid: Int64, tid: Int64, _ bytes: inout [UInt8]) {
        let stay = tasks.stays[position]
        let task = tasks.task(ofStay: position)
        let run = tasks.tasks.runs[stay.run]
        export.begin("X", pid: pid, tid: tid, at: stay.start, &bytes)
        bytes += #","dur":"#.utf8
        JSONText.append(microseconds: stay.end - stay.start, to: &bytes)
        bytes += #","cat":"run","name":"#.utf8
        JSONText.append(tasks.tasks.kind(of: task), to: &bytes)
        bytes += #","args":"#.utf8
        var about = about(task)
        about.add("run", "\(stay.run - tasks.tasks.firstRuns[task] + 1)")
        about.add("thread", String(run.thread))
        if let awaits = run.awaits {
            about.add("then", TaskPart(awaits)?.row.label ?? TaskPart.executor.row.label)
        }
        let isOwn = run.by == tasks.tasks.entries[task].identifier
        if run.by != 0, !isOwn { about.add("then resumed by", OperationID(run.by).description) }
        bytes += about.closed
        bytes += "}".utf8
    }

    private func about(_ task: Int) -> JSONObject {
        let entry = tasks.tasks.entries[task]
        var object = JSONObject()
        object.add(ChromeArguments.task, OperationID(entry.identifier).description)
        if entry.name != 0 { object.add("name", tasks.tasks.texts[entry.name]) }
        if entry.parent != 0 { object.add("parent", OperationID(entry.parent).description) }
        return object
    }

    /// What a task did not run for, each inside its lifetime.
    private func appendWaits(of task: Int, _ bytes: inout [UInt8]) {
        let range = tasks.lifetimes.range(of: task)
        guard tasks.tasks.start(of: task) != nil, !range.isEmpty else { return }
        let entry = tasks.tasks.entries[task]
        let pid = tasks.section(of: task).map(number) ?? export.processIDs[Int(entry.process)]
        func append(_ phase: String, _ name: String, at time: Int64, _ arguments: JSONObject? = nil) {
            export.appendNested(
                phase, name, category: "task", id: OperationID(entry.identifier), pid: pid, at: time,
                arguments, to: &bytes)
        }
        let kind = tasks.tasks.kind(of: task)
        append("b", kind, at: range.lowerBound, about(task))
        tasks.lifetimes.forEach(of: task) { part, stretch, _ in
            guard part != .running else { return }
            append("b", part.row.label, at: stretch.lowerBound)
            append("e", part.row.label, at: stretch.upperBound)
        }
        append("e", kind, at: range.upperBound)
    }

    // MARK: Arrows

    private func appendArrows(_ bytes: inout [UInt8], _ emit: ([UInt8]) -> Void) {
        // The numbers of dependencies come before.
        var number = export.exported.trace.edges.count
        tasks.forEachCause(export.exported.whole.trace) { cause, moment, run in
            guard let (from, to) = arrow(from: cause, at: moment, to: run) else { return }
            number += 1
            let isFirst = tasks.tasks.firstRuns[Int(tasks.tasks.runs[run].task)] == run
            let word = isFirst ? "creation" : "wake"
            for (phase, end) in [("s", from), ("f", to)] {
                export.begin(phase, pid: end.pid, tid: end.tid, at: end.time, &bytes)
                bytes += #","cat":"\#(word)","name":"\#(word)","id":\#(number)"#.utf8
                bytes += (phase == "f" ? #","bp":"e"}"# : "}").utf8
            }
            bytes.emitPiece(emit)
        }
    }

    private typealias End = (pid: Int64, tid: Int64, time: Int64)

    /// Nil if viewers cannot draw it, because that requires slices with a duration at both ends.
    private func arrow(from cause: Int, at moment: Int64, to run: Int) -> (from: End, to: End)? {
        let from =
            if let task = export.exported.whole.trace.task(cause) {
                tasks.place(of: task, at: moment).map(end)
            } else {
                export.place(of: cause, at: moment)
            }
        guard let from, let to = tasks.beginning(of: run).map(end), from.time <= to.time else { return nil }
        return (from, to)
    }

    private func end(_ place: ExportedTasks.Place) -> End {
        let section = tasks.tracks[place.track].section
        return (number(ofSection: section), thread(ofTrack: place.track), place.time)
    }
}
