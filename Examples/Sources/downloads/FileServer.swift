import FlyingFox
import Foundation
import Loopback

/// Serves files over HTTP on this machine, whole or from a byte on: `/files/NAME`. It can stand still in the
/// middle of a file, or break off.
actor FileServer {
    /// What it was asked for.
    struct Request: Hashable, Sendable {
        let name: String
        /// 0 for the whole file.
        let firstByte: Int
    }

    private enum Obstacle {
        case standStill(after: Int)
        case breakOff(after: Int)
    }

    private let files: [String: Data]
    private var server: LoopbackServer?
    /// What comes in the way of the next answer with a file.
    private var obstacles: [String: Obstacle] = [:]
    /// Answers that stand still.
    private var standing: [AsyncStream<Never>.Continuation] = []
    private(set) var requests: [Request] = []

    init(_ files: [String: Data]) { self.files = files }

    /// Starts to serve; `stop` ends it.
    ///
    /// - Returns: the URL of the files, without a name.
    func start() async throws -> URL {
        let server = try await LoopbackServer.start { server in
            await server.appendRoute("GET /files/:name") { (request: HTTPRequest, name: String) in
                await self.answer(request, name)
            }
        }
        self.server = server
        return server.url.appending(path: "files")
    }

    func stop() async { await server?.stop() }

    /// The next answer with this file comes to `count` bytes, and then to no more until the server stops.
    func standStill(_ name: String, after count: Int) { obstacles[name] = .standStill(after: count) }

    /// The connection ends when `count` bytes of the next answer with this file have been sent.
    func breakOff(_ name: String, after count: Int) { obstacles[name] = .breakOff(after: count) }

    private func answer(_ request: HTTPRequest, _ name: String) -> HTTPResponse {
        guard let file = files[name] else {
            return HTTPResponse(statusCode: .notFound, headers: HTTPHeaders([.connection: "close"]))
        }
        let firstByte = request.firstByte(ofVersion: name)
        requests.append(Request(name: name, firstByte: firstByte))
        var headers = HTTPHeaders([.connection: "close", .contentType: "application/octet-stream"])
        headers[HTTPHeader("ETag")] = name.entityTag
        if firstByte > 0 {
            headers[HTTPHeader("Content-Range")] = "bytes \(firstByte)-\(file.count - 1)/\(file.count)"
        }
        return HTTPResponse(
            statusCode: firstByte > 0 ? .partialContent : .ok, headers: headers,
            body: body(Data(file.dropFirst(firstByte)), obstacles.removeValue(forKey: name)))
    }

    private func body(_ rest: Data, _ obstacle: Obstacle?) -> HTTPBodySequence {
        switch obstacle {
        case nil:
            HTTPBodySequence(data: rest, suggestedBufferSize: 65_536)
        case .standStill(let count):
            HTTPBodySequence(
                from: InterruptedBody(rest.prefix(count)) { await self.standStill() }, count: rest.count)
        case .breakOff(let count):
            HTTPBodySequence(
                from: InterruptedBody(rest.prefix(count)) { throw CancellationError() }, count: rest.count)
        }
    }

    /// Returns when the server stops.
    private func standStill() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        standing.append(continuation)
        for await _ in stream {}
    }
}

extension String {
    /// Files never change, so the name identifies the version.
    fileprivate var entityTag: String { "\"\(self)\"" }
}

extension HTTPRequest {
    /// Where a part was asked for that is still the same, its beginning.
    fileprivate func firstByte(ofVersion name: String) -> Int {
        guard headers[HTTPHeader("If-Range")] == name.entityTag,
            let range = headers[HTTPHeader("Range")], range.hasPrefix("bytes="), range.hasSuffix("-")
        else { return 0 }
        return Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
    }
}
