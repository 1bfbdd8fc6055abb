import Foundation
import Ops

/// Decodes the picture that another operation downloaded, applies a filter to it, and encodes it again.
///
/// It computes on the queue's thread, and looks after every line whether it was cancelled.
final class ApplyFilter: SynchronousOperation<Data>, @unchecked Sendable {
    private let filter: Filter
    private let picture: any ResultOperation<Data>
    private let record: LoadRecord

    init(_ filter: Filter, to picture: any ResultOperation<Data>, name: String, record: LoadRecord) {
        self.filter = filter
        self.picture = picture
        self.record = record
        super.init(name: name, kind: "ApplyFilter")
        addDependency(picture)
    }

    override func run() throws -> Data {
        // Before the look at the flag: cancelled after that, the filter had begun before.
        let moment = record.now
        try checkCancellation()
        record.filterBegan(at: moment)
        var bitmap = try Bitmap(png: picture.get())
        for line in 0..<bitmap.height {
            filter.apply(&bitmap, line)
            try checkCancellation()
        }
        return try bitmap.png()
    }
}
