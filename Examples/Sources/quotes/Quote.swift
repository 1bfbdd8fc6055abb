import Foundation
import GRDB

/// A quotation, as it comes over the network and as it stands in the database.
struct Quote: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
    var id: Int
    var author: String
    var text: String
}
