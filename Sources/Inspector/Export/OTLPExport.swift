import EventLog
import InspectorColumns

/// A trace for OpenTelemetry, in JSON: a request that exports traces ([OTLP
/// 1](https://opentelemetry.io/docs/specs/otlp/), its
/// [JSON](https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding)).
///
/// It is a single trace with a span for each operation, from its enqueue to its end. A span's parent is the
/// operation in whose body it was enqueued. It has links to the operations that it depends on, and events for
/// transitions, waits and marks. A Swift task is a span from its creation to its end, with links to what
/// resumed it.
public struct OTLPExport {
    private let exported: ExportedTrace
    private let identifiers: OTLPIdentifiers
    private let remoteCauses: OTLPRemoteCauses
    private let predecessors: Grouping
    private let marks: Grouping
    private let tasks: TaskLifetimes

    /// Linear in operations, edges and marks.
    public init(_ operations: ExportedTrace) {
        let exported = operations.withTasks
        self.exported = exported
        tasks = TaskLifetimes(exported.trace.tasks, exported.processorUse)
        identifiers = OTLPIdentifiers(exported)
        remoteCauses = OTLPRemoteCauses(exported.trace, identifiers)
        let operations = exported.trace.operations.count
        // Edges from operations without a span are left out.
        predecessors = Grouping(
            exported.trace.edges.map { exported.hasTimes(of: $0) ? $0.successor : -1 }, groups: operations)
        marks = Grouping(exported.trace.marks.map { $0.operation ?? -1 }, groups: operations)
    }

    /// What is left out or changed, one sentence each. Linear in operations.
    public var notes: [String] {
        var notes = exported.notesOfTimes
        if exported.start == nil {
            notes.append(
                "its spans start at 1970-01-01T00:00:01Z, because OpenTelemetry requires a date"
            )
        }
        let waits = exported.trace.blockingWaits.count
        if waits > 0 {
            notes.append("left out: \(Prose.counted(waits, "wait")) of threads for operations or queues")
        }
        let edges = exported.trace.edges.count - predecessors.members.count
        if edges > 0 {
            notes.append(
                "left out: \(Prose.counted(edges, "edge")) of operations that were never enqueued")
        }
        let parents = exported.trace.operations.count {
            $0.parent != nil && exported.analysis.timings.transitions.has($0.index)
                && parent(of: $0.index) == nil
                && identifiers.origin($0.index)?.isOfAnotherProgram != true
        }
        if parents > 0 {
            notes.append(
                "left out: \(Prose.counted(parents, "parent")) "
                    + "that \(parents == 1 ? "was" : "were") not enqueued before the child")
        }
        let lone = exported.trace.marks.count - marks.members.count
        if lone > 0 { notes.append("left out: \(Prose.counted(lone, "mark")) outside of operations") }
        return notes
    }

    /// Writes the file in pieces of about a megabyte, always with the same bytes.
    public func write(_ emit: ([UInt8]) -> Void) {
        let transitions = exported.analysis.timings.transitions
        let processes = exported.trace.processes
        let columns = exported.trace.operations.store.columns
        let operations = Grouping(
            (0..<columns.count).lazy.map { Int(columns.processes[$0]) }, groups: processes.count)
        var bytes = Array(#"{"resourceSpans":["#.utf8)
        for index in processes.indices {
            bytes += (index == 0 ? #"{"resource":{"# : ",\n{\"resource\":{").utf8
            var resource = OTLPAttributes()
            let written = exported.trace.origins.attributes(ofProcess: index)
            for (key, value) in written { resource.add(key, written: value) }
            resource.add(
                ProcessAttributes(
                    exported, process: index, identifier: exported.identifier,
                    cause: identifiers.cause(of: index)), except: Set(written.map(\.key)))
            resource.append(after: "", to: &bytes)
            bytes += #"},"scopeSpans":[{"scope":{"name":"opviz"},"spans":["#.utf8
            var isFirst = true
            for index in operations[index] {
                guard let line = transitions[Int(index)] else { continue }
                bytes += (isFirst ? "\n" : ",\n").utf8
                isFirst = false
                let operation = exported.trace.operations[Int(index)]
                if let origin = identifiers.origin(operation.index), origin.isOfAnotherProgram {
                    append(operation, line, as: origin, to: &bytes)
                } else {
                    append(operation, line, to: &bytes)
                }
                bytes.emitPiece(emit)
            }
            bytes += "\n]}]}".utf8
        }
        bytes += "]}\n".utf8
        emit(bytes)
    }

    // MARK: Spans

    private func append(_ operation: TracedOperation, _ line: OrderedTransitions, to bytes: inout [UInt8]) {
        begin(operation, parent: parentSpan(of: operation.index), to: &bytes)
        bytes += #","kind":1\#(times(line))"#.utf8
        attributes(operation, line).append(to: &bytes)
        appendEvents(operation, line, to: &bytes)
        appendLinks(operation.index, to: &bytes)
        if case .failed(let message) = operation.outcome {
            bytes += #","status":{"code":2,"message":"#.utf8
            JSONText.append(message, to: &bytes)
            bytes += "}".utf8
        }
        bytes += "}".utf8
    }

    /// Appends a span of another program as it was in the file that was read, with what the analysis adds.
    private func append(
        _ operation: TracedOperation, _ line: OrderedTransitions, as origin: SpanOrigins.Span,
        to bytes: inout [UInt8]
    ) {
        let (origins, texts) = (exported.trace.origins, exported.trace.operations.store.texts)
        let parent = TraceContext.Span(traceHigh: 0, traceLow: 0, span: origin.parent).spanText
        begin(operation, parent: origin.parent == 0 ? nil : Array(parent.utf8), to: &bytes)
        bytes += times(line).utf8
        var attributes = OTLPAttributes()
        for (key, value) in origins.attributes(of: origin) {
            attributes.add(texts[key], written: texts[value])
        }
        attributes.add(
            OTLPAttributeNames.isCritical, exported.whole.criticalPath.contains(operation: operation.index)
        )
        if !line.isFinished { attributes.add(OTLPAttributeNames.outcome, OperationEnding.unfinished.word) }
        attributes.append(to: &bytes)
        for (key, value) in origins.members(of: origin) {
            bytes += ",".utf8
            JSONText.append(texts[key], to: &bytes)
            bytes += ":".utf8
            bytes += texts[value].utf8
        }
        bytes += "}".utf8
    }

    /// Appends identifiers and the name.
    private func begin(_ operation: TracedOperation, parent: [UInt8]?, to bytes: inout [UInt8]) {
        bytes += #"{"traceId":""#.utf8
        bytes += identifiers.trace(of: operation.index)
        bytes += #"","spanId":""#.utf8
        bytes += identifiers.span(operation.index)
        if let parent {
            bytes += #"","parentSpanId":""#.utf8
            bytes += parent
        }
        bytes += #"","name":"#.utf8
        JSONText.append(operation.kind, to: &bytes)
    }

    private func times(_ line: OrderedTransitions) -> String {
        #","startTimeUnixNano":"\#(time(line.enqueued))","endTimeUnixNano":"\#(time(line.end))""#
    }

    private func attributes(_ operation: TracedOperation, _ line: OrderedTransitions) -> OTLPAttributes {
        let ending = OperationEnding(exported.trace.operations.store.columns, operation.index)
        var attributes = OTLPAttributes()
        attributes.add(OTLPAttributeNames.identifier, operation.id.description)
        attributes.add(OTLPAttributeNames.name, operation.name)
        attributes.add(OTLPAttributeNames.outcome, ending.word)
        if ending == .failed { attributes.add("error.type", "_OTHER") }
        if let queue = exported.queue(of: operation.index) {
            attributes.add(OTLPAttributeNames.queue, queue.id.description)
            attributes.add(OTLPAttributeNames.queueName, queue.name.isEmpty ? nil : queue.name)
        }
        attributes.add("thread.id", operation.thread.flatMap { Int64(exactly: $0) })
        attributes.add(OTLPAttributeNames.priority, operation.priority == 0 ? nil : Int64(operation.priority))
        attributes.add(
            OTLPAttributeNames.isCritical, exported.whole.criticalPath.contains(operation: operation.index)
        )
        attributes.add(OTLPAttributeNames.isMended, exported.isMended(operation.index, line))
        if line.isFinished, !line.finished.isExact {
            attributes.add(OTLPAttributeNames.finishedNotBefore, time(line.finished.notBefore))
        }
        attributes.add(OTLPAttributeNames.slotFree, exported.slotFree(of: operation.index, line).map(time))
        if let parts = exported.processorUse?.parts(of: operation.index) {
            add(parts, to: &attributes)
        }
        if let task = exported.trace.task(operation.index) { add(task: task, to: &attributes) }
        return attributes
    }

    private func add(_ parts: ExecutionParts, to attributes: inout OTLPAttributes) {
        for part in ExecutionParts.Part.allCases { attributes.add(part.row.attribute, parts[part]) }
        attributes.add(OTLPAttributeNames.arePartsEstimated, !parts.isExact)
    }

    private func add(task: Int, to attributes: inout OTLPAttributes) {
        let entry = exported.trace.tasks.entries[task]
        attributes.add(OTLPAttributeNames.isTask, true)
        attributes.add(OTLPAttributeNames.creation, "\(entry.creation)")
        let executor = tasks.executorName(of: task)
        attributes.add(OTLPAttributeNames.executor, executor == "-" ? nil : executor)
        attributes.add(OTLPAttributeNames.runs, Int64(exported.trace.tasks.runs(of: task).count))
        let parts = tasks.parts(of: task)
        for part in TaskPart.allCases {
            attributes.add(OTLPAttributeNames.taskPart + part.row.column + "_ns", parts[part])
        }
        if let parts = tasks.runningParts(of: task) { add(parts, to: &attributes) }
    }

    private func appendEvents(
        _ operation: TracedOperation, _ line: OrderedTransitions, to bytes: inout [UInt8]
    ) {
        var events: [(time: Int64, name: String, attributes: OTLPAttributes)] = []
        func add(_ name: String, _ moment: TraceMoment?) {
            guard let moment else { return }
            var attributes = OTLPAttributes()
            if !moment.isExact { attributes.add(OTLPAttributeNames.notBefore, time(moment.notBefore)) }
            events.append((time(moment.notAfter), name, attributes))
        }
        add("ready", line.ready)
        add("executing", line.executing)
        add("body_began", operation.bodyBegan)
        add("cancelled", operation.cancelled)
        add("body_ended", operation.bodyEnded)
        func addWait(_ label: String, from: Int64, to: Int64) {
            var attributes = OTLPAttributes()
            attributes.add(OTLPAttributeNames.duration, to - from)
            events.append((time(from), label, attributes))
        }
        if let task = exported.trace.task(operation.index) {
            tasks.forEach(of: task) { part, range, _ in
                guard part != .running, part != .unknown else { return }
                addWait(part.row.label, from: range.lowerBound, to: range.upperBound)
            }
        } else if let waits = exported.analysis.waits[operation.index] {
            exported.stretches(of: operation.index, line, waits).visit { part, from, to in
                guard part != .execution, part != .unknown else { return }
                addWait(part.label, from: from, to: to)
            }
        }
        for mark in marks[operation.index] {
            var attributes = OTLPAttributes()
            attributes.add(OTLPAttributeNames.mark, exported.trace.marks[Int(mark)].text)
            events.append((time(exported.trace.marks[Int(mark)].time), "mark", attributes))
        }
        guard !events.isEmpty else { return }
        bytes += #","events":["#.utf8
        for (number, event) in events.sortedByDigits({ $0.time }).enumerated() {
            if number > 0 { bytes += ",".utf8 }
            bytes += #"{"timeUnixNano":"\#(event.time)","name":"\#(event.name)""#.utf8
            event.attributes.append(to: &bytes)
            bytes += "}".utf8
        }
        bytes += "]".utf8
    }

    private func appendLinks(_ operation: Int, to bytes: inout [UInt8]) {
        let remote = remoteCauses.links(of: operation)
        let links =
            predecessors[operation].map { edge in
                let predecessor = exported.trace.edges[Int(edge)].predecessor
                return (identifiers.trace(of: predecessor), identifiers.span(predecessor))
            } + remote.map { (Array($0.traceText.utf8), Array($0.spanText.utf8)) }
            + wakers(of: operation).map { (identifiers.trace(of: $0), identifiers.span($0)) }
        guard !links.isEmpty else { return }
        bytes += #","links":["#.utf8
        for (number, (trace, span)) in links.enumerated() {
            bytes += (number == 0 ? #"{"traceId":""# : #",{"traceId":""#).utf8
            bytes += trace
            bytes += #"","spanId":""#.utf8
            bytes += span
            bytes += "\"}".utf8
        }
        bytes += "]".utf8
    }

    /// What resumed a task, each once, in their order.
    private func wakers(of operation: Int) -> [Int] {
        guard let task = exported.trace.task(operation), let all = exported.trace.tasks.asOperations?.wakers
        else { return [] }
        var seen: Set<Int32> = []
        let transitions = exported.analysis.timings.transitions
        return all[exported.trace.tasks.firstRuns[task]..<exported.trace.tasks.firstRuns[task + 1]]
            .compactMap { waker in
                waker >= 0 && transitions.has(Int(waker)) && seen.insert(waker).inserted ? Int(waker) : nil
            }
    }

    /// The span of the parent; or of the cause in another process, if that is in the same trace.
    private func parentSpan(of operation: Int) -> [UInt8]? {
        if let parent = parent(of: operation) { return identifiers.span(parent) }
        return remoteCauses.parent(of: operation).map { Array($0.spanText.utf8) }
    }

    /// The parent, if it was enqueued before the child, so that parents cannot form a cycle.
    private func parent(of operation: Int) -> Int? {
        let columns = exported.trace.operations.store.columns
        let parent = Int(columns.parents[operation])
        guard columns.identifiers.indices.contains(parent), columns.enqueued.has(parent) else { return nil }
        let (own, other) = (columns.enqueued.notAfter(operation), columns.enqueued.notAfter(parent))
        let isEarlier = (other, parent) < (own, operation)
        return isEarlier || other == own && hasEarlierRoot(parent, than: operation) ? parent : nil
    }

    /// How many ancestors that were enqueued at the same moment are checked.
    private static let mostAncestors = 64

    /// Whether the chain of ancestors that were enqueued at the same moment ends before it reaches
    /// `operation`. In files of other programs, children may come before their parents, and clocks may be
    /// coarse.
    private func hasEarlierRoot(_ ancestor: Int, than operation: Int) -> Bool {
        let columns = exported.trace.operations.store.columns
        let time = columns.enqueued.notAfter(operation)
        var ancestor = ancestor
        for _ in 0..<Self.mostAncestors {
            ancestor = Int(columns.parents[ancestor])
            guard ancestor != operation else { return false }
            guard columns.identifiers.indices.contains(ancestor), columns.enqueued.has(ancestor),
                columns.enqueued.notAfter(ancestor) == time
            else { return true }
        }
        return false
    }

    /// OpenTelemetry has no times before 1970, and no times without a date.
    private func time(_ time: Int64) -> Int64 {
        max(
            0,
            exported.absolute(time)
                ?? ProcessAttributeNames.undatedStart.saturatingAdd(TraceMoment.bounded(time)))
    }
}

extension OutputFormat {
    package static let otlp = Self("otlp", ["otlp.json"])
}
