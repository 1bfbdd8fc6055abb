import ArgumentParser

/// A property of a run that is not in its trace, such as `version=1.4.2`.
struct RunLabel: ExpressibleByArgument {
    let name: String
    let value: String

    /// Nil if the name is missing, or has characters other than letters, digits, `_`, `-` and `.`.
    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "=") else { return nil }
        name = String(argument[..<sign])
        value = String(argument[argument.index(after: sign)...])
        let isName = name.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
                    || "_-.".unicodeScalars.contains($0))
        }
        guard isName, !name.isEmpty else { return nil }
    }

    /// - Throws: `CommandError` if a name occurs twice.
    static func byName(_ labels: [RunLabel]) throws -> [String: String] {
        var values: [String: String] = [:]
        for label in labels where values.updateValue(label.value, forKey: label.name) != nil {
            throw CommandError(.usage, "--label: \(label.name) is given twice")
        }
        return values
    }
}
