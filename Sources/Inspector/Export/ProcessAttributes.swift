import EventLog

/// The attributes of a trace's processes in exports: OpenTelemetry's own, and the rest of a log's header
/// (``ProcessWords``), so that the file can be read back.
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
        add(ProcessWords.run, identifier)
        add(ProcessWords.name, exported.run)
        if let start = exported.start {
            add(ProcessWords.start, start)
        } else {
            add(ProcessWords.isUndated, true)
        }
        add(ProcessWords.isOfAnotherProgram, exported.trace.isOfAnotherProgram)
        add(ProcessWords.losses, exported.trace.losses.joined(separator: "\n"))
        add(ProcessWords.isOpen, !process.isClosed)
        add(
            ProcessWords.droppedEvents,
            process.droppedEvents > 0 ? Int64(clamping: process.droppedEvents) : nil)
        add(ProcessWords.lastAlive, process.lastAlive > 0 ? TraceMoment.bounded(process.lastAlive) : nil)
        add(ProcessWords.processors, process.processors.map { Int64($0.online) })
        add(ProcessWords.usableProcessors, process.processors.map { Int64($0.usable) })
        add(ProcessWords.processorQuota, process.processors?.quotaInThousandths.map { Int64($0) })
        add(ProcessWords.laterProcessors, process.processors?.usableLater.map { Int64($0) })
        if let cause { add(ProcessWords.traceparent, cause.traceparent) }
        let queues = exported.trace.queues.lazy.filter { $0.process == index }
        if let text = QueueHistory.text(queues) { add(ProcessWords.queues, text) }
        if !exported.trace.header.processes.isEmpty {
            add(ProcessWords.ownStart, process.start)
            add(ProcessWords.offset, process.offset)
            add(ProcessWords.shift, process.shift == 0 ? nil : process.shift)
            add(ProcessWords.operationsBefore, Int64(clamping: process.operationsBefore))
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
    /// Adds numbers as texts, as ``ProcessWords`` defines them.
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
