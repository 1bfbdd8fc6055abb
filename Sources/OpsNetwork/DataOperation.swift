import EventLog
public import Foundation
public import Ops

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An operation that sends a request. Its output is the body of the response.
///
///     let fetch = DataOperation(url, maximumSize: 1 << 20)
///     let decode = fetch.then { data in try JSONDecoder().decode([Quote].self, from: data) }
///
/// No thread waits for the network: the queue's thread is free again as soon as the request is sent. The
/// operation keeps its slot until the response is complete, and finishes on a thread of the session.
///
/// **Outcome.** It succeeds with a response whose status is acceptable. With another status, it fails with an
/// `HTTPFailure`; without a response, or with a truncated one, it fails with a `TransferFailure`.
///
/// **Cancellation.** `cancel()` cancels the session's task and returns at once. The connection is closed, and
/// the operation finishes soon after, when the session reports that. If it is cancelled before its start, it
/// sends nothing. If you finish it by hand, with `finish()`, it stops its task when the next piece of the
/// body arrives.
///
/// **Dependencies.** If a dependency failed or was cancelled, nothing is sent, and the operation fails with a
/// `DependencyFailure`. With `init(from:)`, the request is the output of another operation.
///
/// The body is kept in memory until it is complete. Use `DownloadOperation` for large ones, which it writes
/// to a file.
open class DataOperation: OutputOperation<Data>, @unchecked Sendable {
    private struct State {
        /// Released at the start.
        var source: (@Sendable () throws -> URLRequest)?
        var request: URLRequest?
        var transfer: Transfer?
        var body = Data()
    }

    private let session: NetworkSession
    private let acceptableStatusCodes: Set<Int>
    private let maximumSize: Int
    private let state: Locked<State>

    /// - Parameters:
    ///   - request: may have a body and any method, as in `URLSession`; a GET has no body.
    ///   - session: the session that sends the request.
    ///   - acceptableStatusCodes: a response with another status is an `HTTPFailure`.
    ///   - maximumSize: the largest body in bytes; nil for any. A larger one ends the transfer with a
    ///     `TransferFailure`, as soon as that is known.
    ///   - name: see `Operation.name`.
    ///   - kind: see `KindedOperation.kind`; nil for the name of the class.
    ///   - qualityOfService: see `Operation.qualityOfService`.
    public init(
        _ request: URLRequest, session: NetworkSession = .shared,
        acceptableStatusCodes: Set<Int> = .success, maximumSize: Int? = nil, name: String? = nil,
        kind: String? = nil, qualityOfService: QualityOfService = .default
    ) {
        self.session = session
        self.acceptableStatusCodes = acceptableStatusCodes
        self.maximumSize = maximumSize ?? .max
        state = Locked(State(source: { request }))
        super.init(name: name, kind: kind, qualityOfService: qualityOfService)
    }

    /// As above, with a GET request for `url`.
    public convenience init(
        _ url: URL, session: NetworkSession = .shared, acceptableStatusCodes: Set<Int> = .success,
        maximumSize: Int? = nil, name: String? = nil, kind: String? = nil,
        qualityOfService: QualityOfService = .default
    ) {
        self.init(
            URLRequest(url: url), session: session, acceptableStatusCodes: acceptableStatusCodes,
            maximumSize: maximumSize, name: name, kind: kind, qualityOfService: qualityOfService)
    }

    /// Creates an operation that sends the request that `dependency` returns, for example after it got a
    /// token.
    ///
    ///     let request = login.then { token in URLRequest(url, token: token) }
    ///     let fetch = DataOperation(from: request)
    ///
    /// It depends on `dependency` from now on, and takes the request when it is started. Parameters as above.
    public init(
        from dependency: some ResultOperation<URLRequest>, session: NetworkSession = .shared,
        acceptableStatusCodes: Set<Int> = .success, maximumSize: Int? = nil, name: String? = nil,
        kind: String? = nil, qualityOfService: QualityOfService = .default
    ) {
        self.session = session
        self.acceptableStatusCodes = acceptableStatusCodes
        self.maximumSize = maximumSize ?? .max
        state = Locked(State(source: { try dependency.get() }))
        super.init(name: name, kind: kind, qualityOfService: qualityOfService)
        addDependency(dependency)
    }

    /// The response's status and headers, even if the response made the operation fail. Nil until the
    /// operation has finished, and without an HTTP response. Any thread.
    public final var response: HTTPURLResponse? {
        isFinished ? state.withLock { $0.transfer }?.response as? HTTPURLResponse : nil
    }

    /// Sends the request.
    public final override func main() {
        let source = state.withLock { state in
            defer { state.source = nil }
            return state.source
        }
        do {
            guard let request = try source?() else { return finish() }
            let transfer = Transfer(
                request, session: session, acceptableStatusCodes: acceptableStatusCodes, consumer: self)
            state.withLock { ($0.request, $0.transfer) = (request, transfer) }
            // A cancellation before the transfer was stored did not find it.
            if isCancelled { transfer.cancel() }
            transfer.start()
        } catch {
            finish(throwing: error)
        }
    }

    /// Cancels the operation and the session's task.
    open override func cancel() {
        super.cancel()
        state.withLock { $0.transfer }?.cancel()
    }
}

extension DataOperation: TransferConsumer {
    func begin(_ response: URLResponse) throws {
        // A response to HEAD states the length of a body that it does not have.
        guard state.withLock({ $0.request?.httpMethod }) != "HEAD" else { return }
        try checkSize(response.expectedContentLength)
    }

    func receive(_ data: Data) throws {
        if isFinished { throw CancellationError() }
        let size = state.withLock { state in
            state.body.append(data)
            return state.body.count
        }
        try checkSize(Int64(size))
    }

    func complete(_ error: (any Error)?) {
        let body = state.withLock { state in
            defer { state.body = Data() }
            return state.body
        }
        if let error { finish(after: error) } else { finish(returning: body) }
    }

    private func checkSize(_ size: Int64) throws {
        guard size > maximumSize, let request = state.withLock({ $0.request }) else { return }
        throw TransferFailure(
            request, code: .tooLarge,
            reason: "its body has \(Prose.grouped(size)) bytes or more; at most "
                + "\(Prose.grouped(maximumSize)) are allowed")
    }
}

extension Set<Int> {
    /// The status codes 200 to 299.
    public static let success = Set(200...299)
}
