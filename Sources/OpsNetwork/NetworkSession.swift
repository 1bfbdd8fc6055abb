#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends the requests of network operations: a `URLSession` whose delegate belongs to them.
///
/// Most programs need only `shared`. Create another for other cookies, headers, timeouts or protocol classes,
/// and keep it for as long as you need it: a session keeps its connections alive, and costs a few threads.
///
/// It takes a configuration and not a session, for two reasons. A session reports a body that is arriving
/// only to its one delegate. And with a session of the caller, Foundation on Linux would never finish a
/// request that is answered with 401 and a `Basic` challenge.
///
/// **Timeouts.** The timeout is the longest time without any data. It is `URLRequest.timeoutInterval`, or
/// else the configuration's `timeoutIntervalForRequest`, which is 60 seconds by default. It restarts with
/// every piece of data. On Linux it is a whole number of seconds, so operations round up the request's;
/// `timeoutIntervalForResource` has no effect there.
///
/// **Redirections** are followed, up to twenty. The request's `Authorization` and `Cookie` headers are
/// removed if the next host, port or scheme is different.
///
/// **Authentication.** The user and password of a URL, or an `Authorization` header, are sent with the
/// request. On Linux, the configuration's `urlCredentialStorage` is not used.
///
/// **On Linux**, a server that closes the connection within the headers of its response ends the program:
/// FoundationNetworking of Swift 6.3 has a `fatalError` there.
public final class NetworkSession: Sendable {
    /// A session with the default configuration. It shares cookies and credentials with `URLSession.shared`.
    public static let shared = NetworkSession()

    private let session: URLSession
    private let delegate = SessionDelegate()
    /// Calls to the session wait for its thread, which may wait for a disk. If each call were made directly,
    /// hundreds of operations that start at once would take every thread of the system, including the
    /// session's own.
    private let calls = DispatchQueue(label: "opviz.network.calls")

    /// - Parameter configuration: copied; later changes to it have no effect.
    public init(configuration: URLSessionConfiguration = .default) {
        session = URLSession(
            configuration: configuration.forDelegates, delegate: delegate,
            delegateQueue: OperationQueue.delegates)
    }

    deinit {
        // The session keeps its delegate until then. Operations keep this object as long as they have a task.
        session.finishTasksAndInvalidate()
    }

    /// Runs a call to the session or its tasks soon, one call after the other. Any thread, including the
    /// session's own.
    func perform(_ call: @escaping @Sendable () -> Void) { calls.async(execute: call) }

    /// A task that reports to `transfer`. Call it within `perform`.
    func task(with request: URLRequest, for transfer: Transfer) -> URLSessionTask {
        let task = session.dataTask(with: request.withWholeSeconds)
        delegate.add(transfer, for: task)
        return task
    }
}

extension URLRequest {
    /// On Linux, 0.4 seconds would become 0, and the request would fail at once.
    fileprivate var withWholeSeconds: URLRequest {
        let seconds = timeoutInterval.rounded(.up)
        // Set only if necessary: a value that was set overrides the configuration's.
        guard seconds != timeoutInterval else { return self }
        var request = self
        request.timeoutInterval = seconds
        return request
    }
}

extension URLSessionConfiguration {
    #if canImport(FoundationNetworking)
        /// Without a cache. FoundationNetworking does not store responses for a delegate, but still asks the
        /// cache first, on another thread. A task that is cancelled meanwhile may complete before it learns
        /// of that, which then ends the program.
        fileprivate var forDelegates: URLSessionConfiguration {
            guard let copy = copy() as? URLSessionConfiguration else { return self }
            copy.urlCache = nil
            return copy
        }
    #else
        fileprivate var forDelegates: URLSessionConfiguration { self }
    #endif
}

extension OperationQueue {
    #if canImport(FoundationNetworking)
        /// Calls the delegate on the session's own thread, before the session reads on.
        ///
        /// With a queue of Foundation's, the session reads as fast as the network delivers. Data that the
        /// delegate has not processed is then kept in memory without a limit.
        fileprivate static var delegates: OperationQueue? { DelegateQueue() }

        private final class DelegateQueue: OperationQueue, @unchecked Sendable {
            override func addOperation(_ block: @Sendable @escaping () -> Void) { block() }
        }
    #else
        /// A serial queue that the session creates.
        fileprivate static var delegates: OperationQueue? { nil }
    #endif
}
