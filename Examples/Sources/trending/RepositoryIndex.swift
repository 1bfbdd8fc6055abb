import Foundation

/// The repositories that the server knows.
struct RepositoryIndex: Sendable {
    struct Entry: Sendable {
        var id: Int
        var stars: Int
        /// `2026-11-14T09:30:00Z`
        var createdAt: String
    }

    struct Query: Sendable {
        /// `2026-11-14`: created on a later day.
        var after: String
        var perPage: Int
        /// From 1.
        var page: Int
    }

    struct Page: Sendable {
        var totalCount: Int
        var entries: [Entry]
        var lastPage: Int
    }

    /// Those with the most stars first.
    let entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries.sorted { $0.stars > $1.stars } }

    /// `count` repositories, one for each third hour before `today`, with pseudorandom stars that are always
    /// the same.
    static func sample(_ count: Int, before today: Date) -> RepositoryIndex {
        RepositoryIndex(
            (0..<count).map { position in
                Entry(
                    id: 1_000 + position, stars: position * 7_919 % 20_011,
                    createdAt: today.addingTimeInterval(Double(position) * -3 * 3_600).formatted(.iso8601))
            })
    }

    func page(_ query: Query) -> Page {
        // The day, and not the moment, as GitHub does.
        let found = entries.filter { $0.createdAt.prefix(10) > query.after }
        return Page(
            totalCount: found.count,
            entries: Array(found.dropFirst((query.page - 1) * query.perPage).prefix(query.perPage)),
            lastPage: max(1, (found.count + query.perPage - 1) / query.perPage))
    }
}

extension RepositoryIndex.Page {
    /// The body of the answer. Written by hand: what the client decodes is GitHub's shape, and not just its
    /// own.
    func json() -> Data {
        let items = entries.map { entry in
            let name = "project-\(entry.id)"
            return """
                {"id":\(entry.id),"name":"\(name)","full_name":"octo/\(name)","private":false,\
                "owner":{"login":"octo","id":1,"type":"Organization"},"fork":false,\
                "description":null,"created_at":"\(entry.createdAt)",\
                "stargazers_count":\(entry.stars),"watchers_count":\(entry.stars),\
                "language":\(entry.id % 5 == 0 ? "null" : "\"Swift\""),"topics":[],"score":1.0}
                """
        }
        return Data(
            """
            {"total_count":\(totalCount),"incomplete_results":false,"items":[\(items.joined(separator: ","))]}
            """.utf8)
    }

    /// What stands in the `Link` header of this page: names and numbers.
    func links(from page: Int) -> [(rel: String, page: Int)] {
        var links: [(String, Int)] = []
        if page > 1 { links.append(("prev", page - 1)) }
        if page < lastPage { links += [("next", page + 1), ("last", lastPage)] }
        if page > 1 { links.append(("first", 1)) }
        return links
    }
}
