import Foundation

/// The library that `opviz record` loads into programs.
enum RecordLibrary {
    /// The library's path: beside an installed opviz, or in the build folder.
    ///
    /// - Throws: `CommandError` if it does not exist, or cannot be loaded into programs.
    static func find() throws -> String {
        let name = "libopviz-record.so"
        var folder = URL(fileURLWithPath: CommandLine.executablePath).deletingLastPathComponent()
        var candidates = [
            folder.deletingLastPathComponent().appendingPathComponent("lib/opviz/\(name)"),
            folder.appendingPathComponent(name),
        ]
        for _ in 0..<3 {
            folder.deleteLastPathComponent()
            candidates.append(folder.appendingPathComponent(name))
        }
        guard let found = candidates.first(where: { access($0.path, R_OK) == 0 }) else {
            throw CommandError(
                .software,
                "\(name), the recorder's library, is missing; build it with make record-library"
            )
        }
        // The loader treats spaces and colons as separators.
        guard !found.path.contains(where: { $0 == " " || $0 == ":" }) else {
            throw CommandError(
                .software,
                "\(found.path): the path of the recorder's library contains a space or a colon, which "
                    + "LD_PRELOAD does not allow")
        }
        return found.path
    }
}

extension CommandLine {
    /// The path of this program.
    static var executablePath: String {
        #if os(Linux)
            if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
                return path
            }
        #endif
        return Bundle.main.executablePath ?? arguments[0]
    }
}
