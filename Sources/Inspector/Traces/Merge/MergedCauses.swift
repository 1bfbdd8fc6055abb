import EventLog

/// Which operation in one log caused which in another, by the contexts that were sent and received.
struct MergedCauses {
    /// An operation that sent its context, and when it finished, since the start of its log.
    struct Cause {
        let log: Int
        let operation: OperationID
        let sent: Int64
        let finished: Int64?
    }

    /// For each log, the causes of its operations, and those of the process.
    private var ofOperation: [[OperationID: [Cause]]]
    private var ofProcess: [[Cause]]
    private(set) var messages: [ClockAlignment.Message] = []
    /// Contexts that no log sent; and contexts that two operations have, which count for neither.
    private(set) var unknown = 0
    private(set) var ambiguous = 0

    /// Linear in what was sent and received.
    init(_ logs: [MergedInput]) {
        var senders: [TraceContext.Span: Cause?] = [:]
        for (index, log) in logs.enumerated() {
            for (operation, sender) in log.senders {
                let cause = Cause(
                    log: index, operation: operation, sent: sender.sent, finished: sender.finished)
                let span = log.identifiers.span(operation.rawValue)
                senders.updateValue(senders[span] == nil ? cause : nil, forKey: span)
            }
        }
        ofOperation = logs.map { _ in [:] }
        ofProcess = logs.map { _ in [] }
        for (index, log) in logs.enumerated() {
            for (operation, context, time) in log.received {
                // Kept even without a cause: an operation with a cause elsewhere is not caused by what
                // started the process.
                if let operation, ofOperation[index][operation] == nil { ofOperation[index][operation] = [] }
                guard let sender = senders[context.span] else {
                    unknown += 1
                    continue
                }
                guard let cause = sender else {
                    ambiguous += 1
                    continue
                }
                messages.append(
                    ClockAlignment.Message(
                        from: cause.log, sent: cause.sent, finished: cause.finished, to: index,
                        received: time,
                        ended: log.end(of: operation)))
                if let operation {
                    ofOperation[index][operation]?.append(cause)
                } else {
                    ofProcess[index].append(cause)
                }
            }
        }
    }

    /// The operations in other processes that caused an operation. Without any, and without a parent, those
    /// that caused its process.
    func causes(of operation: OperationID, in log: Int, hasParent: Bool) -> [Cause] {
        ofOperation[log][operation] ?? (hasParent ? [] : ofProcess[log])
    }
}
