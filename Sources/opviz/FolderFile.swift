import Foundation

/// What is found in a folder of traces, where nobody named it.
enum FolderFile {
    /// Whether it is a file, or a link to one; what is anything else is warned of, such as a pipe, of which a
    /// reader waits for what nobody writes. What cannot be looked at counts as a file: who reads it says what
    /// is the matter.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return true }
        let what = status.st_mode & S_IFMT == S_IFDIR ? "is a directory, not a trace" : "is no regular file"
        Console.complain("warning: \(path): \(what); it is left out")
        return false
    }
}
