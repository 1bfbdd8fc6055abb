import Foundation
import Ops
import TracedProgram

/// Imports twenty pages of quotations at once, then reads a few of them, and leaves a trace of how that went:
/// in `quotes.json`, or in the file that `OPVIZ_TRACE` names.
@main
struct Quotes {
    private static let pages = 1...20
    /// One of them is read twice at the same time.
    private static let read = [300, 500, 500]

    static func main() async throws {
        let program = try TracedProgram("quotes")
        let server = try await QuoteServer.start()
        let store = try QuoteStore(path: "quotes.sqlite")
        let client = QuoteClient(
            of: server.url, store: store, recorder: program.recorder, connectionCount: pages.count)

        // Where a program with a window would show what is new.
        let imported = client.importPages(pages) { page, result in
            guard case .success(let quotes) = result else { return }
            program.recorder.mark("page \(page) brought \(quotes.count) quotes")
        }
        let readings = try client.countReadings(of: read, after: imported) { id, result in
            guard case .success(let count) = result else { return }
            program.recorder.mark("quote \(id) was read \(count) times")
        }
        let report = try await imported.value
        for reading in readings { await reading.finished() }
        await server.stop()

        let stored = try store.allQuotes()
        let count = stored.reduce(0) { $0 + $1.readCount }
        print(
            "\(report.stored) quotes of \(pages.count) pages are in quotes.sqlite (\(stored.count) in all), "
                + "read \(count) times")
        try program.end()

        let failures =
            report.failures
            + readings.compactMap { reading in
                reading.failure.map { "\(reading.name ?? ""): \($0)" }
            }
        guard failures.isEmpty else { fail(failures.joined(separator: "\n")) }
        guard report.stored == pages.count * QuoteServer.quotesPerPage, count == read.count else {
            fail("the store has not what the server served")
        }
    }

    private static func fail(_ sentence: String) -> Never {
        print(sentence)
        exit(1)
    }
}
