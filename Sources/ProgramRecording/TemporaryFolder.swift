import Foundation

/// A private folder for files that exist while the program runs.
package enum TemporaryFolder {
    /// - Parameter name: the beginning of its name.
    /// - Throws: `RecordingError` if it cannot be created.
    package static func make(_ name: String) throws -> String {
        let pattern = (ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp") + "/\(name)-XXXXXX"
        var path = Array(pattern.utf8CString)
        guard mkdtemp(&path) != nil else {
            throw RecordingError(
                .cannotCreate, "\(pattern): cannot be created: \(String(cString: strerror(errno)))")
        }
        return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
