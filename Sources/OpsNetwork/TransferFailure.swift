public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The error of a network operation that got no complete response, or could not store it.
///
/// Its description has the request and the reason: `GET https://example.com/quotes failed: Could not resolve
/// host: example.com`. It can be logged: it leaves out the URL's user, password, query and fragment.
public struct TransferFailure: Error, Sendable, CustomStringConvertible {
    /// An open set: new codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value { case connection, tooLarge, unexpectedAnswer, file, busy }
        let value: Value

        /// No response arrived, or its body was truncated; `underlyingError` is the `URLError`.
        public static let connection = Code(value: .connection)
        /// The body is larger than the operation's `maximumSize`.
        public static let tooLarge = Code(value: .tooLarge)
        /// The response does not fit the request: a part that was not requested, or less than a complete
        /// file.
        public static let unexpectedAnswer = Code(value: .unexpectedAnswer)
        /// A file could not be written; `underlyingError` is the `POSIXError`.
        public static let file = Code(value: .file)
        /// Another download has the same destination.
        public static let busy = Code(value: .busy)
    }

    /// Use this to decide what to do: the description is for people.
    public let code: Code
    /// The method of the request.
    public let method: String
    /// The complete URL of the request, which may contain secrets.
    public let url: URL?
    /// The message of Foundation or the system, if any.
    public let underlyingError: (any Error)?
    private let reason: String

    public var description: String { "\(method) \(url.loggable) failed: \(reason)" }

    /// The code of the underlying `URLError`, if any.
    public var urlErrorCode: URLError.Code? { (underlyingError as? URLError)?.code }
}

extension TransferFailure: LocalizedError {
    public var errorDescription: String? { description }
}

extension TransferFailure {
    init(_ request: URLRequest, code: Code, reason: String, underlyingError: (any Error)? = nil) {
        self.code = code
        method = request.httpMethod ?? "GET"
        url = request.url
        self.reason = reason
        self.underlyingError = underlyingError
    }

    /// A failure that a session reported.
    init(_ request: URLRequest, error: any Error) {
        let code = (error as? URLError)?.code
        let reason =
            switch code {
            // Foundation on Linux has no message for these.
            case .timedOut: "timed out: no data arrived in time"
            case .cancelled: "cancelled by other code"
            default: error.localizedDescription
            }
        self.init(request, code: .connection, reason: reason, underlyingError: error)
    }

    /// A failure of a file.
    init(_ request: URLRequest, _ failure: FileFailure) {
        self.init(
            request, code: failure.isBusy ? .busy : .file, reason: failure.reason,
            underlyingError: failure.isBusy ? nil : POSIXError(failure.code))
    }
}
