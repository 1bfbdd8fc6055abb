public import Foundation
public import Ops

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The error of a network operation that received a response with an unacceptable status.
///
/// Its description is, for example, `GET https://example.com/quotes answered 503 Service Unavailable`. It can
/// be logged: it leaves out the URL's user, password, query and fragment, and the body.
public struct HTTPFailure: Error, Sendable, CustomStringConvertible {
    /// The most that is kept of the body, in bytes.
    public static let maximumBodySize = 4_096

    /// The status, such as 404.
    public let status: Int
    /// The method of the request.
    public let method: String
    /// The complete URL of the request, which may contain secrets.
    public let url: URL?
    /// The complete URL of the response, after redirections.
    public let answeringURL: URL?
    /// How long the server asks clients to wait before the next try, from a `Retry-After` header with a
    /// number of seconds.
    public let retryAfter: Duration?
    /// The beginning of the body as text, at most `maximumBodySize` bytes, with replacement characters for
    /// bytes that are not UTF-8. Servers explain the error in it, and sometimes repeat what was sent to them.
    public let body: String

    public var description: String {
        let phrase = HTTPURLResponse.localizedString(forStatusCode: status)
        let redirection =
            answeringURL == url ? "" : ", redirected to \(answeringURL?.loggable ?? "an unknown URL"),"
        return "\(method) \(url.loggable)\(redirection) answered \(status) \(phrase)"
    }
}

extension HTTPFailure: LocalizedError {
    public var errorDescription: String? { description }
}

/// A `RetryOperation` waits as long as the server asks.
extension HTTPFailure: RetryAfter {}

extension HTTPFailure {
    init(_ request: URLRequest, response: HTTPURLResponse, body: Data) {
        status = response.statusCode
        method = request.httpMethod ?? "GET"
        url = request.url
        answeringURL = response.url
        retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int64($0) }.flatMap {
            $0 < 0 ? nil : .seconds($0)
        }
        self.body = String(decoding: body, as: UTF8.self)
    }
}

extension URL? {
    var loggable: String { self?.loggable ?? "no URL" }
}

extension URL {
    /// The URL without possible secrets: user, password, query, fragment. It shows that there was a query.
    var loggable: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "a URL" }
        let hasQuery = parts.query != nil
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        // The rest of a `data:` URL, after the scheme, is its body.
        guard parts.host != nil || parts.scheme == "file" else { return "\(parts.scheme ?? ""):…" }
        return (parts.string ?? "a URL") + (hasQuery ? "?…" : "")
    }
}
