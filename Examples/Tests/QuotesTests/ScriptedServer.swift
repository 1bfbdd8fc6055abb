import FlyingFox
import FlyingSocks
import Foundation
import Loopback

@testable import quotes

/// A server that gives scripted answers to all requests.
struct ScriptedServer: Sendable {
    enum Answer: Sendable {
        case whole(String)
        case status(HTTPStatusCode)
        /// The connection is closed after this much, though more was announced.
        case brokenOff(after: String)
        /// Nothing follows, and the connection stays open.
        case stalled(after: String)
        case never

        static func page(_ number: Int) throws -> Answer {
            try .whole(
                String(decoding: JSONEncoder().encode(QuoteServer.quotes(onPage: number)), as: UTF8.self))
        }
    }

    let url: URL
    /// An element when the server has got as far with a request as it will before it waits, or ends.
    let arrivals: AsyncStream<Void>
    private let server: LoopbackServer

    static func start(_ answer: Answer) async throws -> ScriptedServer {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let server = try await LoopbackServer.start { server in
            await server.appendRoute("*") { _ in try await respond(answer) { arrived.yield() } }
        }
        return ScriptedServer(url: server.url, arrivals: arrivals, server: server)
    }

    func stop() async { await server.stop() }

    private static func respond(_ answer: Answer, arrived: @escaping @Sendable () -> Void) async throws
        -> HTTPResponse
    {
        switch answer {
        case .whole(let text):
            return .bytes(Data(text.utf8), type: "application/json")
        case .status(let status):
            return .status(status)
        case .brokenOff(let text):
            // An error is what makes this server close the connection.
            return announcing(PartialBody(text: text) { throw CancellationError() })
        case .stalled(let text):
            return announcing(
                PartialBody(text: text) {
                    arrived()
                    try await nothing()
                })
        case .never:
            arrived()
            try await nothing()
        }
    }

    /// A body that is announced to be longer than it is.
    private static func announcing(_ body: PartialBody) -> HTTPResponse {
        HTTPResponse(statusCode: .ok, body: HTTPBodySequence(from: body, count: 10_000))
    }
}

/// A text, and then what `afterwards` does instead of giving the rest.
private struct PartialBody: AsyncBufferedSequence {
    typealias Element = UInt8

    let text: String
    let afterwards: @Sendable () async throws -> Never

    func makeAsyncIterator() -> Iterator { Iterator(rest: Array(text.utf8), afterwards: afterwards) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var rest: [UInt8]
        let afterwards: @Sendable () async throws -> Never

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            if rest.isEmpty { try await afterwards() }
            defer { rest = [] }
            return rest
        }

        mutating func next() async throws -> UInt8? { try await afterwards() }
    }
}

/// Ends when the task is cancelled: a server that stops cancels those that answer.
private func nothing() async throws -> Never {
    let (nothing, never) = AsyncStream<Never>.makeStream()
    for await _ in nothing {}
    never.finish()
    throw CancellationError()
}
