import InspectorColumns

/// OpenTelemetry identifiers for the operations of a trace. They are those that the recorders sent to other
/// processes, but all with the trace identifier of the first process.
struct OTLPIdentifiers {
    /// 32 hexadecimal digits.
    let trace: [UInt8]
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
        self.trace = Array(first.utf8)
        self.causes = causes
        columns = trace.operations.store.columns
    }

    /// What caused the process as a whole.
    func cause(of process: Int) -> TraceContext? { causes[process] }

    /// 16 hexadecimal digits.
    func span(_ operation: Int) -> [UInt8] { Array(identifiers(operation).spanText.utf8) }

    /// The identifiers from its own process.
    func identifiers(_ operation: Int) -> TraceContext.Span {
        let process = processes[Int(columns.processes[operation])]
        return process.identifiers.span(columns.identifiers[operation] &- process.before)
    }
}
