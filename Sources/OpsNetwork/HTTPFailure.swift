public import Foundation
public import Ops

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The error of a network operation that a server answered, with a status that is not acceptable.
///
/// Its description is `GET https://example.com/quotes answered 503 Service Unavailable`: it can be logged,
/// because user, password, query and fragment of the URL and everything of the body are left out.
public struct HTTPFailure: Error, Sendable, CustomStringConvertible {
    /// What of the body is kept at most, in bytes.
    public static let maximumBodySize = 4_096

    /// The status, such as 404.
    public let status: Int
    /// The method of the request.
    public let method: String
    /// The URL that was asked for, whole: it may hold secrets.
    public let url: URL?
    /// The URL that answered, after redirections; whole as well.
    public let answeringURL: URL?
    /// How long the server asks to wait before the next try, in a `Retry-After` header with a number of
    /// seconds.
    public let retryAfter: Duration?
    /// The beginning of the body as text: `maximumBodySize` bytes at most, with replacement characters for
    /// what is not UTF-8. Servers say in it what they do not like, and sometimes what was sent to them.
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

/// A `RetryOperation` waits as long as the server asks for.
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
    /// Without what may be secret: user, password, query, fragment. That there was a query is shown.
    var loggable: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "a URL" }
        let hasQuery = parts.query != nil
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        // What follows the scheme of a `data:` URL is its body.
        guard parts.host != nil || parts.scheme == "file" else { return "\(parts.scheme ?? ""):…" }
        return (parts.string ?? "a URL") + (hasQuery ? "?…" : "")
    }
}
