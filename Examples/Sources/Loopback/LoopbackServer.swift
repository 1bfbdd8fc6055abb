public import FlyingFox
import FlyingSocks
public import Foundation

/// An HTTP server on this machine, for one program.
public struct LoopbackServer: Sendable {
    /// `http://127.0.0.1:PORT`
    public let url: URL
    private let server: HTTPServer

    /// Starts to serve. `stop` ends it.
    ///
    /// - Parameter addRoutes: adds the routes, before the first request.
    public static func start(addRoutes: (HTTPServer) async -> Void) async throws -> LoopbackServer {
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0),
            // A server that never answers does not answer 500 after a while.
            timeout: 3_600, logger: .disabled)
        await addRoutes(server)
        Task { try await server.run() }
        // By itself it gives up after five seconds, which a machine that is busy may take.
        try await server.waitUntilListening(timeout: 300)
        guard case .ip4(_, let port)? = await server.listeningAddress,
            let url = URL(string: "http://127.0.0.1:\(port)")
        else { throw URLError(.cannotConnectToHost) }
        return LoopbackServer(url: url, server: server)
    }

    public func stop() async { await server.stop() }
}

extension HTTPResponse {
    /// `value` as JSON.
    public static func json(_ value: some Encodable, status: HTTPStatusCode = .ok) throws -> HTTPResponse {
        HTTPResponse(
            statusCode: status, headers: HTTPHeaders([.contentType: "application/json"]).closing,
            body: try JSONEncoder().encode(value))
    }

    /// `data` as it is.
    public static func bytes(_ data: Data, type: String) -> HTTPResponse {
        HTTPResponse(statusCode: .ok, headers: HTTPHeaders([.contentType: type]).closing, body: data)
    }

    /// No more than a status.
    public static func status(_ status: HTTPStatusCode) -> HTTPResponse {
        HTTPResponse(statusCode: status, headers: HTTPHeaders().closing)
    }
}

extension HTTPHeaders {
    /// With the connection closed after the answer: kept-alive connections cost more than new ones here.
    fileprivate var closing: HTTPHeaders {
        var headers = self
        headers[.connection] = "close"
        return headers
    }
}
