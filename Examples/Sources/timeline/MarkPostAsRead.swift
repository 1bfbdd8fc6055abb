import Foundation
import GRDB
import Ops

/// Marks a post as read. Its output is the changed post.
///
/// It works in a database context of its own, on a thread of its queue. Cancelled before its transaction has
/// ended, it changes nothing.
final class MarkPostAsRead: SynchronousOperation<Post>, @unchecked Sendable {
    private let id: Post.ID
    private let store: PostStore

    init(_ id: Post.ID, in store: PostStore) {
        self.id = id
        self.store = store
        super.init(name: "mark \(id) as read")
        exclusionKeys = [store.key]
    }

    override func run() throws -> Post {
        try store.save { db in
            guard var post = try Post.fetchOne(db, key: id) else { throw MissingPost(id: id) }
            post.isRead = true
            try post.update(db)
            try checkCancellation()
            return post
        }
    }
}

extension Post: Identifiable {}

/// The error of an operation on a post that is not there.
struct MissingPost: Error, Hashable, CustomStringConvertible {
    let id: Post.ID

    var description: String { "there is no post \(id)" }
}
