import Foundation
import Ops

/// What a server takes as proof of who asks, for a while.
struct Token: Hashable, Sendable {
    var value: String
    var expires: Date
}

/// Somebody's account at the server.
actor Account {
    nonisolated let name: String
    /// Held by operations that refresh the token: of two at once, the second finds what the first one got.
    nonisolated let key: ExclusionKey
    private var token: Token?
    private(set) var refreshToken: String
    /// The server's reason for rejecting the refresh token. It will give the same reason again.
    private(set) var refusal: Refusal?

    init(name: String, token: Token? = nil, refreshToken: String) {
        self.name = name
        key = ExclusionKey("the token of \(name)")
        self.token = token
        self.refreshToken = refreshToken
    }

    /// Nil if the token does not last for another half minute.
    func token(at now: Date) -> Token? {
        token.flatMap { $0.expires > now.addingTimeInterval(30) ? $0 : nil }
    }

    func keep(_ refusal: Refusal) { self.refusal = refusal }

    func keep(_ answer: TokenAnswer, at now: Date) -> Token {
        let token = Token(value: answer.accessToken, expires: now.addingTimeInterval(answer.expiresIn))
        self.token = token
        refreshToken = answer.refreshToken
        return token
    }
}

/// What the server answers to a refresh: RFC 6749, section 5.1.
struct TokenAnswer: Codable, Sendable {
    var accessToken: String
    var expiresIn: TimeInterval
    /// The next one: each is good for one refresh.
    var refreshToken: String

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
    }
}
