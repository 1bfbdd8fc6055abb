import EventLog
import InspectorColumns

/// A trace for [speedscope](https://www.speedscope.app): a profile for each thread, in which an execution is
/// a frame with the name of its kind, and inside it a frame with the operation's own name; and a profile for
/// each track of an executor, in which a run of a Swift task is a frame with the name of its kind ([file
/// format](https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources), evented).
public struct SpeedscopeExport {
    /// With more operations than this, names are left out, because speedscope reads the whole list of frames
    /// first.
    static let mostOperationsWithNames = 250_000

    private let exported: ExportedTrace
    private let lanes: ExecutionLanes
    private let tasks: ExportedTasks?
    /// Kinds, followed by those of tasks and by names.
    private var frames: [String]
    /// The number of the first kind of tasks.
    private let firstKindOfTasks: Int
    private var frameOfName: [String: Int] = [:]

    /// Cost: O(n log n) in operations.
    public init(_ exported: ExportedTrace) {
        self.exported = exported
        lanes = ExecutionLanes(exported.analysis)
        tasks = ExportedTasks(exported)
        frames = exported.trace.kinds
        firstKindOfTasks = frames.count
        if let tasks { frames += tasks.tasks.kinds }
        guard exported.trace.operations.count <= Self.mostOperationsWithNames else { return }
        for execution in lanes.executions {
            guard let name = exported.trace.operations[Int(execution.operation)].name, !name.isEmpty,
                frameOfName[name] == nil
            else { continue }
            frameOfName[name] = frames.count
            frames.append(name)
        }
    }

    /// What is left out or changed, one sentence each.
    public var notes: [String] {
        var notes = exported.notesOfTimes
        let operations = exported.trace.operations.count
        let idle = operations - exported.unobservedCount - lanes.executions.count
        if idle > 0 {
            notes.append("left out: \(Prose.counted(idle, "operation")) that never executed")
        }
        if operations > Self.mostOperationsWithNames {
            notes.append(
                "left out: the names of operations, because the trace has more than "
                    + "\(Prose.grouped(Self.mostOperationsWithNames)); their kinds are there")
        }
        return notes
    }

    /// Writes the file in pieces of about a megabyte, always with the same bytes.
    public func write(_ emit: ([UInt8]) -> Void) {
        var bytes: [UInt8] = []
        SpeedscopeDocument.begin(exported.run, frames: frames, &bytes, emit)
        let byLane = Grouping(
            lanes.executions.lazy.map { Int(lanes.laneOfOperation[Int($0.operation)]) },
            groups: lanes.lanes.count)
        for lane in lanes.lanes.indices {
            SpeedscopeDocument.beginProfile(
                "evented", lanes.name(of: lanes.lanes[lane]), unit: "nanoseconds", isFirst: lane == 0, &bytes)
            appendProfile(lane, byLane[lane], &bytes, emit)
        }
        for (number, track) in (tasks?.tracks ?? []).enumerated() {
            SpeedscopeDocument.beginProfile(
                "evented", track.name, unit: "nanoseconds", isFirst: lanes.lanes.isEmpty && number == 0,
                &bytes)
            appendRuns(of: track, &bytes, emit)
        }
        SpeedscopeDocument.end(&bytes)
        emit(bytes)
    }

    /// - Parameter positions: consecutive positions in `lanes.executions`.
    private func appendProfile(
        _ lane: Int, _ positions: ArraySlice<Int32>, _ bytes: inout [UInt8], _ emit: ([UInt8]) -> Void
    ) {
        let start = positions.first.map { lanes.executions[Int($0)].start } ?? 0
        let end = positions.last.map { lanes.executions[Int($0)].end } ?? start
        bytes += ",\"startValue\":\(shifted(start)),\"endValue\":\(shifted(end)),\"events\":[".utf8
        for (number, position) in positions.enumerated() {
            let execution = lanes.executions[Int(position)]
            let operation = exported.trace.operations[Int(execution.operation)]
            let name = operation.name.flatMap { frameOfName[$0] }
            bytes += (number == 0 ? "\n" : ",\n").utf8
            append("O", operation.kindIndex, execution.start, &bytes)
            if let name {
                bytes += ",".utf8
                append("O", name, execution.start, &bytes)
                bytes += ",".utf8
                append("C", name, execution.end, &bytes)
            }
            bytes += ",".utf8
            append("C", operation.kindIndex, execution.end, &bytes)
            bytes.emitPiece(emit)
        }
        bytes += "]}".utf8
    }

    private func appendRuns(
        of track: ExportedTasks.Track, _ bytes: inout [UInt8], _ emit: ([UInt8]) -> Void
    ) {
        guard let tasks, let first = track.stays.first, let last = track.stays.last else { return }
        let (start, end) = (tasks.stays[Int(first)].start, tasks.stays[Int(last)].end)
        bytes += ",\"startValue\":\(shifted(start)),\"endValue\":\(shifted(end)),\"events\":[".utf8
        for (number, position) in track.stays.enumerated() {
            let stay = tasks.stays[Int(position)]
            let kind = tasks.tasks.entries[tasks.task(ofStay: Int(position))].kind
            bytes += (number == 0 ? "\n" : ",\n").utf8
            append("O", firstKindOfTasks + Int(kind), stay.start, &bytes)
            bytes += ",".utf8
            append("C", firstKindOfTasks + Int(kind), stay.end, &bytes)
            bytes.emitPiece(emit)
        }
        bytes += "]}".utf8
    }

    private func append(_ type: String, _ frame: Int, _ time: Int64, _ bytes: inout [UInt8]) {
        bytes += #"{"type":"\#(type)","frame":\#(frame),"at":\#(shifted(time))}"#.utf8
    }

    private func shifted(_ time: Int64) -> Int64 { time.saturatingAdd(exported.viewerShift) }
}
