import FlyingFox
import Foundation
import Loopback

/// A server with timelines on this machine, for those who have a token.
struct TimelineServer: Sendable {
    /// What is wrong with a place.
    enum Fault: Sendable {
        case status(Int)
        case body(String)
        case neverAnswers
        /// Answers after the first request for this path.
        case answersAfter(String)
    }

    let url: URL
    let authority: Authority
    /// By path: `/token`, `/timelines/home`, `/posts/7/reactions`.
    let visits: Visits<String>
    private let server: LoopbackServer

    /// Starts to serve. `stop` ends it.
    ///
    /// - Parameters:
    ///   - timelines: the posts in each.
    ///   - faults: by path.
    static func start(
        timelines: [String: ClosedRange<Post.ID>] = ["home": 1...12], faults: [String: Fault] = [:]
    ) async throws -> TimelineServer {
        let (authority, visits) = (Authority(), Visits<String>())
        let server = try await LoopbackServer.start { server in
            await server.appendRoute("*") { request in
                await visits.add(request.path)
                if let answer = try await faults[request.path]?.answer(visits) { return answer }
                if request.path == "/token" { return try await authority.refresh(request) }
                guard await authority.knows(request) else { return .status(.unauthorized) }
                return try await content(request.path, timelines)
            }
        }
        return TimelineServer(url: server.url, authority: authority, visits: visits, server: server)
    }

    func stop() async { await server.stop() }

    private static func content(
        _ path: String, _ timelines: [String: ClosedRange<Post.ID>]
    ) async throws -> HTTPResponse {
        let parts = path.split(separator: "/")
        // It takes a while, as it would from a server far away.
        try await Task.sleep(for: .milliseconds(5))
        if parts.count == 2, parts[0] == "timelines", let posts = timelines[String(parts[1])] {
            return try .json(posts.map(post))
        }
        if parts.count == 3, parts[0] == "posts", let id = Int(parts[1]), parts[2] == "reactions" {
            return try .json(Reactions(post: id, likes: id * 37 % 101))
        }
        return .status(.notFound)
    }

    private static func post(_ id: Int) -> PublishedPost {
        PublishedPost(
            id: id, author: ["ada", "grace", "edsger"][id % 3],
            text: "Post \(id), of those that everybody talks about")
    }
}

extension TimelineServer.Fault {
    fileprivate func answer(_ visits: Visits<String>) async throws -> HTTPResponse? {
        switch self {
        case .status(let status): return .status(HTTPStatusCode(status, phrase: "Fault"))
        case .body(let text): return .bytes(Data(text.utf8), type: "application/json")
        case .answersAfter(let path):
            await visits.first(of: path)
            return nil
        case .neverAnswers:
            // Until the server is stopped or times out.
            try await Task.sleep(for: .seconds(3_600))
            return nil
        }
    }
}
