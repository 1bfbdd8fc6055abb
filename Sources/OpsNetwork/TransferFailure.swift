public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The error of a network operation that got no whole answer, or could not keep it.
///
/// Its description says what was asked, and what went wrong: `GET https://example.com/quotes failed: Could
/// not resolve host: example.com`. It can be logged: user, password, query and fragment of the URL are left
/// out.
public struct TransferFailure: Error, Sendable, CustomStringConvertible {
    /// An open set: new codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value { case connection, tooLarge, unexpectedAnswer, file, busy }
        let value: Value

        /// No answer came, or its body was cut off; `underlyingError` is the `URLError`.
        public static let connection = Code(value: .connection)
        /// The body is larger than the operation's `maximumSize`.
        public static let tooLarge = Code(value: .tooLarge)
        /// The answer does not fit the request: a part that was not asked for, or less than a whole file.
        public static let unexpectedAnswer = Code(value: .unexpectedAnswer)
        /// A file could not be written; `underlyingError` is the `POSIXError`.
        public static let file = Code(value: .file)
        /// Another download has the same destination.
        public static let busy = Code(value: .busy)
    }

    /// What to decide by: the description is for people.
    public let code: Code
    /// The method of the request.
    public let method: String
    /// The URL that was asked for, whole: it may hold secrets.
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

    /// The message of a session.
    init(_ request: URLRequest, error: any Error) {
        let code = (error as? URLError)?.code
        let reason =
            switch code {
            // Foundation on Linux has no words for these.
            case .timedOut: "timed out: no data arrived in time"
            case .cancelled: "cancelled by other code"
            default: error.localizedDescription
            }
        self.init(request, code: .connection, reason: reason, underlyingError: error)
    }

    /// What went wrong with a file.
    init(_ request: URLRequest, _ failure: FileFailure) {
        self.init(
            request, code: failure.isBusy ? .busy : .file, reason: failure.reason,
            underlyingError: failure.isBusy ? nil : POSIXError(failure.code))
    }
}
