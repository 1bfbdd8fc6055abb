import Foundation
import Inspector

/// What is found in a folder of traces, where nobody named it.
enum FolderFile {
    /// Of a file that is not there, the traces beside it that may have been meant: `; did you mean
    /// 'trace.json'?`. Empty where there are none.
    static func hint(to path: String) -> String {
        let (name, folder) = (path as NSString, (path as NSString).deletingLastPathComponent)
        let beside = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
        let traces = (beside ?? []).filter { $0.hasSuffix(".json") || $0.hasSuffix(".optrace") }.sorted()
        // The ending is compared apart: of a short name it is the most.
        let stem = (name.lastPathComponent as NSString).deletingPathExtension
        func stems(_ names: [String]) -> [String] { names.map { ($0 as NSString).deletingPathExtension } }
        let same = traces.filter { stems([$0]) == [stem] }
        let near = NearestNames(to: stem, among: stems(traces), contained: false).names
        let meant = same.isEmpty ? traces.filter { near.contains(stems([$0])[0]) } : same
        return NearestNames(Array(meant.prefix(3))).question.map { "; \($0)" } ?? ""
    }

    /// Whether it is a file, or a link to one; what is anything else is warned of, such as a pipe, of which a
    /// reader waits for what nobody writes. What cannot be looked at counts as a file: who reads it says what
    /// is the matter.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return true }
        let what =
            status.st_mode & S_IFMT == S_IFDIR ? "is a directory, not a trace" : "is not a regular file"
        Console.complain("warning: \(path): \(what); it is left out")
        return false
    }
}
