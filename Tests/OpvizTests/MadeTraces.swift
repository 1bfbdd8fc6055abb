import Foundation
import Testing

extension Folder {
    /// A trace of that shape and number of operations, made by a script of the benchmarks. Needs Python.
    func makeTrace(_ shape: String, _ count: Int, to name: String, isStuck: Bool = false) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Benchmarks/make-trace.py").path
        let made = try ProgramRun(
            ["python3", script, shape, "\(count)", path(name)] + (isStuck ? ["stuck"] : []))
        try #require(made.status == 0, "\(made.error)")
    }
}
