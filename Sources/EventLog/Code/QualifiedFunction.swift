/// A function's readable name from demangled text: `static app.Loader.load<A>(count: Swift.Int) -> ()` is
/// `Loader.load(count:)` in the module app.
struct QualifiedFunction {
    let module: String
    /// Without the module.
    let name: String
    /// What comes before it in the text: `outlined copy of `. Empty for an ordinary function.
    let role: String

    /// Nil if the text is only a module.
    init?(_ demangled: Substring) {
        var text = demangled
        var extending: Substring?
        if let start = text.firstRange(of: "(extension in "), !text[..<start.lowerBound].contains("."),
            let end = text[start.upperBound...].firstIndex(of: ")")
        {
            extending = text[start.upperBound..<end]
            text = text[end...].dropFirst().drop { $0 == ":" }
        }
        guard let dot = text.firstIndex(of: ".") else { return nil }
        // Prefixes such as `static` or `default argument 0 of` may come before it.
        let own = text[..<dot].lastIndex(of: " ").map { text[text.index(after: $0)..<dot] } ?? text[..<dot]
        guard !own.isEmpty else { return nil }
        let prefix = text[..<own.startIndex]
        let isOrdinary = prefix == "static " || prefix.contains { "(<".contains($0) }
        role = isOrdinary ? "" : String(prefix)
        module = String(extending ?? own)
        name = Self.named(text[text.index(after: dot)...])
    }

    /// `step(n:)` from `step #1 (n: Swift.Int) -> ()`. The ordinal distinguishes functions with the same name
    /// inside another function.
    static func localName(_ demangled: Substring) -> String {
        guard let hash = demangled.firstIndex(of: "#"), hash != demangled.startIndex else {
            return named(demangled)
        }
        let afterOrdinal = demangled[hash...].drop { $0 != " " }.dropFirst()
        return named(demangled[..<hash].dropLast() + afterOrdinal)
    }

    /// Without generic parameters, types, effects and result.
    private static func named(_ signature: Substring) -> String {
        var name = ""
        var generics = 0
        var index = signature.startIndex
        while index < signature.endIndex {
            let character = signature[index]
            let rest = signature[index...]
            // `(load in _1F2E…)` distinguishes a private name from others with the same name.
            if generics == 0, character == "(", let own = privateName(rest) {
                name += own.name
                index = own.end
                continue
            }
            switch character {
            // An operator does not begin generic parameters, which follow a name.
            case "<" where name.last.map(isPartOfName) == true: generics += 1
            case "<" where generics > 0: generics += 1
            case ">" where generics > 0 && !name.isEmpty && !precedes(index, "-", signature): generics -= 1
            case _ where generics > 0: break
            case "(":
                let isOperator =
                    name.hasSuffix(" infix") || name.hasSuffix(" prefix") || name.hasSuffix(" postfix")
                let own =
                    isOperator ? String(name[..<(name.lastIndex(of: " ") ?? name.endIndex)]) : written(name)
                return own + labels(rest)
            // A property, or the end of a name without parameters.
            case " " where rest.hasPrefix(" : ") || rest.hasPrefix(" ->"): return written(name)
            default: name.append(character)
            }
            index = signature.index(after: index)
        }
        return written(name)
    }

    private static func written(_ name: String) -> String {
        var name = name
        for (made, word) in [("__allocating_init", "init"), ("__deallocating_deinit", "deinit")]
        where name.hasSuffix(made) {
            name = name.dropLast(made.count) + word
        }
        return name
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private static func precedes(_ index: Substring.Index, _ character: Character, _ text: Substring) -> Bool
    {
        index > text.startIndex && text[text.index(before: index)] == character
    }

    private static func privateName(_ text: Substring) -> (name: Substring, end: Substring.Index)? {
        guard let close = text.firstIndex(of: ")") else { return nil }
        let inside = text[..<close].dropFirst()
        guard let mark = inside.firstRange(of: " in _"), !inside[..<mark.lowerBound].contains("(") else {
            return nil
        }
        return (inside[..<mark.lowerBound], text.index(after: close))
    }

    /// `(count:)` from `(count: Swift.Int) -> ()`, and `(_:)` from `(Swift.Int) -> ()`.
    private static func labels(_ parameters: Substring) -> String {
        var labels = ""
        var (depth, hasText) = (0, false)
        var label: Substring?
        var start = parameters.startIndex
        func end() { if hasText { labels += (label ?? "_") + ":" } }
        for index in parameters.indices {
            let character = parameters[index]
            switch character {
            case "(", "[":
                if depth > 0 { hasText = true }
                depth += 1
                if depth == 1 { start = parameters.index(after: index) }
            case ")", "]":
                depth -= 1
                if depth == 0 {
                    end()
                    return "(\(labels))"
                }
            case "," where depth == 1:
                end()
                (label, hasText) = (nil, false)
                start = parameters.index(after: index)
            case ":" where depth == 1 && label == nil:
                let word = parameters[start..<index].drop { $0 == " " }
                // A label is a single word. If several words come before the colon, they are a type.
                if !word.contains(" ") { label = word }
            case " ": break
            default: hasText = true
            }
        }
        return "(\(labels))"
    }
}
