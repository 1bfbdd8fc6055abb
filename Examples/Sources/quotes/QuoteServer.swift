import FlyingFox
import Foundation
import Loopback

/// Serves quotations over HTTP on this machine: `GET /quotes/N` is page N, as JSON; `POST /reads` counts a
/// reading. Each answer takes a while, as it would from a server far away, and always the same while.
struct QuoteServer: Sendable {
    static let quotesPerPage = 40

    let url: URL
    private let server: LoopbackServer

    /// Starts to serve. `stop` ends it.
    static func start() async throws -> QuoteServer {
        let counts = ReadCounts()
        let server = try await LoopbackServer.start { server in
            await server.appendRoute("GET /quotes/:page") { (page: Int) in
                try await Task.sleep(for: latency(ofPage: page))
                return try .json(await quotes(onPage: page, counts))
            }
            await server.appendRoute("POST /reads") { request in
                let id = try JSONDecoder().decode(Reading.self, from: try await request.bodyData).id
                try await Task.sleep(for: .milliseconds(20))
                return try .json(await counts.increase(id))
            }
        }
        return QuoteServer(url: server.url, server: server)
    }

    func stop() async { await server.stop() }

    /// 10 to 60 ms.
    private static func latency(ofPage page: Int) -> Duration { .milliseconds(10 + page * 37 % 51) }

    private static func quotes(onPage page: Int, _ counts: ReadCounts) async -> [Quote] {
        let counts = await counts.ofQuotes
        return quotes(onPage: page).map { quote in
            var quote = quote
            quote.readCount = counts[quote.id] ?? 0
            return quote
        }
    }

    /// Before any reading.
    static func quotes(onPage page: Int) -> [Quote] {
        (0..<quotesPerPage).map { position in
            let id = page * quotesPerPage + position
            let (author, text) = sayings[id % sayings.count]
            return Quote(id: id, author: author, text: text, readCount: 0)
        }
    }

    private static let sayings = [
        ("Edsger W. Dijkstra", "Simplicity is prerequisite for reliability."),
        ("Ada Lovelace", "The science of operations, as derived from mathematics, is a science of itself."),
        ("Tony Hoare", "Inside every large program is a small program struggling to get out."),
        ("Grace Hopper", "One accurate measurement is worth a thousand expert opinions."),
        ("Donald Knuth", "Premature optimization is the root of all evil."),
        ("Barbara Liskov", "Modularity based on abstraction is the way things get done."),
    ]
}

/// How often each quotation was read.
private actor ReadCounts {
    private(set) var ofQuotes: [Int: Int] = [:]

    func increase(_ id: Int) -> ReadCount {
        ofQuotes[id, default: 0] += 1
        return ReadCount(id: id, readCount: ofQuotes[id, default: 0])
    }
}
