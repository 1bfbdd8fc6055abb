import Synchronization

/// What happened to every load of a picture, in an order that all threads agree on. It stores neither pixels,
/// nor cells, nor operations.
@MainActor
final class Journal {
    private(set) var records: [LoadRecord] = []
    private let clock = JournalClock()

    func record(of name: String, row: Int) -> LoadRecord {
        let record = LoadRecord(name, row: row, clock: clock)
        records.append(record)
        return record
    }

    var shown: [LoadRecord] { records.filter(\.wasShown) }
    var cancelled: [LoadRecord] { records.filter(\.wasCancelled) }
    var filtered: [LoadRecord] { records.filter(\.wasFiltered) }

    /// One sentence for each load that went on after it had been cancelled. Empty, if all is well.
    var faults: [String] { records.compactMap(\.fault) }
}

/// The progress of one load of a picture. Usable from any thread.
final class LoadRecord: Sendable {
    /// A moment that is before, or after, every other.
    typealias Moment = Int

    let name: String
    let row: Int
    private let clock: JournalClock
    /// 0 if it did not happen.
    private let filterBegan = Atomic<Moment>(0)
    private let shown = Atomic<Moment>(0)
    private let cancelled = Atomic<Moment>(0)

    fileprivate init(_ name: String, row: Int, clock: JournalClock) {
        self.name = name
        self.row = row
        self.clock = clock
    }

    var now: Moment { clock.next() }

    /// The filter went to work, and had not been cancelled at `moment`.
    func filterBegan(at moment: Moment) {
        filterBegan.store(moment, ordering: .sequentiallyConsistent)
    }

    /// A cell showed the picture, or the reason why it is missing.
    func wasShownNow() { shown.store(now, ordering: .sequentiallyConsistent) }

    /// The cell has gone, or shows another load: all operations are cancelled.
    func wasCancelledNow() { cancelled.store(now, ordering: .sequentiallyConsistent) }

    var wasFiltered: Bool { filterBegan.load(ordering: .sequentiallyConsistent) > 0 }
    var wasShown: Bool { shown.load(ordering: .sequentiallyConsistent) > 0 }
    var wasCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) > 0 }

    fileprivate var fault: String? {
        let end = cancelled.load(ordering: .sequentiallyConsistent)
        guard end > 0 else { return nil }
        if shown.load(ordering: .sequentiallyConsistent) > end {
            return "\(name) was shown after it had been cancelled"
        }
        if filterBegan.load(ordering: .sequentiallyConsistent) > end {
            return "\(name) was filtered after it had been cancelled"
        }
        return nil
    }
}

/// Counts up.
private final class JournalClock: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
