import Foundation

/// Finds the names of closures in the files that contain their code.
///
/// A file is used only if it has the build ID in the log, so that it is the file that ran.
package struct CodeNames {
    /// The name for each origin; nil if it is not known.
    private var names: [String: ClosureName?] = [:]

    /// The files with closures whose names are unknown because the file was stripped.
    package private(set) var strippedFiles: Set<String> = []

    package init() {}

    /// Reads each file once for all closures in it.
    package mutating func learn(_ origins: some Sequence<String>) {
        var byFile: [String: [(text: String, origin: CodeOrigin)]] = [:]
        for text in origins where names[text] == nil {
            names[text] = .some(nil)
            guard let origin = CodeOrigin(text), let buildID = origin.buildID, !buildID.isEmpty else {
                continue
            }
            byFile[origin.path + "\0" + buildID, default: []].append((text, origin))
        }
        for closures in byFile.values {
            guard let origin = closures.first?.origin, let file = ELFFile(path: origin.path),
                file.buildID == origin.buildID, let symbols = ELFSymbols(file)
            else { continue }
            let linked = symbols.names(at: closures.map(\.origin.address))
            for closure in closures {
                names[closure.text] = .some(Self.name(linked[closure.origin.address] ?? []))
                if symbols.isStripped, name(of: closure.text) == nil { strippedFiles.insert(origin.path) }
            }
        }
    }

    /// The locations of the code of a task: of the function that it was created with; and, after `>`, of a
    /// closure that this captured.
    package static func codes(ofTask kind: String) -> [String] {
        kind.split(separator: ">", omittingEmptySubsequences: true).map(String.init)
    }

    /// The first of the task's functions that is not generated code; nil if none is known. Call `learn`
    /// first.
    package func name(ofTask kind: String) -> ClosureName? {
        Self.codes(ofTask: kind).lazy.compactMap { name(of: $0) }.first
    }

    /// The task's function, or where the last of its locations is if that is not known. Nil without a
    /// location. Call `learn` first.
    package func kind(ofTask kind: String) -> String? {
        name(ofTask: kind)?.kind ?? Self.codes(ofTask: kind).last.map { CodeOrigin($0)?.place ?? $0 }
    }

    /// Nil if it is not known; call `learn` first.
    package func name(of origin: String) -> ClosureName? { names[origin] ?? nil }

    /// The name for all functions at that address: the linker may have merged identical functions.
    private static func name(_ linked: [String]) -> ClosureName? {
        let found = linked.map { ClosureName(linked: $0) }
        guard let first = found.first, found.allSatisfy({ $0?.kind == first?.kind }) else { return nil }
        return first
    }
}
