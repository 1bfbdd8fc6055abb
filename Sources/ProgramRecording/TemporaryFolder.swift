import Foundation

/// A private folder for files that exist while the program runs.
package enum TemporaryFolder {
    /// The folder in which all of them are.
    package static var parent: String { ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp" }

    /// - Parameters:
    ///   - name: the beginning of its name.
    ///   - parent: the folder in which it is created.
    /// - Throws: `RecordingError` if it cannot be created.
    package static func make(_ name: String, in parent: String = parent) throws -> String {
        let pattern = "\(parent)/\(name)-XXXXXX"
        var path = Array(pattern.utf8CString)
        guard mkdtemp(&path) != nil else {
            throw RecordingError(
                .cannotCreate, "\(pattern): cannot be created: \(String(cString: strerror(errno)))")
        }
        return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
