import Foundation

/// The folder that an output is written into.
enum OutputFolder {
    /// Makes it, and those that it is in, where they are not there. False where that fails, and `errno` says
    /// why.
    ///
    /// - Parameter path: empty for the current folder.
    static func make(_ path: String) -> Bool {
        if path.isEmpty || exists(path) || mkdir(path, 0o777) == 0 { return true }
        if errno == ENOENT, make((path as NSString).deletingLastPathComponent), mkdir(path, 0o777) == 0 {
            return true
        }
        guard errno == EEXIST else { return false }
        // Another program may have made it just now.
        if exists(path) { return true }
        errno = ENOTDIR
        return false
    }

    /// That folder, or the nearest above it that is there: into which something will be written.
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
