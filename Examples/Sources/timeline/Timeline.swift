import Foundation
import Ops
import TracedProgram

/// Fetches timelines with a token that has to be refreshed first, marks posts as read, and asks for hundreds
/// of small things at once; and leaves a trace of how that went: in `timeline.json`, or in the file that
/// `OPVIZ_TRACE` names.
@main
struct Timeline {
    static func main() async throws {
        let program = try TracedProgram("timeline")
        let server = try await TimelineServer.start(
            timelines: ["home": 1...8, "mentions": 101...105], faults: ["/timelines/search": .neverAnswers])
        let store = try PostStore(path: "timeline.sqlite")
        try store.removeAll()

        let story = await Story(server, store, program.recorder)
        var faults = await story.tell()
        try program.end()
        faults += try await ManyRequests(server).measure(count: 200)
        await server.stop()

        for fault in faults { print("wrong: \(fault)") }
        if !faults.isEmpty { exit(1) }
    }
}
