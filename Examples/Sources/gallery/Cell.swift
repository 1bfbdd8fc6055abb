import Foundation

/// A row on the screen.
@MainActor
final class Cell {
    enum Content: Hashable {
        case empty
        /// A PNG.
        case picture(Data)
        case failure(String)
    }

    let row: Int
    private(set) var content = Content.empty
    /// The operations that load the content; nil when they have finished.
    private(set) var load: PictureLoad?

    init(row: Int) { self.row = row }

    /// Shows the picture of `load` when it arrives; until then, the old picture stays. Cancels the earlier
    /// load.
    func show(_ load: PictureLoad) {
        cancelLoad()
        self.load = load
        load.start()
    }

    /// A load has come to its end.
    func take(_ result: Result<Data, any Error>) {
        load = nil
        switch result {
        case .success(let picture): content = .picture(picture)
        case .failure(let error): content = .failure(String(describing: error))
        }
    }

    /// Gives up what would be shown.
    func cancelLoad() {
        load?.cancel()
        load = nil
    }
}

extension Cell.Content: CustomStringConvertible {
    var description: String {
        switch self {
        case .empty: "nothing yet"
        case .picture(let png): "its picture, \(png.count) bytes"
        case .failure(let reason): reason
        }
    }
}
