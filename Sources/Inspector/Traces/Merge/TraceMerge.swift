import CLogFormat
public import EventLog
import InspectorColumns

/// Merges the logs of several processes into one. It has a common time line, distinct identifiers, and edges
/// between processes from causes to effects.
///
/// If a cause had not finished when its effect was enqueued, it becomes the effect's parent; otherwise it
/// becomes a dependency. Such a parent replaces the one in the operation's own process.
public struct TraceMerge: Sendable {
    /// The merged log. Each access copies all events. Linear in events.
    public var contents: EventLogContents {
        let collector = EventCollector()
        pass(to: collector)
        return collector.contents(ReadLog(header: header, texts: texts, eventCount: eventCount))
    }
    /// What was shifted, and what could not be used, one sentence each.
    public let notes: [String]
    /// How many operations have a cause in another process.
    public let crossings: Int
    /// The header of the merged log.
    package let header: LogHeader
    /// For each log, its events as they are in the merged log.
    private let events: [[EventFields]]
    /// For each event of the merged log, the index of its log.
    private let order: [Int32]
    private let texts: InternedTexts

    package var eventCount: Int { order.count }

    /// Cost: n log k for n events in k logs; memory for all events.
    ///
    /// - Parameter logs: each with its name for messages, in any order: the order does not affect the result.
    /// - Throws: `TraceError` if a log cannot be merged, or if the logs do not belong together.
    public init(_ logs: [(path: String, contents: EventLogContents)]) throws(TraceError) {
        try self.init(stored: logs.map { ($0.path, StoredLog($0.contents)) })
    }

    /// The same for logs as they are read. It changes their events in place if the caller does not keep them.
    package init(stored logs: consuming [(path: String, log: StoredLog)]) throws(TraceError) {
        var inputs: [MergedInput] = []
        let first = logs.first?.path
        for log in logs { inputs.append(try MergedInput(log.log, path: log.path)) }
        inputs.sort {
            ($0.header.start, $0.header.processID, $0.path) < ($1.header.start, $1.header.processID, $1.path)
        }
        try Self.expectDifferent(inputs)
        let withoutOperations = inputs.count { !$0.hasOperations }
        inputs = inputs.filter(\.hasOperations)
        guard !inputs.isEmpty else {
            throw TraceError(
                .cannotBeMerged, path: first ?? "merge",
                reason: "none of the logs contains an operation")
        }
        var causes = MergedCauses(inputs)
        inputs = try Self.order(inputs, ClockAlignment(inputs, causes.messages)).map { inputs[$0] }
        causes = MergedCauses(inputs)
        let alignment = try ClockAlignment(inputs, causes.messages)
        let groups = try LogGroups(inputs, alignment, causes.messages)
        let processes = try Self.processes(inputs, alignment)
        var edges = MergedEdges(causes, clocks: alignment.clockOfLog)
        (order, texts) = try Self.merge(&inputs, processes, &edges)
        events = inputs.map(\.stored.events)
        var header = Self.header(inputs, processes)
        header.start = alignment.starts.min() ?? 0
        self.header = header
        crossings = edges.crossings
        notes =
            Self.notes(inputs, alignment, processes) + groups.notes
            + Self.notes(causes, edges, withoutOperations: withoutOperations)
    }

    /// Passes the events of the merged log on. Linear in events.
    package func pass(to consumer: any EventConsumer) {
        var next = events.map { _ in 0 }
        for log in order.lazy.map(Int.init) {
            consumer.consume(events[log][next[log]], texts)
            next[log] += 1
        }
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

    /// Changes the events to those of the merged log.
    ///
    /// - Returns: for each event of the merged log, the index of its log; and their texts.
    private static func merge(
        _ inputs: inout [MergedInput], _ processes: [LogProcess], _ edges: inout MergedEdges
    ) throws(TraceError) -> ([Int32], InternedTexts) {
        var queuesBefore: [UInt64] = [0]
        for input in inputs {
            queuesBefore.append(try sum(queuesBefore[queuesBefore.count - 1], input.lastQueue, input))
        }
        var order: [Int32] = []
        order.reserveCapacity(inputs.reduce(0) { $0 + $1.stored.events.count })
        var texts = InternedTexts()
        let sources = inputs.map(\.stored.log.texts)
        var moved = inputs.map { _ in MovedTexts() }
        func change(_ event: inout EventFields, of log: Int) {
            let (offset, operations) = (processes[log].offset, processes[log].operationsBefore)
            event.time += offset
            event.notBefore = event.notBefore.map { $0 + offset }
            event.process = Int32(log)
            event.renumber(operation: { $0 + operations }, queue: { $0 + queuesBefore[log] })
            moved[log].renumber(&event, sources[log]) { texts.number(of: $0) }
            if event.type == .enqueued { edges.connect(&event, in: log, processes) }
        }
        var next = inputs.map { _ in 0 }
        func time(_ log: Int) -> UInt64? {
            guard next[log] < inputs[log].stored.events.count else { return nil }
            return UInt64(max(0, inputs[log].stored.events[next[log]].time + processes[log].offset))
        }
        var heap = StreamHeap(inputs.indices.compactMap { log in time(log).map { ($0, log) } })
        while let log = heap.first {
            change(&inputs[log].stored.events[next[log]], of: log)
            order.append(Int32(log))
            next[log] += 1
            heap.replaceFirst(with: time(log))
        }
        return (order, texts)
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
