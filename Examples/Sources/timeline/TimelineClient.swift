import Foundation
import OpsNetwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the server is asked for.
struct TimelineClient: Sendable {
    let url: URL
    let session: NetworkSession

    init(_ url: URL) {
        self.url = url
        let configuration = URLSessionConfiguration.ephemeral
        // How many requests are sent at once is for the operations to say.
        configuration.httpMaximumConnectionsPerHost = 256
        session = NetworkSession(configuration: configuration)
    }

    /// RFC 6749, section 6.
    func refresh(_ refreshToken: String) -> URLRequest {
        var form = URLComponents()
        form.queryItems = [
            URLQueryItem(name: "grant_type", value: "refresh_token"),
            URLQueryItem(name: "refresh_token", value: refreshToken),
        ]
        var request = URLRequest(url: url.appending(path: "token"))
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data((form.percentEncodedQuery ?? "").utf8)
        return request
    }

    func timeline(_ name: String, _ token: Token) -> URLRequest { get("timelines/\(name)", token) }

    func reactions(toPost id: Post.ID, _ token: Token) -> URLRequest {
        get("posts/\(id)/reactions", token)
    }

    private func get(_ path: String, _ token: Token) -> URLRequest {
        var request = URLRequest(url: url.appending(path: path))
        request.setValue("Bearer \(token.value)", forHTTPHeaderField: "Authorization")
        return request
    }
}
