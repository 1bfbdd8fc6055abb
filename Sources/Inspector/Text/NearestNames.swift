/// Suggestions for a name that does not exist.
package struct NearestNames {
    /// The best first, each once: names that differ only in case; or else by the fewest letters; or else
    /// names that contain the text, or a part that is similar to it.
    package let names: [String]

    private static let most = 5
    /// A suggestion is there to be copied, so it is cut later than other names.
    private static let longestSuggestion = 100
    /// Only this many characters are compared, because names may be megabytes long.
    private static let comparedLength = 60

    /// Names that were found in another way.
    package init(_ names: [String]) { self.names = names }

    /// Cost: linear in the names.
    package init(to text: String, among candidates: some Sequence<String>) {
        self.init(to: text, among: candidates, contained: true)
    }

    /// Cost: linear in the names.
    ///
    /// - Parameter contained: whether a name that only contains the text counts as similar.
    package init(to text: String, among candidates: some Sequence<String>, contained: Bool) {
        let wanted = text.lowercased()
        let letters = Array(wanted.prefix(Self.comparedLength))
        var known: Set<String> = []
        var near: [String] = []
        var containing: [String] = []
        // The distance of the nearest names so far, at first the largest distance that counts as similar.
        var least = letters.count < 3 ? 0 : max(1, letters.count / 3)
        for candidate in candidates where candidate != text {
            let name = candidate.lowercased()
            if let distance = Self.distance(letters, name, most: least) {
                if distance < least { near = [] }
                least = distance
                if near.count < Self.most, known.insert(candidate).inserted { near.append(candidate) }
            } else if contained, near.isEmpty, containing.count < Self.most, letters.count > 1,
                name.contains(wanted) || Self.hasPart(letters, name), known.insert(candidate).inserted
            {
                containing.append(candidate)
            }
        }
        names = near.isEmpty ? containing : near
    }

    /// `did you mean 'Parse' or 'Pause'?`; nil if no name is similar.
    package var question: String? {
        guard let last = names.last else { return nil }
        let others = names.dropLast().map(Self.suggested).joined(separator: ", ")
        return "did you mean \(others.isEmpty ? "" : others + " or ")\(Self.suggested(last))?"
    }

    private static func suggested(_ name: String) -> String {
        "'\(TerminalText.shortened(name, toColumns: longestSuggestion))'"
    }

    /// A hint to append to an error about an unknown name: `; did you mean 'Parse'?`; or the existing names,
    /// as in `; the kinds are 'Decode' and 'Fetch'`. Empty without any names.
    package static func hint(
        to text: String, among candidates: some Sequence<String>, _ one: String, _ many: String
    ) -> String {
        var known: Set<String> = []
        let candidates = candidates.filter { known.insert($0).inserted }
        if let question = NearestNames(to: text, among: candidates).question { return "; \(question)" }
        guard candidates.count != 1 else { return "; the only \(one) is \(quoted(candidates[0]))" }
        return candidates.isEmpty
            ? "" : "; the \(many) are \(Prose.list(candidates.prefix(8).map(quoted), of: candidates.count))"
    }

    /// A name for a message: shortened, and safe for a terminal.
    package static func quoted(_ name: String) -> String {
        "'\(TerminalText.shortened(name))'"
    }

    /// Whether a word of the name, or its beginning, is similar to `wanted`.
    private static func hasPart(_ wanted: [Character], _ name: String) -> Bool {
        let compared = name.prefix(comparedLength)
        let parts = compared.split { $0 == " " || $0 == "-" } + [compared.prefix(wanted.count)]
        return parts.contains { distance(wanted, String($0), most: wanted.count / 4) != nil }
    }

    /// The number of letters to insert, remove, replace or swap with the next (optimal string alignment); nil
    /// if it is larger than `most`.
    private static func distance(_ first: [Character], _ name: String, most: Int) -> Int? {
        // Every character has at least one byte.
        guard name.utf8.count + most >= first.count else { return nil }
        let second = Array(name.prefix(comparedLength))
        guard abs(first.count - second.count) <= most else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, letter) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var cost = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1)
                cost = min(cost, current[column] + 1)
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            guard current.contains(where: { $0 <= most }) else { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[second.count] <= most ? last[second.count] : nil
    }
}
