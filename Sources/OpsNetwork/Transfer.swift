import Foundation
import Ops

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Receives the data of a transfer. Called on the session's thread, one call after the other. The session
/// stops reading during a call.
protocol TransferConsumer: AnyObject, Sendable {
    /// A response with an acceptable status arrived. An error ends the transfer.
    func begin(_ response: URLResponse) throws
    /// A piece of the body of such a response arrived. An error ends the transfer.
    func receive(_ data: Data) throws
    /// The transfer is over; called once. The error is a `CancellationError` if it was cancelled, nil if the
    /// body is complete.
    func complete(_ error: (any Error)?)
}

/// One request and its response.
final class Transfer: Sendable {
    private struct State {
        var task: URLSessionTask?
        /// Released at the end.
        var consumer: (any TransferConsumer)?
        var isCancelled = false
        var response: URLResponse?
        /// The beginning of the body of an unacceptable response.
        var refusal: Data?
        /// Whether this side has ended it, because of `verdict` if that is set.
        var isStopped = false
        var verdict: (any Error)?
    }

    private let request: URLRequest
    private let session: NetworkSession
    private let acceptableStatusCodes: Set<Int>
    private let state: Locked<State>

    init(
        _ request: URLRequest, session: NetworkSession, acceptableStatusCodes: Set<Int>,
        consumer: any TransferConsumer
    ) {
        self.request = request
        self.session = session
        self.acceptableStatusCodes = acceptableStatusCodes
        state = Locked(State(consumer: consumer))
    }

    /// Sends the request soon. Call it once; any thread.
    func start() {
        session.perform { [self] in
            guard !state.withLock({ $0.isCancelled }) else { return complete(nil, CancellationError()) }
            let task = session.task(with: request, for: self)
            state.withLock { $0.task = task }
            task.resume()
        }
    }

    /// Completes it soon with a `CancellationError`, unless it is complete. Any thread.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        cancelTask()
    }

    /// Completes it soon, with the data so far, or with `error`. Any thread.
    func stop(_ error: (any Error)? = nil) {
        state.withLock { state in
            if !state.isStopped { (state.isStopped, state.verdict) = (true, error) }
        }
        cancelTask()
    }

    /// `perform` is serial, so an earlier start has finished before the task is read.
    private func cancelTask() {
        session.perform { [self] in state.withLock { $0.task }?.cancel() }
    }

    /// The response, if any. Any thread.
    var response: URLResponse? { state.withLock { $0.response } }

    // MARK: Session events

    func receive(_ response: URLResponse) {
        let status = (response as? HTTPURLResponse)?.statusCode
        let isRefusal = status.map { !acceptableStatusCodes.contains($0) } ?? false
        let consumer = state.withLock { state in
            state.response = response
            if isRefusal { state.refusal = Data() }
            return isRefusal ? nil : state.consumer
        }
        attempt { try consumer?.begin(response) }
    }

    func receive(_ data: Data) {
        let (consumer, isEnough) = state.withLock { state -> ((any TransferConsumer)?, Bool) in
            guard let refusal = state.refusal else {
                return (state.isStopped ? nil : state.consumer, false)
            }
            state.refusal = refusal + data.prefix(HTTPFailure.maximumBodySize - refusal.count)
            return (nil, refusal.count + data.count > HTTPFailure.maximumBodySize)
        }
        attempt { try consumer?.receive(data) }
        if isEnough { stop() }
    }

    func complete(_ response: URLResponse?, _ error: (any Error)?) {
        // A redirection without a target is reported only now.
        if error == nil, let response, self.response == nil { receive(response) }
        let (consumer, ended) = state.withLock { state in
            defer { (state.consumer, state.task) = (nil, nil) }
            return (state.consumer, state)
        }
        consumer?.complete(outcome(of: ended, error))
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { stop(error) }
    }

    private func outcome(of state: State, _ error: (any Error)?) -> (any Error)? {
        if state.isCancelled && error?.isCancellation == true { return CancellationError() }
        if let body = state.refusal, let response = state.response as? HTTPURLResponse {
            return HTTPFailure(request, response: response, body: body)
        }
        return state.isStopped ? state.verdict : error.map { TransferFailure(request, error: $0) }
    }
}

extension OutputOperation {
    /// Finishes with the error of a transfer.
    func finish(after error: any Error) {
        if error is CancellationError { finish() } else { finish(throwing: error) }
    }
}

extension Error {
    fileprivate var isCancellation: Bool {
        self is CancellationError || (self as? URLError)?.code == .cancelled
    }
}
