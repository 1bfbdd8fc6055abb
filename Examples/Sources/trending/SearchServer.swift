import FlyingFox
import Foundation
import Loopback

/// A search API of GitHub's shape on this machine: `GET /search/repositories`, with pages, a `Link` header
/// and limits.
struct SearchServer: Sendable {
    /// What is wrong with a page.
    enum Fault: Sendable {
        /// Refuses the first `times` requests; `retryAfter` is in seconds, nil for a response without that
        /// header.
        case refused(status: Int, retryAfter: Int?, times: Int)
        /// This is its body.
        case body(String)
        case neverAnswered
    }

    let url: URL
    /// Who asked for which page.
    let visits: Visits<Int>
    private let server: LoopbackServer

    /// Starts to serve. `stop` ends it.
    ///
    /// - Parameter faults: by the number of the page.
    static func start(_ index: RepositoryIndex, faults: [Int: Fault] = [:]) async throws -> SearchServer {
        let visits = Visits<Int>()
        let server = try await LoopbackServer.start { server in
            await server.appendRoute("GET /search/repositories") { request in
                guard let query = RepositoryIndex.Query(request) else {
                    return .status(.unprocessableContent)
                }
                let visit = await visits.add(query.page)
                if let answer = try await faults[query.page]?.answer(visit: visit) { return answer }
                return index.page(query).response(to: request, query)
            }
        }
        return SearchServer(url: server.url, visits: visits, server: server)
    }

    func stop() async { await server.stop() }
}

extension SearchServer.Fault {
    /// Nil if the page is served without a fault.
    ///
    /// - Parameter visit: 1 for the page's first request.
    fileprivate func answer(visit: Int) async throws -> HTTPResponse? {
        switch self {
        case .refused(let status, let retryAfter, let times):
            guard visit <= times else { return nil }
            var response = HTTPResponse.status(HTTPStatusCode(status, phrase: "Refused"))
            if let retryAfter { response.headers[HTTPHeader("Retry-After")] = "\(retryAfter)" }
            return response
        case .body(let text):
            return .bytes(Data(text.utf8), type: "application/json")
        case .neverAnswered:
            // Until the server is stopped or times out.
            try await Task.sleep(for: .seconds(3_600))
            return nil
        }
    }
}

extension RepositoryIndex.Query {
    /// Nil for what GitHub would not understand, or this server does not offer.
    fileprivate init?(_ request: HTTPRequest) {
        let items = Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
        guard let search = items["q"], search.hasPrefix("created:>"), items["sort"] == "stars",
            items["order"] == "desc", let perPage = items["per_page"].flatMap(Int.init),
            (1...100).contains(perPage), let page = items["page"].flatMap(Int.init), page > 0
        else { return nil }
        self.init(after: String(search.dropFirst("created:>".count)), perPage: perPage, page: page)
    }
}

extension RepositoryIndex.Page {
    fileprivate func response(
        to request: HTTPRequest, _ query: RepositoryIndex.Query
    ) -> HTTPResponse {
        var response = HTTPResponse.bytes(json(), type: "application/json; charset=utf-8")
        let links = links(from: query.page).map { rel, page in
            let items = request.query.map {
                URLQueryItem(name: $0.name, value: $0.name == "page" ? "\(page)" : $0.value)
            }
            let url = URL(string: "http://\(request.headers[.host] ?? "localhost")\(request.path)")
            return "<\(url?.appending(queryItems: items).absoluteString ?? "")>; rel=\"\(rel)\""
        }
        if !links.isEmpty { response.headers[HTTPHeader("Link")] = links.joined(separator: ", ") }
        return response
    }
}
