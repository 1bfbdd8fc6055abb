import Foundation

/// The name of a closure whose code has a known linked name.
package struct ClosureName: Hashable, Sendable {
    /// The kind of operations whose closure is not known.
    package static let unknownKind = "BlockOperation"

    /// The function that contains it, `Loader.load(count:)`. Without an ordinal, which could change with the
    /// next edit of that function.
    package let kind: String
    /// The kind, the closure's ordinal in the function, and its module: `Loader.load(count:) #1 (app)`. The
    /// most important part comes first, because names are shortened at their ends.
    package let name: String
    /// The kind and the ordinal, without the module. It says what is special about generated code, as in
    /// `outlined copy of Tile`.
    let function: String

    private init(name: String) {
        kind = name
        self.name = name
        function = name
    }

    /// Parses a symbol's name. Nil for generated code: a thunk, or a function that the compiler merged from
    /// several.
    package init?(linked: String) {
        guard linked != Self.asyncMain else {
            self.init(name: Self.main)
            return
        }
        guard linked.hasPrefix("$s") || linked.hasPrefix("$S") || linked.hasPrefix("_T") else {
            // Names that are not Swift's stay as they are.
            self.init(name: linked)
            return
        }
        guard let demangled = Self.demangled(linked) else { return nil }
        self.init(demangled: demangled)
    }

    /// Nil for a name that is not Swift's.
    static func demangled(_ linked: String) -> String? {
        guard let text = swiftDemangle(linked, linked.utf8.count, nil, nil, 0) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    package init?(demangled: String) {
        // In optimized code, the thunk that the main task begins with is made for it alone.
        if demangled.hasPrefix(Self.mainThunk) {
            self = ClosureName(name: Self.main)
            return
        }
        guard let code = Self.withoutPrefixes(demangled) else { return nil }
        // From the inside to the outside: closures and local functions, and the function that contains them.
        let parts = Self.parts(of: code)
        let ordinals = parts.dropLast().filter { $0.hasClosurePrefix }.map(\.ordinal).reversed()
        let suffix = ordinals.isEmpty ? "" : " " + ordinals.joined(separator: " ")
        guard let function = parts.last.flatMap({ QualifiedFunction($0) }) else {
            guard let module = parts.last, parts.count > 1 else { return nil }
            // In the main file, outside of all functions.
            kind = "top level of \(module)"
            name = kind + suffix
            function = name
            return
        }
        let local = parts.dropLast().filter { !$0.hasClosurePrefix }.map(QualifiedFunction.localName)
        kind = (local + [function.name]).joined(separator: " in ")
        name = "\(kind)\(suffix) (\(function.module))"
        self.function = function.role + kind + suffix
    }

    /// Whether the name of an operation of that kind comes from its closure, so that the operation has no
    /// name of its own.
    package static func isGiven(name: some StringProtocol, kind: String) -> Bool {
        guard name.hasPrefix(kind) else {
            return kind == unknownKind && name.hasPrefix(CodeOrigin.placePrefix)
        }
        let rest = name.dropFirst(kind.count)
        return rest.hasPrefix(" #") || rest.hasPrefix(" (")
    }

    // MARK: Demangled text

    /// The function that the compiler makes for a program whose main function is asynchronous.
    private static let asyncMain = "async_Main"
    private static let mainThunk =
        "function signature specialization <Arg[1] = [Constant Propagated Function : \(asyncMain)]> of "
    package static let main = "async main"
    /// The part of an async function after a suspension: a function of its own in the binary.
    private static var partOfAsync: Regex<Substring> {
        #/\(\d+\) (?:suspend|await) resume partial function for /#
    }
    private static let forwarders = ["partial apply forwarder for ", "partial apply for "]
    private static let specializations = ["generic ", "function signature specialization "]
    /// Code for more than one function, or for none in the source.
    private static let foreign = [
        "merged ", "reabstraction thunk ", "dispatch thunk of ", "protocol witness for ", "curry thunk of ",
        "thunk for ", "(",
    ]

    private static func withoutPrefixes(_ demangled: String) -> Substring? {
        var text = demangled[...]
        while true {
            if let part = text.prefixMatch(of: partOfAsync) { text = text[part.range.upperBound...] }
            if foreign.contains(where: text.hasPrefix), !text.hasPrefix("(extension in ") { return nil }
            if let forwarder = forwarders.first(where: text.hasPrefix) {
                text = text.dropFirst(forwarder.count)
            } else if specializations.contains(where: text.hasPrefix) {
                guard let end = text.firstOutsideBrackets("> of ") else { return nil }
                text = text[end.upperBound...]
            } else {
                return text
            }
        }
    }

    private static func parts(of code: Substring) -> [Substring] {
        var parts: [Substring] = []
        var rest = code
        while let separator = rest.firstOutsideBrackets(" in ") {
            parts.append(rest[..<separator.lowerBound])
            rest = rest[separator.upperBound...]
        }
        return parts + [rest]
    }
}

extension Substring {
    fileprivate var hasClosurePrefix: Bool { hasPrefix("closure #") || hasPrefix("implicit closure #") }

    /// `#1` of `closure #1 () -> ()`.
    fileprivate var ordinal: Substring { drop { $0 != "#" }.prefix { $0 != " " } }

    /// The first occurrence of `wanted` outside of parentheses and square brackets.
    fileprivate func firstOutsideBrackets(_ wanted: String) -> Range<Index>? {
        let (bytes, wanted) = (utf8, wanted.utf8)
        guard let first = wanted.first else { return nil }
        var depth = 0
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case first where depth == 0 && bytes[index...].starts(with: wanted):
                return index..<bytes.index(index, offsetBy: wanted.count)
            default: break
            }
            index = bytes.index(after: index)
        }
        return nil
    }
}

/// The Swift runtime's own demangler (stdlib/public/runtime/Demangle.cpp). The caller must free the result.
@_silgen_name("swift_demangle")
private func swiftDemangle(
    _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
