/// Paths as logs and programs contain them, with `/`.
package enum FilePath {
    /// What follows the last `/`.
    package static func name(_ path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }
}
