import EventLog

/// The attributes of a trace's processes in exports: OpenTelemetry's own, and the rest of a log's header
/// (``ProcessAttributeNames``), so that the file can be read back.
struct ProcessAttributes {
    enum Value {
        case text(String)
        case number(Int64)
        /// True; false values are left out.
        case flag
    }

    private(set) var list: [(key: String, value: Value)] = []

    /// - Parameters:
    ///   - index: the index of the process.
    ///   - cause: what caused the process as a whole.
    init(_ exported: ExportedTrace, process index: Int, identifier: String, cause: TraceContext?) {
        let process = exported.trace.processes[index]
        add("service.name", process.process.isEmpty ? "unknown_service" : process.process)
        add("host.name", process.host)
        add("process.pid", process.knownProcessID.map { Int64($0) })
        add("process.executable.name", process.process)
        add(ProcessAttributeNames.run, identifier)
        add(ProcessAttributeNames.name, exported.run)
        if let start = exported.start {
            add(ProcessAttributeNames.start, start)
        } else {
            add(ProcessAttributeNames.isUndated, true)
        }
        add(ProcessAttributeNames.isOfAnotherProgram, exported.trace.isOfAnotherProgram)
        add(ProcessAttributeNames.losses, exported.trace.losses.joined(separator: "\n"))
        add(ProcessAttributeNames.isOpen, !process.isClosed)
        add(
            ProcessAttributeNames.droppedEvents,
            process.droppedEvents > 0 ? Int64(clamping: process.droppedEvents) : nil)
        add(
            ProcessAttributeNames.lastAlive,
            process.lastAlive > 0 ? TraceMoment.bounded(process.lastAlive) : nil)
        add(ProcessAttributeNames.processors, process.processors.map { Int64($0.online) })
        add(ProcessAttributeNames.usableProcessors, process.processors.map { Int64($0.usable) })
        add(ProcessAttributeNames.processorQuota, process.processors?.quotaInThousandths.map { Int64($0) })
        add(ProcessAttributeNames.laterProcessors, process.processors?.usableLater.map { Int64($0) })
        if let cause { add(ProcessAttributeNames.traceparent, cause.traceparent) }
        let queues = exported.trace.queues.lazy.filter { $0.process == index }
        if let text = QueueHistory.text(queues) { add(ProcessAttributeNames.queues, text) }
        if !exported.trace.header.processes.isEmpty {
            add(ProcessAttributeNames.ownStart, process.start)
            add(ProcessAttributeNames.offset, process.offset)
            add(ProcessAttributeNames.shift, process.shift == 0 ? nil : process.shift)
            add(ProcessAttributeNames.operationsBefore, Int64(clamping: process.operationsBefore))
        }
    }

    private mutating func add(_ key: String, _ text: String) {
        if !text.isEmpty { list.append((key, .text(text))) }
    }

    private mutating func add(_ key: String, _ number: Int64?) {
        if let number { list.append((key, .number(number))) }
    }

    private mutating func add(_ key: String, _ value: Bool) {
        if value { list.append((key, .flag)) }
    }
}

extension JSONObject {
    /// Adds numbers as texts, as ``ProcessAttributeNames`` defines them.
    mutating func add(_ attributes: ProcessAttributes) {
        for (key, value) in attributes.list {
            switch value {
            case .text(let text): add(key, text)
            case .number(let number): add(key, String(number))
            case .flag: add(key, true)
            }
        }
    }
}
