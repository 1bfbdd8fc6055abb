import EventLog
import InspectorColumns

/// A trace for viewers of Chrome traces, mainly Perfetto: executions on their threads, waits and counters by
/// queue, and an arrow for each edge; runs of Swift tasks on their executors, with an arrow for each wake
/// ([Trace Event Format](https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU)).
///
/// The JSON form of a log opens there too. This form is better for viewing: waits are split by reason, each
/// thread has a track, and each queue has counters. The arguments of its events (`ChromeArguments`) contain
/// everything needed to read it back.
public struct ChromeExport {
    /// Viewers fail beyond some millions of events. For traces with more operations and runs of tasks than
    /// this, only executions and runs are exported.
    static let mostOperationsInDetail = 250_000
    /// Above the numbers that the system assigns to processes and threads.
    private static let firstOwnNumber: Int64 = 1 << 24

    /// How many values the counters of processor use have at most.
    private static let processorTimes = 4_000

    let exported: ExportedTrace
    private let lanes: ExecutionLanes
    private let isDetailed: Bool
    private let tracks: [Int64]
    /// A distinct number for each process: its own, if possible.
    let processIDs: [Int64]
    private let predecessors: Grouping
    private let exportedTasks: ExportedTasks?

    /// Cost: O(n log n) in operations.
    public init(_ exported: ExportedTrace) {
        self.exported = exported
        let numbers = exported.trace.header.eventProcessIDs
        processIDs = numbers.enumerated().map { index, number in
            (1..<Self.firstOwnNumber).contains(Int64(number)) ? Int64(number) : Int64(index) + 1
        }
        predecessors = Grouping(
            exported.trace.edges.map { exported.hasTimes(of: $0) ? $0.successor : -1 },
            groups: exported.trace.operations.count)
        let lanes = ExecutionLanes(exported.analysis)
        self.lanes = lanes
        exportedTasks = ExportedTasks(exported)
        let runs = exported.trace.tasks.runs.count
        isDetailed = exported.trace.operations.count + runs <= Self.mostOperationsInDetail
        // Viewers sort by these: further lanes of a thread in a row, those without a thread last.
        let order = lanes.lanes.indices.sorted { first, second in
            let (first, second) = (lanes.lanes[first], lanes.lanes[second])
            return (UInt32(bitPattern: first.thread), first.number)
                < (UInt32(bitPattern: second.thread), second.number)
        }
        var tracks = [Int64](repeating: 0, count: order.count)
        for (rank, lane) in order.enumerated() {
            let number = lanes.threadNumber(of: lanes.lanes[lane]).flatMap { Int64(exactly: $0) } ?? 0
            tracks[lane] =
                (1..<Self.firstOwnNumber).contains(number) ? number : Self.firstOwnNumber + Int64(rank)
        }
        self.tracks = tracks
    }

    /// What is left out or changed, one sentence each. Linear in edges.
    public var notes: [String] {
        var notes = exported.notesOfTimes
        guard isDetailed else {
            let edges = exported.trace.edges.count
            notes.append(
                "left out: waits, counters and \(Prose.counted(edges, "edge")), "
                    + "because viewers fail with them: "
                    + "the trace has more than \(Prose.grouped(Self.mostOperationsInDetail)) operations"
                    + (exportedTasks == nil ? "" : " and runs of tasks"))
            return notes
        }
        let untimed = exported.trace.edges.count { !exported.hasTimes(of: $0) }
        let arrowless = exported.trace.edges.count { arrow(of: $0) == nil } - untimed
        if arrowless > 0 {
            notes.append(
                "without an arrow: \(Prose.counted(arrowless, "edge")) between operations that did not "
                    + "execute one after the other"
            )
        }
        if untimed > 0 {
            notes.append(
                "left out: \(Prose.counted(untimed, "edge")) of operations that were never enqueued")
        }
        let arrowlessRuns = tasks?.withoutArrow ?? 0
        if arrowlessRuns > 0 {
            notes.append(
                "without an arrow: \(Prose.counted(arrowlessRuns, "run")) of tasks whose cause was not "
                    + "running at that moment")
        }
        let marks = exported.trace.marks.count
        if marks > 0 { notes.append("left out: \(Prose.counted(marks, "mark"))") }
        let waits = exported.trace.blockingWaits.count
        if waits > 0 {
            notes.append("left out: \(Prose.counted(waits, "wait")) of threads for operations or queues")
        }
        return notes
    }

    /// Writes the file in pieces of about a megabyte, always with the same bytes.
    public func write(_ emit: ([UInt8]) -> Void) {
        let header = exported.trace.header
        var about = JSONObject()
        about.add("exporter", "opviz")
        about.add("run", exported.identifier)
        about.add("trace", exported.run)
        about.add("process", header.process)
        about.add("host", header.host)
        about.add("startUnixNano", exported.start.map(String.init))
        let identifiers = OTLPIdentifiers(exported)
        about.add(
            "processes",
            exported.trace.processes.indices.map { index in
                var object = JSONObject()
                object.add(ProcessAttributeNames.eventProcessID, String(processIDs[index]))
                object.add(
                    ProcessAttributes(
                        exported, process: index, identifier: exported.identifier,
                        cause: identifiers.cause(of: index)))
                return object
            })
        var bytes = Array(#"{"displayTimeUnit":"ms","otherData":"#.utf8) + about.closed
        bytes += #","traceEvents":["#.utf8
        for (index, process) in exported.trace.processes.enumerated() {
            bytes += metadata("process_name", pid: processIDs[index], tid: 0, process.process)
                .dropFirst(index == 0 ? 1 : 0)
        }
        let columns = exported.trace.operations.store.columns
        for (track, lane) in zip(tracks, lanes.lanes) {
            let process = lane.thread < 0 ? 0 : Int(columns.threadProcesses[Int(lane.thread)])
            bytes += metadata("thread_name", pid: processIDs[process], tid: track, lanes.name(of: lane))
            bytes.emitPiece(emit)
        }
        for execution in lanes.executions {
            append(execution, to: &bytes)
            bytes.emitPiece(emit)
        }
        if isDetailed {
            for (index, edge) in exported.trace.edges.enumerated() {
                append(edge, number: index, to: &bytes)
                bytes.emitPiece(emit)
            }
            writeQueues(&bytes, emit)
            appendProcessorUse(to: &bytes)
        }
        tasks?.write(isDetailed: isDetailed, &bytes, emit)
        bytes += "\n]}\n".utf8
        emit(bytes)
    }

    /// Executors have the numbers after those of queues and of the processors.
    private var tasks: ChromeTasks? {
        exportedTasks.map {
            ChromeTasks(
                $0, self, firstNumber: Self.firstOwnNumber + Int64(exported.trace.queues.count) + 1)
        }
    }

    private func writeQueues(_ bytes: inout [UInt8], _ emit: ([UInt8]) -> Void) {
        for (index, queue) in exported.trace.queues.enumerated() {
            bytes += metadata(
                "process_name", pid: Self.firstOwnNumber + Int64(index), tid: 0, "queue \(queue.displayName)")
        }
        for operation in exported.trace.operations {
            appendWaits(of: operation, to: &bytes)
            appendUnseen(operation, to: &bytes)
            bytes.emitPiece(emit)
        }
        let counters = QueueCounters(exported.analysis)
        for queue in exported.trace.queues.indices {
            counters.visit(queue) { time, executing, waiting in
                begin("C", pid: Self.firstOwnNumber + Int64(queue), tid: 0, at: time, &bytes)
                bytes +=
                    #","name":"operations","args":{"executing":\#(executing),"waiting":\#(waiting)}}"#.utf8
                bytes.emitPiece(emit)
            }
        }
    }

    /// How many threads were on processors, and how many waited for one: averages over equal times, a value
    /// for each change.
    private func appendProcessorUse(to bytes: inout [UInt8]) {
        guard let use = exported.processorUse, let times = use.runTimes,
            let threads = use.threadsOverTime(
                parts: Self.processorTimes, from: times.lowerBound, to: times.upperBound)
        else { return }
        let pid = Self.firstOwnNumber + Int64(exported.trace.queues.count)
        bytes += metadata("process_name", pid: pid, tid: 0, "processors")
        var last = ""
        for (column, (onCPU, waiting)) in zip(threads.onCPU, threads.waiting).enumerated() {
            let values =
                #"{"on CPU":\#(Self.hundredths(onCPU)),"waiting for a CPU":\#(Self.hundredths(waiting))}"#
            if values == last { continue }
            last = values
            let share = Double(column) / Double(Self.processorTimes)
            let time = times.lowerBound + Int64(Double(times.count) * share)
            begin("C", pid: pid, tid: 0, at: time, &bytes)
            bytes += #","name":"threads","args":\#(values)}"#.utf8
        }
        begin("C", pid: pid, tid: 0, at: times.upperBound, &bytes)
        bytes += #","name":"threads","args":{"on CPU":0,"waiting for a CPU":0}}"#.utf8
    }

    private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private func process(of operation: Int) -> Int64 {
        processIDs[Int(exported.trace.operations.store.columns.processes[operation])]
    }

    // MARK: Events

    private func append(_ execution: ExecutionLanes.Execution, to bytes: inout [UInt8]) {
        let index = Int(execution.operation)
        let operation = exported.trace.operations[index]
        begin(
            "X", pid: process(of: index), tid: tracks[Int(lanes.laneOfOperation[index])], at: execution.start,
            &bytes)
        bytes += #","dur":"#.utf8
        JSONText.append(microseconds: execution.end - execution.start, to: &bytes)
        bytes += #","cat":"execution","name":"#.utf8
        JSONText.append(operation.displayName, to: &bytes)
        bytes += #","args":"#.utf8
        bytes += arguments(of: index).closed
        bytes += "}".utf8
    }

    /// The operation's properties, for readers.
    private func arguments(of index: Int) -> JSONObject {
        ChromeArguments.object(
            exported, index,
            predecessors: predecessors[index].lazy.map { exported.trace.edges[Int($0)].predecessor },
            process: process(of: index), isWhole: isDetailed)
    }

    /// Where an arrow begins and ends; nil if viewers cannot draw it, because that requires slices with a
    /// duration at both ends.
    private func arrow(of edge: Trace.Edge) -> (from: Int64, to: Int64)? {
        guard exported.has(edge), let from = end(of: edge.predecessor),
            lanes.laneOfOperation[edge.successor] >= 0,
            let successor = execution(of: edge.successor), successor.start < successor.end,
            from <= successor.start
        else { return nil }
        // A nanosecond before the end: at the end, the slice is over.
        return (from - 1, successor.start)
    }

    private func end(of operation: Int) -> Int64? {
        guard let execution = execution(of: operation), execution.start < execution.end else { return nil }
        return execution.end
    }

    /// Where an arrow from the execution of an operation begins; nil if it did not execute then.
    func place(of operation: Int, at moment: Int64) -> (pid: Int64, tid: Int64, time: Int64)? {
        guard let (start, end) = execution(of: operation), start <= moment, moment <= end, start < end else {
            return nil
        }
        let track = tracks[Int(lanes.laneOfOperation[operation])]
        return (process(of: operation), track, min(moment, end - 1))
    }

    private func execution(of operation: Int) -> (start: Int64, end: Int64)? {
        guard lanes.laneOfOperation[operation] >= 0,
            let start = exported.analysis.timings.transitions.start(of: operation),
            let waits = exported.analysis.waits[operation]
        else { return nil }
        return (start, start + waits.execution)
    }

    private func append(_ edge: Trace.Edge, number: Int, to bytes: inout [UInt8]) {
        guard let arrow = arrow(of: edge) else { return }
        for (phase, operation, time) in [
            ("s", edge.predecessor, arrow.from), ("f", edge.successor, arrow.to),
        ] {
            begin(
                phase, pid: process(of: operation), tid: tracks[Int(lanes.laneOfOperation[operation])],
                at: time, &bytes)
            bytes += #","cat":"dependency","name":"dependency","id":\#(number + 1)"#.utf8
            bytes += (phase == "f" ? #","bp":"e"}"# : "}").utf8
        }
    }

    /// The waits before its execution, each inside the operation's whole wait. Viewers create a track for
    /// each kind of wait.
    private func appendWaits(of operation: TracedOperation, to bytes: inout [UInt8]) {
        let index = operation.index
        guard let line = exported.analysis.timings.transitions[index],
            let waits = exported.analysis.waits[index],
            let queue = operation.queue, exported.trace.queues.indices.contains(queue),
            line.enqueued < line.start
        else { return }
        func append(_ phase: String, _ name: String, at time: Int64, with arguments: JSONObject? = nil) {
            appendNested(
                phase, name, category: "wait", id: operation.id, pid: Self.firstOwnNumber + Int64(queue),
                at: time, arguments, to: &bytes)
        }
        // The slice of an execution already describes its operation.
        var about = lanes.laneOfOperation[index] < 0 ? arguments(of: index) : JSONObject()
        about.add("operation", operation.displayName)
        append("b", operation.kind, at: line.enqueued, with: about)
        exported.stretches(of: index, line, waits).visit { part, from, to in
            guard part != .execution, to <= line.start else { return }
            append("b", part.label, at: from)
            append("e", part.label, at: to)
        }
        append("e", operation.kind, at: line.start)
    }

    /// An operation that neither executed nor waited becomes an instant.
    private func appendUnseen(_ operation: TracedOperation, to bytes: inout [UInt8]) {
        let index = operation.index
        let queue = operation.queue ?? -1
        guard let line = exported.analysis.timings.transitions[index], lanes.laneOfOperation[index] < 0,
            line.enqueued >= line.start || !exported.trace.queues.indices.contains(queue)
        else { return }
        begin("i", pid: process(of: index), tid: 0, at: line.enqueued, &bytes)
        bytes += #","s":"p","cat":"operation","name":"#.utf8
        JSONText.append(operation.displayName, to: &bytes)
        bytes += #","args":"#.utf8
        bytes += arguments(of: index).closed
        bytes += "}".utf8
    }

    /// The begin, `b`, or the end, `e`, of a slice inside others with the same identifier.
    func appendNested(
        _ phase: String, _ name: String, category: String, id: OperationID, pid: Int64, at time: Int64,
        _ arguments: JSONObject?, to bytes: inout [UInt8]
    ) {
        begin(phase, pid: pid, tid: 0, at: time, &bytes)
        bytes += #","cat":"\#(category)","id2":{"local":"\#(id)"},"name":"#.utf8
        JSONText.append(name, to: &bytes)
        if let arguments {
            bytes += #","args":"#.utf8
            bytes += arguments.closed
        }
        bytes += "}".utf8
    }

    func begin(_ phase: String, pid: Int64, tid: Int64, at time: Int64, _ bytes: inout [UInt8]) {
        bytes += ",\n{\"ph\":\"\(phase)\",\"pid\":\(pid),\"tid\":\(tid),\"ts\":".utf8
        JSONText.append(microseconds: time.saturatingAdd(exported.viewerShift), to: &bytes)
    }

    func metadata(_ name: String, pid: Int64, tid: Int64, _ value: String) -> [UInt8] {
        var bytes = Array(
            ",\n{\"ph\":\"M\",\"name\":\"\(name)\",\"pid\":\(pid),\"tid\":\(tid),\"args\":{\"name\":".utf8)
        JSONText.append(value, to: &bytes)
        bytes += "}}".utf8
        return bytes
    }
}

extension OutputFormat {
    package static let chrome = Self("chrome", [])
}
