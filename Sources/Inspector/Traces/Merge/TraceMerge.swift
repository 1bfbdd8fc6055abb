import CLogFormat
public import EventLog
import InspectorColumns

/// Merges the logs of several processes into one. It has a common time line, distinct identifiers, and edges
/// between processes from causes to effects.
///
/// If a cause had not finished when its effect was enqueued, it becomes the effect's parent; otherwise it
/// becomes a dependency. Such a parent replaces the one in the operation's own process.
public struct TraceMerge: Sendable {
    /// The merged log.
    public let contents: EventLogContents
    /// What was shifted, and what could not be used, one sentence each.
    public let notes: [String]
    /// How many operations have a cause in another process.
    public let crossings: Int

    /// Cost: n log k for n events in k logs; memory for all events.
    ///
    /// - Parameter logs: each with its name for messages, in any order: the order does not affect the result.
    /// - Throws: `TraceError` if a log cannot be merged, or if the logs do not belong together.
    public init(_ logs: [(path: String, contents: EventLogContents)]) throws(TraceError) {
        var inputs: [MergedInput] = []
        for log in logs { inputs.append(try MergedInput(log.contents, path: log.path)) }
        inputs.sort {
            ($0.header.start, $0.header.processID, $0.path) < ($1.header.start, $1.header.processID, $1.path)
        }
        try Self.expectDifferent(inputs)
        let withoutOperations = inputs.count { !$0.hasOperations }
        inputs = inputs.filter(\.hasOperations)
        guard !inputs.isEmpty else {
            throw TraceError(
                .cannotBeMerged, path: logs.first?.path ?? "merge",
                reason: "none of the logs contains an operation")
        }
        var causes = MergedCauses(inputs)
        let order = try Self.order(inputs, ClockAlignment(inputs, causes.messages))
        inputs = order.map { inputs[$0] }
        causes = MergedCauses(inputs)
        let alignment = try ClockAlignment(inputs, causes.messages)
        let groups = try LogGroups(inputs, alignment, causes.messages)
        let processes = try Self.processes(inputs, alignment)
        var edges = MergedEdges(causes, clocks: alignment.clockOfLog)
        let events = try Self.events(inputs, processes, &edges)
        var header = Self.header(inputs, processes)
        header.start = alignment.starts.min() ?? 0
        contents = EventLogContents(header: header, events: events)
        crossings = edges.crossings
        notes =
            Self.notes(inputs, alignment, processes) + groups.notes
            + Self.notes(causes, edges, withoutOperations: withoutOperations)
    }

    // MARK: Refusals

    private static func expectDifferent(_ inputs: [MergedInput]) throws(TraceError) {
        struct Run: Hashable {
            let process: String
            let processID: Int32
            let host: String
            let start: Int64
        }
        var known: [Run: String] = [:]
        for input in inputs {
            let header = input.header
            let run = Run(
                process: header.process, processID: header.processID, host: header.host, start: header.start)
            guard let other = known.updateValue(input.path, forKey: run) else { continue }
            throw TraceError(
                .cannotBeMerged, path: input.path,
                reason: "is the log of the same process and the same start as \(other)")
        }
    }

    // MARK: Merging

    /// The logs, ordered by their starts.
    private static func order(_ inputs: [MergedInput], _ alignment: ClockAlignment) -> [Int] {
        inputs.indices.sorted {
            (alignment.starts[$0], inputs[$0].header.processID, inputs[$0].path)
                < (alignment.starts[$1], inputs[$1].header.processID, inputs[$1].path)
        }
    }

    private static func processes(_ inputs: [MergedInput], _ alignment: ClockAlignment) throws(TraceError)
        -> [LogProcess]
    {
        let origin = alignment.starts.min() ?? 0
        var operations: UInt64 = 0
        var processes: [LogProcess] = []
        for (index, input) in inputs.enumerated() {
            var process = LogProcess(input.header)
            process.offset = alignment.starts[index] - origin
            process.shift = alignment.shifts[index]
            process.operationsBefore = operations
            process.lastAlive = process.offset.saturatingAdd(process.lastAlive)
            processes.append(process)
            operations = try sum(operations, input.lastOperation, input, limit: LOG_FIRST_TASK)
        }
        return processes
    }

    /// The amount to add to the identifiers of the next log.
    ///
    /// - Parameter limit: identifiers are smaller than it.
    private static func sum(
        _ before: UInt64, _ last: UInt64?, _ input: MergedInput, limit: UInt64 = .max
    ) throws(TraceError) -> UInt64 {
        guard let last else { return before }
        // Recorders count from 1, but other writers may count from 0.
        let (sum, overflow) = before.addingReportingOverflow(last)
        guard !overflow, sum < limit else {
            throw TraceError(
                .cannotBeMerged, path: input.path,
                reason: "has identifiers so large that those of the other logs do not fit")
        }
        return sum + 1
    }

    private static func events(
        _ inputs: [MergedInput], _ processes: [LogProcess], _ edges: inout MergedEdges
    ) throws(TraceError) -> [LogEvent] {
        var queuesBefore: [UInt64] = [0]
        for input in inputs {
            queuesBefore.append(try sum(queuesBefore[queuesBefore.count - 1], input.lastQueue, input))
        }
        var events: [LogEvent] = []
        events.reserveCapacity(inputs.reduce(0) { $0 + $1.contents.events.count })
        var next = inputs.map { _ in 0 }
        func time(_ log: Int) -> UInt64? {
            guard next[log] < inputs[log].contents.events.count else { return nil }
            return UInt64(max(0, inputs[log].contents.events[next[log]].time + processes[log].offset))
        }
        var order = StreamHeap(inputs.indices.compactMap { log in time(log).map { ($0, log) } })
        while let log = order.first {
            var event = inputs[log].contents.events[next[log]]
            next[log] += 1
            let (process, queues) = (processes[log], queuesBefore[log])
            event.time += process.offset
            event.notBefore = event.notBefore.map { $0 + process.offset }
            event.process = log
            let own = event.body
            event.renumber(operation: { $0 + process.operationsBefore }, queue: { $0 + queues })
            if case .enqueued(let original) = own, case .enqueued(var enqueue) = event.body {
                edges.connect(&enqueue, original, in: log, at: event.time, processes)
                event.body = .enqueued(enqueue)
            }
            events.append(event)
            order.replaceFirst(with: time(log))
        }
        return events
    }

    private static func header(_ inputs: [MergedInput], _ processes: [LogProcess]) -> LogHeader {
        var header = inputs[0].header
        header.bootClock = nil
        header.processors = nil
        // Open operations of a program that opviz recorded must not pass for those of another program.
        header.isOfAnotherProgram = inputs.allSatisfy(\.header.isOfAnotherProgram)
        if inputs.contains(where: { $0.header.processorTimes != header.processorTimes }) {
            header.processorTimes = nil
        }
        header.take(processes)
        return header
    }

    // MARK: Notes

    private static func notes(
        _ inputs: [MergedInput], _ alignment: ClockAlignment, _ processes: [LogProcess]
    ) -> [String] {
        var notes: [String] = []
        if alignment.clockCount > 1 {
            notes.append(
                "the logs have \(alignment.clockCount) clocks that agree only on the time of day, so times "
                    + "of different clocks are compared only as exactly as that")
        }
        for log in inputs.indices where processes[log].shift != 0 {
            notes.append(shiftNote(inputs, log, processes[log].shift, alignment.reasons[log]))
        }
        for input in inputs where input.contradictions > 0 {
            let count = input.contradictions
            notes.append(
                "\(input.path): \(Prose.counted(count, "event")) "
                    + "\(count == 1 ? "contradicts" : "contradict") earlier ones "
                    + "(an operation enqueued, started or finished twice, or finished before it started)")
        }
        return notes
    }

    /// By how much a log was shifted, and why.
    private static func shiftNote(
        _ inputs: [MergedInput], _ log: Int, _ shift: Int64, _ reason: ClockAlignment.Reason?
    ) -> String {
        let length = DurationFormat.text(nanoseconds: shift < 0 ? -shift : shift)
        let what =
            "\(inputs[log].path): shifted \(length) \(shift < 0 ? "earlier" : "later"), "
            + "the smallest correction"
        guard let reason else { return what }
        let (cause, effect) = (inputs[reason.message.from].path, inputs[reason.message.to].path)
        guard reason.wrong > 0 else {
            let other = effect == inputs[log].path ? cause : effect
            return "\(what): it exchanges messages with \(other), which was shifted"
        }
        let fault = reason.isCausal ? "came before" : "outlasted"
        return
            "\(what): by their clocks, "
            + "\(Prose.grouped(reason.wrong)) of \(Prose.counted(reason.all, "effect")) "
            + "in \(effect) \(fault) \(reason.wrong == 1 ? "its cause" : "their causes") in \(cause)"
    }

    private static func notes(_ causes: MergedCauses, _ edges: MergedEdges, withoutOperations: Int)
        -> [String]
    {
        var notes: [String] = []
        func add(_ count: Int, _ noun: String, _ singular: String, _ plural: String) {
            if count > 0 { notes.append("\(Prose.counted(count, noun)) \(count == 1 ? singular : plural)") }
        }
        add(
            withoutOperations, "log", "contains no operations, and was left out",
            "contain no operations, and were left out")
        add(causes.unknown, "cause", "is in none of these logs", "are in none of these logs")
        add(
            causes.ambiguous, "cause", "has an identifier that several operations share, and was left out",
            "have identifiers that several operations share, and were left out")
        add(
            edges.replacedParents, "operation",
            "was added by an operation of its own process, but its cause in another process is its parent",
            "were added by operations of their own processes, "
                + "but their causes in other processes are their parents")
        add(
            edges.leftOut, "cause", "of an operation that has another parent already was left out",
            "of operations that have another parent already were left out")
        add(
            edges.over, "cause",
            "had finished when its effect began, so it is a dependency, not a parent; their clocks agree "
                + "only on the time of day",
            "had finished when their effects began, so they are dependencies, not parents; their clocks "
                + "agree only on the time of day"
        )
        add(
            edges.circular, "cause", "was left out, because it is caused by its effect",
            "were left out, because they are caused by their effects")
        return notes
    }
}
