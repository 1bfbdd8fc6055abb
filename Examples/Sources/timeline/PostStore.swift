import Foundation
import GRDB
import Ops

/// The posts, in an SQLite database.
///
/// Each writer has its own context: a connection that is open for one transaction. Views read from another
/// connection, which does not notice writes by itself: `save` notifies it.
struct PostStore: Sendable {
    /// Held by operations that write: they wait for each other before they take a thread, and not in SQLite.
    let key: ExclusionKey
    let path: String
    private let configuration: Configuration
    /// What views read from.
    private let viewContext: DatabasePool

    /// Opens the file, or creates it.
    init(path: String) throws {
        self.path = path
        key = ExclusionKey("the posts in \((path as NSString).lastPathComponent)")
        var configuration = Configuration()
        // Another process may write, too.
        configuration.busyMode = .timeout(10)
        self.configuration = configuration
        viewContext = try DatabasePool(path: path, configuration: configuration)
        try viewContext.write { db in
            try db.create(table: Post.databaseTableName, options: .ifNotExists) { table in
                table.primaryKey("id", .integer)
                table.column("author", .text).notNull()
                table.column("text", .text).notNull()
                table.column("isRead", .boolean).notNull()
            }
        }
    }

    /// Runs `body` in a separate context, in one transaction, and notifies the views when that is saved.
    /// Blocks the thread.
    ///
    /// If `body` throws, the transaction is rolled back.
    func save<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let context = try DatabaseQueue(path: path, configuration: configuration)
        let value = try context.write(body)
        try viewContext.write { db in try db.notifyChanges(in: Post.all()) }
        return value
    }

    /// Creates the posts, or updates those that are there; what was read stays so.
    func save(_ posts: [PublishedPost]) throws {
        try save { db in
            for post in posts {
                try db.execute(
                    sql: """
                        INSERT INTO post (id, author, text, isRead) VALUES (?, ?, ?, FALSE)
                        ON CONFLICT (id) DO UPDATE SET author = excluded.author, text = excluded.text
                        """,
                    arguments: [post.id, post.author, post.text])
            }
        }
    }

    /// Of the views' context. Blocks the thread.
    func posts() throws -> [Post] {
        try viewContext.read { db in try Post.order(Column("id")).fetchAll(db) }
    }

    func removeAll() throws { try save { db in _ = try Post.deleteAll(db) } }

    /// All posts, as a view's context reads them: at once, and again after each notification of a change.
    var updates: AsyncValueObservation<[Post]> {
        ValueObservation.tracking { db in try Post.order(Column("id")).fetchAll(db) }.values(in: viewContext)
    }
}
