import Foundation
import Ops
import TracedProgram

/// Downloads files in all the ways that operations can, and leaves a trace of how that went: in
/// `downloads.json`, or in the file that `OPVIZ_TRACE` names.
@main
struct Downloads {
    static func main() async throws {
        let program = try TracedProgram("downloads")
        let server = FileServer(SampleFiles.all)
        let depot = try Depot(server: server, files: try await server.start(), recorder: program.recorder)

        let fault = await depot.fault()
        try depot.remove()
        await server.stop()

        if let fault { print("wrong: \(fault)") }
        try program.end()
        if fault != nil { exit(1) }
    }
}

extension Depot {
    /// Runs every example. Returns what went wrong; nil if nothing did.
    func fault() async -> (any Error)? {
        do {
            try await downloadInOrder()
            let atlas = try await downloadByQualityOfService()
            try await goOn(with: atlas)
            try await join()
            return nil
        } catch {
            return error
        }
    }
}
