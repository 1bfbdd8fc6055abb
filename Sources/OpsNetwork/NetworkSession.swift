#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What network operations send their requests with: a `URLSession` whose delegate is theirs.
///
/// Most programs need only `shared`. Make another for other cookies, headers, timeouts or protocol classes,
/// and keep it for as long as there are requests like these: connections are kept alive within a session, and
/// each costs a few threads.
///
/// It takes a configuration and not a session, because a session tells only its one delegate of a body while
/// it comes, and with a session of the caller's, Foundation on Linux would never finish a request that is
/// answered with 401 and a `Basic` challenge.
///
/// **Timeouts.** `URLRequest.timeoutInterval`, or else the configuration's `timeoutIntervalForRequest`, is
/// the longest time in which nothing comes; 60 seconds in the beginning. It starts anew with every piece that
/// comes. On Linux it is a whole number of seconds, and operations round up the request's;
/// `timeoutIntervalForResource` has no effect there.
///
/// **Redirections** are followed, up to twenty. `Authorization` and `Cookie` headers of the request stay
/// behind when the next host, port or scheme is another.
///
/// **Authentication.** User and password of a URL, or an `Authorization` header, go with the request. On
/// Linux, the configuration's `urlCredentialStorage` is not asked.
///
/// **On Linux**, a server that closes the connection within the headers of its answer ends the program:
/// FoundationNetworking of Swift 6.3 has a `fatalError` there.
public final class NetworkSession: Sendable {
    /// With the default configuration: the cookies and credentials that `URLSession.shared` has, too.
    public static let shared = NetworkSession()

    private let session: URLSession
    private let delegate = SessionDelegate()
    /// Calls to the session wait for its thread, and that may wait for a disk. Were each made where it is
    /// needed, hundreds of operations that start at once would take every thread that the system gives, the
    /// session's own included.
    private let calls = DispatchQueue(label: "opviz.network.calls")

    /// - Parameter configuration: copied; changes that are made to it later have no effect.
    public init(configuration: URLSessionConfiguration = .default) {
        session = URLSession(
            configuration: configuration.forDelegates, delegate: delegate,
            delegateQueue: OperationQueue.delegates)
    }

    deinit {
        // The session keeps its delegate until then. Operations keep this object while they have a task.
        session.finishTasksAndInvalidate()
    }

    /// Does something with the session or its tasks soon, one after the other. Any thread, the session's own
    /// as well.
    func perform(_ call: @escaping @Sendable () -> Void) { calls.async(execute: call) }

    /// A task that tells `transfer` what comes. Within `perform`.
    func task(with request: URLRequest, for transfer: Transfer) -> URLSessionTask {
        let task = session.dataTask(with: request.withWholeSeconds)
        delegate.add(transfer, for: task)
        return task
    }
}

extension URLRequest {
    /// On Linux, 0.4 seconds would be none, and the request would fail at once.
    fileprivate var withWholeSeconds: URLRequest {
        let seconds = timeoutInterval.rounded(.up)
        // Set only where it must be: what was set once goes before the configuration's.
        guard seconds != timeoutInterval else { return self }
        var request = self
        request.timeoutInterval = seconds
        return request
    }
}

extension URLSessionConfiguration {
    #if canImport(FoundationNetworking)
        /// Without a cache: FoundationNetworking does not store what it gives to a delegate, but asks the
        /// cache first, on another thread. A task that is cancelled meanwhile may complete before it hears of
        /// that, and ends the program then.
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
        /// Calls the delegate where the session is: on its thread, before it reads on.
        ///
        /// With a queue of Foundation's, the session reads as fast as the network gives, and what the
        /// delegate has not taken yet is kept in memory without a bound.
        fileprivate static var delegates: OperationQueue? { DelegateQueue() }

        private final class DelegateQueue: OperationQueue, @unchecked Sendable {
            override func addOperation(_ block: @Sendable @escaping () -> Void) { block() }
        }
    #else
        /// A serial one of the session's.
        fileprivate static var delegates: OperationQueue? { nil }
    #endif
}
