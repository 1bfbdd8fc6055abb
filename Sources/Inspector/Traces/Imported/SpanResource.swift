import CTraceJSON
import EventLog
import InspectorColumns

/// A process, as a file of spans describes it.
///
/// OpenTelemetry calls it a resource. This project's exports add the contents of a log's header
/// (``ProcessAttributeNames``).
struct SpanResource {
    private var name: String?
    private var executable: String?
    private var instance: String?
    private var hosts: [String: String] = [:]
    private(set) var processID: Int32 = 0
    /// The run's identifier from this project's exporter. Nil for files of other programs.
    private(set) var run: String?
    /// The start of the trace, nanoseconds since 1970-01-01T00:00:00Z.
    private(set) var start: Int64?
    /// Whether this project exported a trace without a date.
    private(set) var isUndated = false
    private(set) var isClosed = true
    private(set) var droppedEvents: UInt64 = 0
    /// Nanoseconds since the start of the trace.
    private(set) var lastAlive: Int64 = 0
    private var processors: Int64 = 0
    private var usableProcessors: Int64 = 0
    private var processorQuota: Int64 = 0
    private var laterProcessors: Int64 = 0
    private(set) var losses: [String] = []
    private(set) var queues: String?
    /// Whether this project exported it from a trace that another program recorded.
    private(set) var isOfAnotherProgram = false
    /// The attributes of other programs, with the JSON of their values.
    private(set) var written: [(key: String, value: String)] = []
    /// What caused the process as a whole.
    private(set) var traceparent: String?
    /// In JSON, the number of the process in events.
    private(set) var eventProcessID: Int32?
    private var ownStart: Int64?
    private var offset: Int64 = 0
    private var shift: Int64 = 0
    private var operationsBefore: UInt64 = 0
    /// All attributes. Resources that differ in any attribute are different processes.
    private(set) var identity = ""
    /// The number of attributes that a log has no place for.
    private(set) var unused = 0

    /// A program without a named host may run inside something else with a name.
    private static let namesOfHosts = [
        "host.name", "host.id", "k8s.pod.name", "container.name", "container.id",
    ]

    init(_ attributes: UnsafeBufferPointer<otlp_attribute>) {
        var all: [String] = []
        for attribute in attributes {
            guard let key = attribute.key.string else { continue }
            let json = attribute.written.string
            if let json, !key.hasPrefix(OTLPAttributeNames.prefix) { written.append((key, json)) }
            guard let value = attribute.value.string else {
                all.append("\(key)\0\(json ?? "")")
                unused += 1
                continue
            }
            all.append("\(key)\0\(value)")
            take(key, value)
        }
        if isOfAnotherProgram { run = nil }
        if run != nil { written = [] }
        identity = all.sorted().joined(separator: "\u{1}")
    }

    private mutating func take(_ key: String, _ value: String) {
        switch key {
        case "service.name": name = value
        case "process.executable.name": executable = value
        case "service.instance.id": instance = value
        case "process.pid": processID = Int32(value) ?? 0
        case ProcessAttributeNames.run: run = value
        case ProcessAttributeNames.start: start = Int64(value)
        case ProcessAttributeNames.isUndated: isUndated = value == "true"
        case ProcessAttributeNames.isOpen: isClosed = value != "true"
        case ProcessAttributeNames.droppedEvents: droppedEvents = UInt64(value) ?? 0
        case ProcessAttributeNames.lastAlive: lastAlive = max(0, Int64(value) ?? 0)
        case ProcessAttributeNames.processors: processors = Int64(value) ?? 0
        case ProcessAttributeNames.usableProcessors: usableProcessors = Int64(value) ?? 0
        case ProcessAttributeNames.processorQuota: processorQuota = Int64(value) ?? 0
        case ProcessAttributeNames.laterProcessors: laterProcessors = Int64(value) ?? 0
        case ProcessAttributeNames.losses: losses = value.split(separator: "\n").map(String.init)
        case ProcessAttributeNames.queues: queues = value
        case ProcessAttributeNames.isOfAnotherProgram: isOfAnotherProgram = value == "true"
        case ProcessAttributeNames.traceparent: traceparent = value
        case ProcessAttributeNames.eventProcessID: eventProcessID = Int32(value)
        case ProcessAttributeNames.ownStart: ownStart = Int64(value)
        case ProcessAttributeNames.offset: offset = Int64(value) ?? 0
        case ProcessAttributeNames.shift: shift = Int64(value) ?? 0
        case ProcessAttributeNames.operationsBefore: operationsBefore = UInt64(value) ?? 0
        case let key where Self.namesOfHosts.contains(key): hosts[key] = value
        case let key where key.hasPrefix(OTLPAttributeNames.prefix): break
        default: unused += 1
        }
    }

    /// Nanoseconds from the first start of all traces in the file, at `origin`, to the start of its own
    /// trace.
    func offset(from origin: Int64) -> Int64 { max(0, (start ?? origin).saturatingSubtract(origin)) }

    /// - Parameters:
    ///   - origin: the start of the resulting trace.
    ///   - fallback: its name if the file does not name it.
    func process(origin: Int64, fallback: String) -> LogProcess {
        let before = offset(from: origin)
        let title: String
        if run == nil {
            title = name ?? executable ?? fallback
        } else {
            title = executable ?? ""
        }
        var process = LogProcess(
            process: title, processID: processID,
            host: Self.namesOfHosts.lazy.compactMap { hosts[$0] }.first ?? "",
            start: ownStart ?? start ?? (run == nil ? origin : 0), offset: before.saturatingAdd(offset),
            shift: shift, operationsBefore: operationsBefore, droppedEvents: droppedEvents,
            isClosed: isClosed, lastAlive: before.saturatingAdd(lastAlive))
        process.processors = ProcessorCount(
            online: processors, usable: usableProcessors, quota: processorQuota, later: laterProcessors)
        return process
    }

    /// Adds instances to the names of processes of one program that nothing else distinguishes.
    static func tellApart(_ processes: inout [LogProcess], _ resources: [SpanResource]) {
        struct Name: Hashable {
            let process: String
            let processID: Int32
            let host: String

            init(_ process: LogProcess) {
                self.process = process.process
                processID = process.processID
                host = process.host
            }
        }
        var counts: [Name: Int] = [:]
        for process in processes { counts[Name(process), default: 0] += 1 }
        var given: [Name: Int] = [:]
        for (index, resource) in resources.enumerated() where resource.run == nil {
            let name = Name(processes[index])
            guard counts[name] ?? 0 > 1 else { continue }
            given[name, default: 0] += 1
            processes[index].process += " \(resource.instance ?? String(given[name] ?? 0))"
        }
    }
}

/// The processes of imported spans. A resource that a file repeats is one process.
struct SpanProcesses {
    private(set) var resources: [SpanResource] = []
    /// The process of each resource in the file.
    private var processes: [Int: Int32] = [:]
    private var indices: [String: Int32] = [:]

    /// - Parameter number: the number of the resource in the file.
    /// - Returns: whether it is a new process.
    @discardableResult
    mutating func take(_ resource: SpanResource, number: Int) -> Bool {
        if let known = indices[resource.identity] {
            processes[number] = known
            return false
        }
        indices[resource.identity] = Int32(resources.count)
        processes[number] = Int32(resources.count)
        resources.append(resource)
        return true
    }

    /// Spans without a resource belong to one process, too.
    mutating func process(ofResource number: Int) -> Int32 {
        if let process = processes[number] { return process }
        take(SpanResource(UnsafeBufferPointer(start: nil, count: 0)), number: number)
        return processes[number] ?? 0
    }
}
