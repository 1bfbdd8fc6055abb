import Foundation
import GRDB

/// A post, as it stands in the database.
struct Post: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
    var id: Int
    var author: String
    var text: String
    var isRead = false
}

/// A post as the server describes it, without what the user has read here.
struct PublishedPost: Codable, Hashable, Sendable {
    var id: Int
    var author: String
    var text: String
}

/// The number of likes of a post, from the server.
struct Reactions: Codable, Hashable, Sendable {
    var post: Int
    var likes: Int
}
