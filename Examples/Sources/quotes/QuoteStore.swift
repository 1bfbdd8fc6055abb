import Foundation
import GRDB

/// The quotations in an SQLite database.
struct QuoteStore: Sendable {
    private let database: DatabaseQueue

    /// Opens the file, or creates it. Without a path, the database is in memory.
    init(path: String? = nil) throws {
        database = try path.map { try DatabaseQueue(path: $0) } ?? DatabaseQueue()
        try database.write { db in
            try db.create(table: "quote", ifNotExists: true) { table in
                table.primaryKey("id", .integer)
                table.column("author", .text).notNull()
                table.column("text", .text).notNull()
            }
        }
    }

    /// Creates the quotations, or updates those that are there.
    func save(_ quotes: [Quote]) throws {
        try database.write { db in
            for quote in quotes { try quote.upsert(db) }
        }
    }

    func count() throws -> Int { try database.read { db in try Quote.fetchCount(db) } }
}
