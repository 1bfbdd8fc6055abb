import InspectorColumns

/// OpenTelemetry identifiers for the operations of a trace. They are those of the file, if it is one of
/// OpenTelemetry. Otherwise they are those that the recorders sent to other processes, but all with the trace
/// identifier of the first process.
struct OTLPIdentifiers {
    /// 32 hexadecimal digits: the trace of the run. If a file has several, the one of the first operation.
    let trace: [UInt8]
    private let origins: SpanOrigins
    private let processes: [(identifiers: SpanIdentifiers, before: UInt64)]
    private let columns: OperationColumns
    private let causes: [Int: TraceContext]

    init(_ exported: ExportedTrace) {
        let trace = exported.trace
        var causes: [Int: TraceContext] = [:]
        for received in trace.receivedContexts
        where received.operation == nil && causes[received.process] == nil {
            causes[received.process] = received.context
        }
        processes = trace.processes.enumerated().map { index, process in
            // Without a machine, many runs have the same name. Then everything that distinguishes runs is
            // used.
            let name = process.host.isEmpty ? "\(process.process)\0\(exported.identifier)" : process.process
            let identifiers = SpanIdentifiers(
                host: process.host, process: name, processID: process.processID, start: process.start,
                cause: causes[index])
            return (identifiers, process.operationsBefore)
        }
        let isOwnTrace = causes[0] == nil && trace.processes[0].host.isEmpty
        let first = isOwnTrace ? exported.identifier : processes[0].identifiers.span(0).traceText
        columns = trace.operations.store.columns
        let origin = columns.identifiers.first.flatMap { trace.origins[$0] }
        self.trace = Array((origin?.identifiers.traceText ?? first).utf8)
        self.causes = causes
        origins = trace.origins
    }

    /// What caused the process as a whole.
    func cause(of process: Int) -> TraceContext? { causes[process] }

    /// What the file says of the operation's span; nil if it is not one of OpenTelemetry.
    func origin(_ operation: Int) -> SpanOrigins.Span? { origins[columns.identifiers[operation]] }

    /// 32 hexadecimal digits.
    func trace(of operation: Int) -> [UInt8] {
        origin(operation).map { Array($0.identifiers.traceText.utf8) } ?? trace
    }

    /// 16 hexadecimal digits.
    func span(_ operation: Int) -> [UInt8] { Array(identifiers(operation).spanText.utf8) }

    /// The identifiers from its own process.
    func identifiers(_ operation: Int) -> TraceContext.Span {
        if let origin = origin(operation) { return origin.identifiers }
        let process = processes[Int(columns.processes[operation])]
        return process.identifiers.span(columns.identifiers[operation] &- process.before)
    }
}
