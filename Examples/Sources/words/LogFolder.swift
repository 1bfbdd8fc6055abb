import Foundation
import GraphvizRendering
import Inspector

/// The folder that both processes write their logs into. `opviz merge logs/` does the same as `merge(into:)`.
struct LogFolder {
    /// With a `/` at its end.
    let path: String

    /// Creates it again, empty.
    init(_ name: String) throws {
        path = name + "/"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Merges the logs, draws the merged trace, and prints its summary.
    ///
    /// - Parameter name: the name of the merged trace, in JSON.
    func merge(into name: String) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { path + $0 }
        let merge = try TraceMerge(files.map { (path: $0, contents: try TraceReader(path: $0).events()) })
        for note in merge.notes { print("note: \(note)") }
        try Data(JSONLogEncoder.log(merge.contents)).write(to: URL(fileURLWithPath: name))
        let analysis = TraceAnalysis(Trace(merge.contents))
        let picture = (name as NSString).deletingPathExtension + ".svg"
        let svg = try GraphvizRenderer.render(dot: DOTGraph(DrawnGraph(analysis)).text, format: .svg)
        try Data(svg).write(to: URL(fileURLWithPath: picture))
        print("\n\(RunSummary(analysis).text())\ntrace    \(name)\npicture  \(picture)")
    }
}

extension JSONLogEncoder {
    fileprivate static func log(_ contents: EventLogContents) -> [UInt8] {
        var encoder = JSONLogEncoder(header: contents.header)
        for event in contents.events { encoder.encode(event) }
        return contents.header.jsonPrologue() + encoder.takeBytes() + epilogue
    }
}
