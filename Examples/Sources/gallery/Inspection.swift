import Foundation

/// Compares what the list shows and keeps with what it should.
@MainActor
struct Inspection {
    let list: ScrollingList
    let server: PictureServer

    /// What is wrong, one sentence each. Call this when the list has settled.
    ///
    /// - Parameter missing: the rows without a picture.
    func faults(rows: Range<Int>, missing: Set<Int> = []) async throws -> [String] {
        var faults = list.journal.faults
        if list.visible != Array(rows) { faults.append("the rows on the screen are \(list.visible)") }
        for row in rows {
            if let fault = try await fault(ofRow: row, isMissing: missing.contains(row)) {
                faults.append("row \(row) \(fault)")
            }
        }
        let remaining = try await list.leftovers.remaining(besides: list.cells.values)
        return faults + remaining.map { "\($0) was kept" }
    }

    private func fault(ofRow row: Int, isMissing: Bool) async throws -> String? {
        switch list.cells[row]?.content ?? .empty {
        case .empty: return "shows nothing"
        case .picture where isMissing: return "shows a picture, and there is none"
        case .picture(let png):
            return try await Bitmap(png: png) == greyPicture(of: row) ? nil : "shows the wrong picture"
        case .failure(let reason): return isMissing ? nil : "shows no picture: \(reason)"
        }
    }

    private func greyPicture(of row: Int) async -> Bitmap {
        var bitmap = await server.picture(of: row)
        for line in 0..<bitmap.height { Filter.grey.apply(&bitmap, line) }
        return bitmap
    }
}
