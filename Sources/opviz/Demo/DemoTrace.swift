import EventLog
import Foundation
import Inspector
import Ops
import ProgramRecording

/// Records a workload of opviz's own, in this process.
enum DemoTrace {
    /// - Parameter run: the workload.
    /// - Throws: `CommandError` if the log cannot be written.
    static func record(_ run: (Recorder) -> Void) throws -> EventLogContents {
        let folder = try TemporaryFolder.make("opviz-demo")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = folder + "/demo.optrace"
        // Not the shared one, which OPVIZ_TRACE starts.
        let recorder = Recorder()
        do {
            try recorder.start(writingTo: log)
            run(recorder)
            try recorder.stop()
        } catch {
            throw CommandError(.inputOutput, "\(error)")
        }
        return try TraceReader(path: log).events()
    }
}
