import Foundation

/// The name of a function as profiles show it, from its linked name.
enum FunctionName {
    /// Code that the compiler made to call a function in another way is named after that function.
    private static let callers = [
        "merged ", "dispatch thunk of ", "curry thunk of ", "protocol witness for ",
        "partial apply forwarder for ", "partial apply for ",
    ]

    static func text(linked: String) -> String {
        if linked.hasPrefix("_Z") { return cPlusPlus(linked) ?? linked }
        let isSwift = linked.hasPrefix("$s") || linked.hasPrefix("$S") || linked.hasPrefix("_T")
        guard isSwift, let demangled = ClosureName.demangled(linked) else { return linked }
        return text(demangled: demangled)
    }

    private typealias Demangler =
        @convention(c) @Sendable (
            UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?,
            UnsafeMutablePointer<CInt>?
        ) -> UnsafeMutablePointer<CChar>?

    /// Of the C++ runtime, if the program has it. This module does not link it, because it is also part of
    /// traced programs.
    private static let demangler = dlsym(dlopen(nil, RTLD_NOW), "__cxa_demangle").map {
        unsafeBitCast($0, to: Demangler.self)
    }

    /// `app::Tile::draw(int)`; nil for a name that is not one of C++.
    private static func cPlusPlus(_ linked: String) -> String? {
        guard let text = demangler?(linked, nil, nil, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    static func text(demangled: String) -> String {
        var text = demangled
        while let caller = callers.first(where: text.hasPrefix) { text.removeFirst(caller.count) }
        if let conformance = text.firstRange(of: " in conformance ") {
            text = String(text[..<conformance.lowerBound])
        }
        if let known = ClosureName(demangled: text) { return known.function }
        return text.contains("thunk ") ? "thunk" : text
    }

    /// The best of the names of one function: a public one without underscores, if there is one.
    static func best(_ linked: [String]) -> String? {
        linked.min {
            ($0.prefix { $0 == "_" }.count, $0.utf8.count, $0)
                < ($1.prefix { $0 == "_" }.count, $1.utf8.count, $1)
        }
    }
}
