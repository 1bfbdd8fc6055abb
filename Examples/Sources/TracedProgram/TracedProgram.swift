import Foundation
import GraphvizRendering
import Inspector
public import Ops

/// A program that records itself, and draws its trace.
public struct TracedProgram: Sendable {
    /// Where its operations go.
    public let recorder: Recorder
    private let path: String

    /// Begins to record: into `name.json`, or into the file that `OPVIZ_TRACE` names.
    public init(_ name: String) throws {
        recorder = .shared
        if !recorder.isRecording { try recorder.start(writingTo: "\(name).json") }
        path = recorder.path ?? "\(name).json"
    }

    /// Ends the log, draws a picture beside it, and prints a summary.
    public func end() throws {
        try recorder.stop()
        let trace = try TraceReader(path: path).read()
        for loss in trace.losses { print("note: \(loss)") }
        let analysis = TraceAnalysis(trace)
        let picture = (path as NSString).deletingPathExtension + ".svg"
        let svg = try GraphvizRenderer.render(dot: DOTGraph(DrawnGraph(analysis)).text, format: .svg)
        try Data(svg).write(to: URL(fileURLWithPath: picture))
        print("\n\(RunSummary(analysis).text())\ntrace    \(path)\npicture  \(picture)")
    }
}
