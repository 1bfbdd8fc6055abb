/// The functions in which a suspended task awaits something, the innermost first: the place of a suspension
/// in a log. Without `--await-stacks`, only the innermost one is there.
///
/// In a log, each function is the location of its code, `path+0x1f@89ab`, in a line of its own; the path
/// and the build are left out where they are those of the line before.
package struct AwaitStack: Hashable, Sendable {
    /// How many functions a sentence names.
    private static let most = 5

    /// Without `withCheckedContinuation` and its like, and without code that has no name, such as what the
    /// compiler generates; unless there is nothing else: then as `closure at 0x1f in app`.
    package let functions: [String]

    /// - Parameter names: those that were learnt from ``codes(_:)``.
    package init(_ place: String, _ names: CodeNames) {
        let codes = Self.codes(place)
        var functions: [String] = []
        for code in codes {
            guard let name = names.name(of: code)?.kind ?? (CodeOrigin(code) == nil ? code : nil) else {
                continue
            }
            functions.append(name)
        }
        functions = Self.telling(functions)
        self.functions =
            functions.isEmpty ? codes.prefix(1).map { CodeOrigin($0)?.place ?? $0 } : functions
    }

    /// The functions that tell where a task is, of all those on its stack.
    package static func telling(_ functions: [String]) -> [String] {
        // The parts into which the compiler splits a function are frames of their own.
        let whole = functions.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        let own = whole.filter { !isOfLibrary($0) }
        return own.isEmpty ? whole : own
    }

    /// Whether it is the library's own way to wait, a copy of which is in programs that are not optimized.
    private static func isOfLibrary(_ function: String) -> Bool {
        [
            "withUnsafeContinuation(", "withUnsafeThrowingContinuation(", "withCheckedContinuation(",
            "withCheckedThrowingContinuation(",
        ].contains { function.hasPrefix($0) }
    }

    /// As in a log whose places have been named.
    package var text: String { functions.joined(separator: "\n") }

    /// The first few, and an ellipsis if there are more.
    package var shown: [String] { Self.shown(functions) }

    package static func shown(_ functions: [String]) -> [String] {
        functions.count > most ? functions.prefix(most) + ["…"] : functions
    }

    package static func isStack(_ place: String) -> Bool { place.utf8.contains(UInt8(ascii: "\n")) }

    /// The locations of the code, each with its path. Linear.
    package static func codes(_ place: String) -> [String] {
        var (path, build): (Substring, Substring) = ("", "")
        return place.split(separator: "\n").map { line in
            guard line.hasPrefix("+0x"), !path.isEmpty else {
                if let plus = line.lastIndex(of: "+") {
                    path = line[..<plus]
                    build = line[plus...].firstIndex(of: "@").map { line[$0...] } ?? ""
                }
                return String(line)
            }
            return String(path + line + build)
        }
    }
}
