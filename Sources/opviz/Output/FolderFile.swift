import Foundation
import Inspector

/// Finds files in a folder of traces.
enum FolderFile {
    /// A hint for a missing file, with similar traces beside it: `; did you mean 'trace.json'?`. Empty
    /// without similar traces.
    static func hint(to path: String) -> String {
        let (name, folder) = (path as NSString, OutputFolder.parent(of: path))
        let beside = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
        let traces = (beside ?? []).filter { $0.hasSuffix(".json") || $0.hasSuffix(".optrace") }.sorted()
        // Extensions are ignored: in a short name, they would be most of the comparison.
        let stem = (name.lastPathComponent as NSString).deletingPathExtension
        func stems(_ names: [String]) -> [String] { names.map { ($0 as NSString).deletingPathExtension } }
        let same = traces.filter { stems([$0]) == [stem] }
        let near = NearestNames(to: stem, among: stems(traces), contained: false).names
        let meant = same.isEmpty ? traces.filter { near.contains(stems([$0])[0]) } : same
        return NearestNames(Array(meant.prefix(3))).question.map { "; \($0)" } ?? ""
    }

    /// Whether it is a file, or a link to one. Warns about anything else, such as a pipe, from which a reader
    /// would wait for ever. A path that cannot be examined counts as a file, so that the reader reports the
    /// error.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return true }
        let what =
            status.st_mode & S_IFMT == S_IFDIR ? "is a directory, not a trace" : "is not a regular file"
        Console.report("warning: \(path): \(what); it is left out")
        return false
    }
}
