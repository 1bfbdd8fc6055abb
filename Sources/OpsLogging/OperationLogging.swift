internal import EventLog
public import Logging
internal import Ops

extension Logger.MetadataProvider {
    /// Adds the current operation to every line that is logged in the body of an operation, including its
    /// task.
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
    /// Operations that were enqueued before this was first read are not known. Lines logged in
    /// `Task.detached`, or on the program's own threads and Dispatch queues, belong to no operation. Lines in
    /// the bodies of classes outside `Ops` do so only on Linux.
    public static let operations: Logger.MetadataProvider = {
        OperationObservers.install(OperationLogging())
        return Logger.MetadataProvider {
            guard let details = WatchedOperation.current?.details else { return [:] }
            var metadata: Logger.Metadata = [
                "\(OTLPAttributeNames.identifier)": "\(details.id)",
                "\(OTLPAttributeNames.kind)": "\(details.kind)",
            ]
            if let name = details.name { metadata["\(OTLPAttributeNames.name)"] = "\(name)" }
            if let queue = details.queueName { metadata["\(OTLPAttributeNames.queueName)"] = "\(queue)" }
            return metadata
        }
    }()
}

/// Makes the current operation of the calling code available. It needs no events.
private final class OperationLogging: OperationObserver {
    func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> Account? { nil }

    final class Account: OperationAccount {}
}
