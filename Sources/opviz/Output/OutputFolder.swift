import Foundation

/// The folder of an output.
enum OutputFolder {
    /// Creates the folder and its parents if needed. Returns false on failure, with the reason in `errno`.
    ///
    /// - Parameter path: empty for the current directory.
    static func make(_ path: String) -> Bool {
        if path.isEmpty || exists(path) || mkdir(path, 0o777) == 0 { return true }
        if errno == ENOENT, make(parent(of: path)), mkdir(path, 0o777) == 0 { return true }
        guard errno == EEXIST else { return false }
        // Another program may have created it just now.
        if exists(path) { return true }
        errno = ENOTDIR
        return false
    }

    /// The folder that a file or folder is in; empty for the current directory.
    ///
    /// The same as Foundation's `deletingLastPathComponent`, which traps on a name of one letter on Linux.
    static func parent(of path: String) -> String {
        func withoutSlashes(_ path: Substring) -> Substring {
            var path = path
            while path.count > 1, path.last == "/" { path.removeLast() }
            return path
        }
        let name = withoutSlashes(path[...])
        guard let slash = name.lastIndex(of: "/") else { return "" }
        return slash == name.startIndex ? "/" : String(withoutSlashes(name[..<slash]))
    }

    /// The folder that something will be written to: this one, or its nearest existing parent.
    static func nearest(_ path: String) -> String {
        var path = path
        while !path.isEmpty, access(path, F_OK) != 0, errno == ENOENT {
            path = parent(of: path)
        }
        return path.isEmpty ? "." : path
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
