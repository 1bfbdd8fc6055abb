/// Identifiers of OpenTelemetry for the operations of a trace: those that their recorders sent to other processes, but that
/// all have the trace of the first process.
struct OTLPIdentifiers {
    /// 32 hexadecimal digits.
    let trace: [UInt8]
    private let processes: [(identifiers: SpanIdentifiers, before: UInt64)]
    private let columns: OperationColumns

    init(_ trace: Trace) {
        var causes: [Int: TraceContext] = [:]
        for received in trace.receivedContexts
        where received.operation == nil && causes[received.process] == nil {
            causes[received.process] = received.context
        }
        processes = trace.processes.enumerated().map { index, process in
            let identifiers = SpanIdentifiers(
                host: process.host, process: process.process, processID: process.processID,
                start: process.start, cause: causes[index])
            return (identifiers, process.operationsBefore)
        }
        self.trace = Array(processes[0].identifiers.span(0).traceText.utf8)
        columns = trace.operations.store.columns
    }

    /// 16 hexadecimal digits.
    func span(_ operation: Int) -> [UInt8] { Array(identifiers(operation).spanText.utf8) }

    /// As its own process says.
    func identifiers(_ operation: Int) -> TraceContext.Span {
        let process = processes[Int(columns.processes[operation])]
        return process.identifiers.span(columns.identifiers[operation] &- process.before)
    }
}
