import Foundation
import Ops
import TracedProgram

/// Scrolls through a list of pictures that are downloaded and turned grey, and leaves a trace of how that
/// went: in `gallery.json`, or in the file that `OPVIZ_TRACE` names.
@main
@MainActor
struct Gallery {
    static func main() async throws {
        let program = try TracedProgram("gallery")
        let server = PictureServer()
        let list = ScrollingList(pictures: try await server.start(), recorder: program.recorder)
        let journey = Journey(list: list, server: server)

        await journey.run()
        let faults = try await journey.faults()
        await server.stop()

        if faults.isEmpty { print(list.account) }
        for fault in faults { print("wrong: \(fault)") }
        try program.end()
        if !faults.isEmpty { exit(1) }
    }
}

extension ScrollingList {
    /// A summary of the loads, and what is on the screen, if nothing went wrong.
    fileprivate var account: String {
        let (asked, shown, cancelled) = (
            journal.records.count, journal.shown.count, journal.cancelled.count
        )
        return """
            \(asked) pictures were asked for: \(shown) were shown, \(cancelled) cancelled
            \(journal.filtered.count) filters ran, none for a cell that was gone
            \(leftovers.count) cells and operations: all are gone but the \(cells.count) cells on the screen

            """ + visible.map { "row \($0)  \(cells[$0]?.content.description ?? "")" }.joined(separator: "\n")
    }
}
