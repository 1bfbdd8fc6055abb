import CRecordHost
import Foundation

/// The library that `opviz record` loads into programs.
enum RecordLibrary {
    /// The library's path: beside an installed opviz, or in the build folder.
    ///
    /// - Throws: `RecordingError` if it does not exist, or cannot be loaded into programs.
    static func find() throws -> String {
        guard let found = RecordLibraryPlaces.find(of: URL(fileURLWithPath: CommandLine.executablePath))
        else {
            throw RecordingError(
                .incomplete,
                "\(RecordLibraryPlaces.name), the recorder's library, is missing; build it with "
                    + "make record-library"
            )
        }
        // The loader treats spaces and colons as separators.
        guard !found.path.contains(where: { $0 == " " || $0 == ":" }) else {
            throw RecordingError(
                .incomplete,
                "\(found.path): the path of the recorder's library contains a space or a colon, which "
                    + "LD_PRELOAD does not allow")
        }
        guard version(of: found) == UInt32(RECORD_PROTOCOL_VERSION) else {
            throw RecordingError(
                .incomplete,
                "\(found.path): the recorder's library is of another version than opviz; install both again")
        }
        return found.path
    }

    /// The version of the protocol that it was built with; nil if it has no mark.
    private static func version(of library: URL) -> UInt32? {
        guard let bytes = try? Data(contentsOf: library, options: .mappedIfSafe) else { return nil }
        // `Data.range(of:)` would take 5 ms.
        return bytes.withUnsafeBytes { record_host_find_mark($0.baseAddress, $0.count)?.pointee.version }
    }
}

extension CommandLine {
    /// The path of this program.
    package static var executablePath: String {
        #if os(Linux)
            if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
                return path
            }
        #endif
        return Bundle.main.executablePath ?? arguments[0]
    }
}
