import GRDB

/// The quotations in an SQLite database. Its methods block the calling thread: they are for threads of
/// queues.
struct QuoteStore: Sendable {
    let database: DatabaseQueue

    /// Opens the file, or creates it. Without a path, the database is in memory.
    init(path: String? = nil) throws {
        database = try path.map { try DatabaseQueue(path: $0) } ?? DatabaseQueue()
        var migrator = DatabaseMigrator()
        migrator.registerMigration("quotes") { db in
            // Files from before there were migrations have it.
            try db.create(table: "quote", ifNotExists: true) { table in
                table.primaryKey("id", .integer)
                table.column("author", .text).notNull().check { $0 != "" }
                table.column("text", .text).notNull()
            }
        }
        migrator.registerMigration("read counts") { db in
            try db.alter(table: "quote") { table in
                table.add(column: "readCount", .integer).notNull().defaults(to: 0)
            }
        }
        try migrator.migrate(database)
    }

    /// Creates or updates the quotations: all of them, or none if there is an error.
    ///
    /// - Parameter checkCancellation: called before each. If it throws, the others are rolled back.
    func save(_ quotes: [Quote], checkCancellation: () throws -> Void) throws {
        try database.write { db in
            for quote in quotes {
                try checkCancellation()
                try quote.upsert(db)
            }
        }
    }

    /// Updates the row of one quotation.
    ///
    /// - Throws: a `MissingQuote` if the row does not exist.
    func save(_ count: ReadCount) throws {
        try database.write { db in
            guard var quote = try Quote.fetchOne(db, key: count.id) else { throw MissingQuote(id: count.id) }
            quote.readCount = count.readCount
            try quote.update(db)
        }
    }

    /// Those of the quotations that are there, in the order of their numbers.
    func quotes(_ ids: [Int]) throws -> [Quote] {
        try database.read { db in try Quote.filter(keys: ids).order(Column("id")).fetchAll(db) }
    }

    func allQuotes() throws -> [Quote] {
        try database.read { db in try Quote.order(Column("id")).fetchAll(db) }
    }
}

/// The error of an update of a missing row.
struct MissingQuote: Error, CustomStringConvertible {
    let id: Int

    var description: String { "there is no quote \(id) in the store" }
}
