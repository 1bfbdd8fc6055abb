import Foundation
import Ops

/// Creates the quotations of a page in the database, or updates them; gives their numbers.
///
/// Cancelled in the middle of it, it leaves the database as it was.
final class StorePage: SynchronousOperation<[Int]>, @unchecked Sendable {
    private let parse: SynchronousOperation<[Quote]>
    private let store: QuoteStore

    init(_ parse: SynchronousOperation<[Quote]>, in store: QuoteStore) {
        self.parse = parse
        self.store = store
        super.init()
        addDependency(parse)
    }

    override func run() throws -> [Int] {
        let quotes = try parse.get()
        try store.save(quotes, checkCancellation: checkCancellation)
        return quotes.map(\.id)
    }
}
