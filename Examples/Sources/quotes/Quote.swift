import GRDB

/// A quotation, as it comes over the network and as it stands in the database.
struct Quote: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
    var id: Int
    var author: String
    var text: String
    /// How often it was read, by everybody: the server counts.
    var readCount: Int
}

/// What the server answers to a reading: how often the quotation was read now.
struct ReadCount: Codable, Hashable, Sendable {
    var id: Int
    var readCount: Int
}

/// The body of a request: a quotation was read once.
struct Reading: Codable, Sendable {
    var id: Int
}
