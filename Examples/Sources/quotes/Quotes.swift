import Foundation
import Ops
import TracedProgram

/// Imports twenty pages of quotations at once, and leaves a trace of how that went: in `quotes.json`, or in the file
/// that `OPVIZ_TRACE` names.
@main
struct Quotes {
    private static let pages = 20

    static func main() async throws {
        let program = try TracedProgram("quotes")
        let server = try await QuoteServer.start()
        let store = try QuoteStore(path: "quotes.sqlite")
        let report = await QuoteImport(server: server, store: store, recorder: program.recorder).run(
            pages: pages)
        await server.stop()

        for failure in report.failures.sorted() { print(failure) }
        print("\(report.stored) quotes of \(pages) pages are in quotes.sqlite (\(try store.count()) in all)")
        try program.end()
        if !report.failures.isEmpty { exit(1) }
    }
}
