internal import EventLog
public import Logging
internal import Ops

extension Logger.MetadataProvider {
    /// Puts on every line that is logged in the body of an operation, also in its task, which operation that
    /// is.
    ///
    ///     LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .operations)
    ///
    /// | key | |
    /// |---|---|
    /// | `opviz.operation.id` | the identifier in the log, or a number of its own without one |
    /// | `opviz.operation.kind` | the name of its type, or what the user set |
    /// | `opviz.operation.name` | the operation's own, where it has one |
    /// | `opviz.queue.name` | where the program gave the queue one |
    ///
    /// Operations that were enqueued before it was first asked for are not known. Lines logged in
    /// `Task.detached`, or on threads and Dispatch queues of the program's own, are in no operation; those in
    /// the bodies of classes outside `Ops` only on Linux.
    public static let operations: Logger.MetadataProvider = {
        OperationObservers.install(OperationLogging())
        return Logger.MetadataProvider {
            guard let details = WatchedOperation.current?.details else { return [:] }
            var metadata: Logger.Metadata = [
                "\(OTLPWords.identifier)": "\(details.id)", "\(OTLPWords.kind)": "\(details.kind)",
            ]
            if let name = details.name { metadata["\(OTLPWords.name)"] = "\(name)" }
            if let queue = details.queueName { metadata["\(OTLPWords.queueName)"] = "\(queue)" }
            return metadata
        }
    }()
}

/// Sees to it that the operation in whose body some code is can be asked for. It needs to hear of nothing
/// more.
private final class OperationLogging: OperationObserver {
    func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> Account? { nil }

    final class Account: OperationAccount {}
}
