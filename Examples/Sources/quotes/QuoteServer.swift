import FlyingFox
import Foundation
import Loopback

/// Serves quotations over HTTP on this machine: `/quotes/N` is page N, as JSON. Each page takes a while, as it would
/// from a server far away, and always the same while.
struct QuoteServer: Sendable {
    static let quotesPerPage = 40

    /// Of the server that `start` has started, without the page's number.
    let pages: URL
    private let server: LoopbackServer

    /// Starts to serve. `stop` ends it.
    ///
    /// - Parameter brokenPage: a page that is answered with an error.
    static func start(brokenPage: Int? = nil) async throws -> QuoteServer {
        let server = try await LoopbackServer.start { server in
            await server.appendRoute("GET /quotes/:page") { (page: Int) in
                try await Task.sleep(for: latency(ofPage: page))
                guard page != brokenPage else { return .status(.internalServerError) }
                return try .json(quotes(onPage: page))
            }
        }
        return QuoteServer(pages: server.url.appending(path: "quotes"), server: server)
    }

    func stop() async { await server.stop() }

    /// 10 to 60 ms.
    private static func latency(ofPage page: Int) -> Duration { .milliseconds(10 + page * 37 % 51) }

    private static func quotes(onPage page: Int) -> [Quote] {
        (0..<quotesPerPage).map { position in
            let id = page * quotesPerPage + position
            let (author, text) = sayings[id % sayings.count]
            return Quote(id: id, author: author, text: text)
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
