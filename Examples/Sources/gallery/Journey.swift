import Foundation

/// Somebody scrolls through the list, from the top to row 11 and back to row 6.
@MainActor
struct Journey {
    static let lastRows = 6..<10
    static let missingRow = 9

    let list: ScrollingList
    let server: PictureServer

    /// Each step begins when what it disturbs is under way.
    func run() async {
        list.scroll(to: 0..<4)
        await list.settled()

        // The server stands still. There are three downloads at once: the fourth row waits for a slot.
        await server.hold(4..<12)
        for rows in [4..<8, 8..<12] {
            list.scroll(to: rows)
            for row in rows.dropLast() { await server.isAsked(for: row) }
        }

        // Back by two rows, and a picture changes while its former version is on the way.
        list.scroll(to: Self.lastRows)
        await server.change(8)
        list.reload(8)
        await server.lose(Self.missingRow)
        await server.release()
        await list.settled()
    }

    /// What is not as it should be, a sentence each.
    func faults() async throws -> [String] {
        try await Inspection(list: list, server: server)
            .faults(rows: Self.lastRows, missing: [Self.missingRow])
    }
}
