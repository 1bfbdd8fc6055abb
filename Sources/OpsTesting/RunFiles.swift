import Foundation
import GraphvizRendering
import Inspector
import Synchronization
import Testing

/// The trace of a run and its pictures, kept for the analysis of a failure. They are written once, even if
/// several expectations fail.
final class RunFiles: Sendable {
    private let name: String
    private let analysis: TraceAnalysis
    /// Nil if the test was given the trace.
    private let log: [UInt8]?
    private let sentence = Mutex<String?>(nil)

    init(name: String, analysis: TraceAnalysis, log: [UInt8]?) {
        self.name = name
        self.analysis = analysis
        self.log = log
    }

    /// Attaches the files to the test, under Swift Testing, and writes them into a folder: the one in the
    /// environment variable `OPVIZ_ATTACHMENTS`, or one for temporary files.
    ///
    /// - Returns: where they are, to append to a sentence.
    func kept(at place: CallSite) -> String {
        sentence.withLock { sentence in
            if let sentence { return sentence }
            let files = contents
            if TestFailure.isSwiftTesting {
                for file in files {
                    Attachment.record(file.bytes, named: file.name, sourceLocation: place.sourceLocation)
                }
            }
            let kept = Self.write(files)
            sentence = kept
            return kept
        }
    }

    private var contents: [(name: String, bytes: [UInt8])] {
        let name = Self.fileName(name)
        var files: [(name: String, bytes: [UInt8])] = []
        if let log { files.append((name + ".json", log)) }
        files.append((name + "-timeline.svg", Array(TimelinePicture(analysis).svg.utf8)))
        // The picture of the graph requires Graphviz. Leave it out if it would take long.
        if let graph = try? DrawnGraph(analysis),
            let svg = try? GraphvizRenderer.render(dot: DOTGraph(graph).text, format: .svg)
        {
            files.append((name + ".svg", svg))
        }
        return files
    }

    private static func write(_ files: [(name: String, bytes: [UInt8])]) -> String {
        let parent =
            ProcessInfo.processInfo.environment["OPVIZ_ATTACHMENTS"].map { URL(filePath: $0) }
            ?? URL(filePath: NSTemporaryDirectory()).appending(path: "opviz-tests")
        let folder = parent.appending(path: UUID().uuidString)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for file in files { try Data(file.bytes).write(to: folder.appending(path: file.name)) }
        } catch {
            return "\n(the trace could not be kept: \(error.localizedDescription))"
        }
        return "\nthe trace and its pictures: \(folder.path)"
    }

    /// Replaces characters that some file systems do not allow in a file's name.
    private static func fileName(_ name: String) -> String {
        let allowed = name.prefix(60).map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "-" }
        return allowed.isEmpty ? "run" : String(allowed)
    }
}
