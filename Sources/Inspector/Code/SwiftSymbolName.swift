import Foundation

/// What a person calls a function whose linked name is known.
enum SwiftSymbolName {
    /// `Loader.load(count:) #1 (app)`, of the mangled name of the first closure in that function of the module app. What says
    /// most comes first: names are shortened at their ends. Names that are not Swift's stay as they are.
    static func short(_ linked: String) -> String {
        guard let demangled = demangled(linked) else { return linked }
        return short(ofDemangled: demangled)
    }

    static func short(ofDemangled demangled: String) -> String {
        var text = demangled
        for prefix in ["partial apply forwarder for ", "partial apply for "] where text.hasPrefix(prefix) {
            text.removeFirst(prefix.count)
        }
        // `(load in _1F2E…)` is how a private name is told from others of the same name.
        text = text.replacing(/\(([^()]+) in _[0-9A-F]+\)/) { $0.output.1 }
        let parts = text.components(separatedBy: " in ").map(part)
        // From the inside to the outside: closures, and the function that they are written in.
        let numbers = parts.dropLast().reversed().map { $0.drop { $0 != "#" } }
        guard let function = parts.last, !numbers.isEmpty else { return parts.joined() }
        // In the main file, outside all functions.
        guard let dot = function.firstIndex(of: "."), function.contains("(") || function[dot...].count > 1
        else {
            return "closure " + numbers.joined(separator: " ") + " in " + function
        }
        let inModule = function[function.index(after: dot)...]
        return "\(inModule) \(numbers.joined(separator: " ")) (\(function[..<dot]))"
    }

    /// `closure #1 @Sendable () -> ()` is `closure #1`, and `static app.Loader.load<A>(count: Swift.Int) -> ()` is
    /// `app.Loader.load(count:)`.
    private static func part(_ text: String) -> String {
        if let closure = text.prefixMatch(of: /(implicit )?closure #\d+/) { return String(closure.output.0) }
        let words =
            ["static ", "class "].first(where: text.hasPrefix).map { text.dropFirst($0.count) } ?? text[...]
        // A property's parts: `app.Loader.value.getter : Swift.Int`.
        let signature = words.components(separatedBy: " : ")[0]
        var name = ""
        var labels = ""
        var (depth, generics) = (0, 0)
        var word = ""
        for (index, character) in zip(signature.indices, signature) {
            switch character {
            case "<" where depth == 0: generics += 1
            case ">" where depth == 0 && generics > 0: generics -= 1
            case _ where generics > 0: break
            case "(":
                depth += 1
                word = ""
            case ")":
                depth -= 1
                guard depth > 0 else { return name + "(" + labels + ")" }
            case ":" where depth == 1: labels += word + ":"
            case "," where depth == 1, " " where depth == 1: word = ""
            case _ where depth == 0: name.append(character)
            default: word.append(character)
            }
            if depth == 0 && signature[index...].hasPrefix(" ->") { break }
        }
        return name
    }

    private static func demangled(_ linked: String) -> String? {
        guard linked.hasPrefix("$s") || linked.hasPrefix("$S") || linked.hasPrefix("_T") else { return nil }
        let length = linked.utf8.count
        guard let text = swiftDemangle(linked, length, nil, nil, 0) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}

/// The Swift runtime's own demangler (stdlib/public/runtime/Demangle.cpp). What it returns is to be freed.
@_silgen_name("swift_demangle")
private func swiftDemangle(
    _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
