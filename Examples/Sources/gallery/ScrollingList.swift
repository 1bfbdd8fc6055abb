import Foundation
import Ops
import OpsNetwork

/// A list of pictures, of which a few rows are on the screen at a time.
///
/// A row that comes onto the screen gets a cell, which loads its picture. A row that leaves loses its cell,
/// and what that was loading is cancelled.
@MainActor
final class ScrollingList {
    private(set) var cells: [Int: Cell] = [:]
    let journal = Journal()
    let leftovers = Leftovers()
    let queues: GalleryQueues
    private let pictures: URL
    private let filter: Filter
    private let session = NetworkSession()
    private var timesShown: [Int: Int] = [:]

    /// - Parameters:
    ///   - pictures: their URL, without the row's number.
    ///   - downloads: the largest number of concurrent downloads.
    init(
        pictures: URL, filter: Filter = .grey, downloads: Int = 3, recorder: Recorder
    ) {
        self.pictures = pictures
        self.filter = filter
        queues = GalleryQueues(recorder: recorder, downloads: downloads)
    }

    /// The rows on the screen.
    var visible: [Int] { cells.keys.sorted() }

    /// Moves `rows` onto the screen, and all others off it.
    func scroll(to rows: Range<Int>) {
        // The last first: a slot that becomes free is not to start what is cancelled next.
        for row in visible.reversed() where !rows.contains(row) {
            cells.removeValue(forKey: row)?.cancelLoad()
        }
        for row in rows where cells[row] == nil {
            let cell = Cell(row: row)
            cells[row] = cell
            leftovers.add(cell, "the cell of row \(row)")
            load(into: cell)
        }
    }

    /// Loads the picture of a row again, because it has changed. Does nothing if the row is not on the
    /// screen.
    func reload(_ row: Int) {
        if let cell = cells[row] { load(into: cell) }
    }

    /// Returns when no cell on the screen waits for its picture any more.
    func settled() async {
        while let load = cells.values.lazy.compactMap(\.load).first { await load.finished() }
    }

    private func load(into cell: Cell) {
        let row = cell.row
        let times = timesShown[row, default: 0] + 1
        timesShown[row] = times
        let record = journal.record(of: times == 1 ? "\(row)" : "\(row) #\(times)", row: row)
        let load = PictureLoad(
            pictures.appending(path: "\(row)"), filter: filter, on: queues, session: session, record: record
        ) { [weak cell] result in cell?.take(result) }
        for operation in load.operations { leftovers.add(operation, operation.name ?? "") }
        cell.show(load)
    }
}
