import Foundation
import Ops

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Forwards a session's events to the transfers.
///
/// Called on the session's own thread, so nothing here may wait for the session.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let transfers = Locked<[Int: Transfer]>([:])

    /// Before the task is resumed.
    func add(_ transfer: Transfer, for task: URLSessionTask) {
        let identifier = task.taskIdentifier
        transfers.withLock { $0[identifier] = transfer }
    }

    private func transfer(of task: URLSessionTask) -> Transfer? {
        let identifier = task.taskIdentifier
        return transfers.withLock { $0[identifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let identifier = task.taskIdentifier
        let transfer = transfers.withLock { $0.removeValue(forKey: identifier) }
        transfer?.complete(task.response, error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // Foundation on Linux ends the program if the handler is called for a task that was cancelled
        // meanwhile.
        guard task.state == .running else { return }
        completionHandler(request.redirected(from: response.url))
    }

    #if canImport(FoundationNetworking)
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            // Without a credential, Foundation on Linux neither asks for one nor completes. The 401 is known,
            // and becomes the failure.
            transfer(of: task)?.stop()
        }
    #endif
}

extension URLRequest {
    /// This request, after a redirection from `source`. Headers that identify the user are sent only to the
    /// first server.
    fileprivate func redirected(from source: URL?) -> URLRequest {
        guard let source, let url, !url.hasSameOrigin(as: source) else { return self }
        var request = self
        for field in ["Authorization", "Cookie"] { request.setValue(nil, forHTTPHeaderField: field) }
        return request
    }
}

extension URL {
    fileprivate func hasSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
            && port == other.port
    }
}
