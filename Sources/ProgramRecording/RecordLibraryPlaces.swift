import Foundation

/// Where opviz looks for the library that `opviz record` loads into programs. The plugin has a link to this
/// file, because plugins cannot depend on libraries.
enum RecordLibraryPlaces {
    static let name = "libopviz-record.so"

    /// The library's possible paths, in this order: of an installed opviz, then of one in a build folder.
    ///
    /// - Parameter program: the file of opviz, not a link to it.
    static func candidates(of program: URL) -> [URL] {
        var folder = program.deletingLastPathComponent()
        var candidates = [
            folder.deletingLastPathComponent().appendingPathComponent("lib/opviz/\(name)"),
            folder.appendingPathComponent(name),
        ]
        for _ in 0..<3 {
            folder.deleteLastPathComponent()
            candidates.append(folder.appendingPathComponent(name))
        }
        return candidates
    }

    /// The first of them that can be read.
    static func find(of program: URL) -> URL? {
        candidates(of: program).first { access($0.path, R_OK) == 0 }
    }
}
