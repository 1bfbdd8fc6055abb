import Foundation

/// A repository in the results of the search.
struct Repository: Decodable, Hashable, Sendable {
    var id: Int
    var fullName: String
    var stars: Int
    var createdAt: Date
    var language: String?

    enum CodingKeys: String, CodingKey {
        case id, language
        case fullName = "full_name"
        case stars = "stargazers_count"
        case createdAt = "created_at"
    }
}

/// A page of results.
struct SearchPage: Decodable, Sendable {
    /// On all pages together.
    var totalCount: Int
    var items: [Repository]

    enum CodingKeys: String, CodingKey {
        case items
        case totalCount = "total_count"
    }
}
