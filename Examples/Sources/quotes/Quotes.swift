import Foundation
import Ops

/// Imports twenty pages of quotations at once, and leaves a trace of how that went: in `quotes.json`, or in the file
/// that `OPVIZ_TRACE` names.
@main
struct Quotes {
    private static let pages = 20

    static func main() async throws {
        let recorder = Recorder.shared
        if !recorder.isRecording { try recorder.start(writingTo: "quotes.json") }
        let path = recorder.path ?? "quotes.json"

        let server = try await QuoteServer.start()
        let store = try QuoteStore(path: "quotes.sqlite")
        let report = await QuoteImport(server: server, store: store, recorder: recorder).run(pages: pages)
        await server.stop()
        try recorder.stop()

        for failure in report.failures.sorted() { print(failure) }
        print("\(report.stored) quotes of \(pages) pages are in quotes.sqlite (\(try store.count()) in all)")
        print("the trace is in \(path)")
        if !report.failures.isEmpty { exit(1) }
    }
}
