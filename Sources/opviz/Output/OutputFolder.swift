import Foundation

/// The folder of an output.
enum OutputFolder {
    /// Creates the folder and its parents if needed. Returns false on failure, with the reason in `errno`.
    ///
    /// - Parameter path: empty for the current directory.
    static func make(_ path: String) -> Bool {
        if path.isEmpty || exists(path) || mkdir(path, 0o777) == 0 { return true }
        if errno == ENOENT, make((path as NSString).deletingLastPathComponent), mkdir(path, 0o777) == 0 {
            return true
        }
        guard errno == EEXIST else { return false }
        // Another program may have created it just now.
        if exists(path) { return true }
        errno = ENOTDIR
        return false
    }

    /// The folder that something will be written to: this one, or its nearest existing parent.
    static func nearest(_ path: String) -> String {
        var path = path
        while !path.isEmpty, access(path, F_OK) != 0, errno == ENOENT {
            path = (path as NSString).deletingLastPathComponent
        }
        return path.isEmpty ? "." : path
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
