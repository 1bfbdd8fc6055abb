import FlyingFox
import Foundation
import Loopback

/// Gives tokens to those whom the server knows. Each refresh token is good for one refresh: RFC 9700, section
/// 4.14.2.
actor Authority {
    private var refreshTokens: Set<String> = []
    private var accessTokens: Set<String> = []
    private(set) var refreshCount = 0

    /// - Returns: a token for the first refresh.
    func makeRefreshToken() -> String {
        let token = "refresh-\(UUID().uuidString)"
        refreshTokens.insert(token)
        return token
    }

    func refresh(_ request: HTTPRequest) async throws -> HTTPResponse {
        var form = URLComponents()
        form.percentEncodedQuery = String(decoding: try await request.bodyData, as: UTF8.self)
        let items = Dictionary((form.queryItems ?? []).map { ($0.name, $0.value) }) { first, _ in first }
        guard items["grant_type"] == "refresh_token", let token = items["refresh_token"] ?? nil,
            refreshTokens.remove(token) != nil
        else {
            let error = ["error": "invalid_grant", "error_description": "the refresh token was revoked"]
            return try .json(error, status: .badRequest)
        }
        refreshCount += 1
        let access = "access-\(UUID().uuidString)"
        accessTokens.insert(access)
        return try .json(
            TokenAnswer(accessToken: access, expiresIn: 3_600, refreshToken: makeRefreshToken()))
    }

    func knows(_ request: HTTPRequest) -> Bool {
        guard let authorization = request.headers[.authorization], authorization.hasPrefix("Bearer ") else {
            return false
        }
        return accessTokens.contains(String(authorization.dropFirst("Bearer ".count)))
    }
}
