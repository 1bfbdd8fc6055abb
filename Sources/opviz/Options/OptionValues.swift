import Inspector

/// Adds the nearest valid value to the parser's message about an invalid value of an option. The parser lists
/// all valid values; the nearest one is put in front.
enum OptionValues {
    /// - Parameter message: the parser's message, including usage.
    static func likened(_ message: String) -> String {
        let (opening, middle) = ("Error: The value '", "' is invalid for '")
        guard message.hasPrefix(opening), let end = message.firstRange(of: middle),
            let list = message.firstRange(of: ". Please provide one of ")
        else { return message }
        let value = String(
            message[message.index(message.startIndex, offsetBy: opening.count)..<end.lowerBound])
        let names = values(in: message[list.upperBound...])
        guard let question = NearestNames(to: value, among: names).question else { return message }
        return message[..<list.lowerBound] + "; \(question)" + message[list.lowerBound...].dropFirst()
    }

    /// Values in the form `'a', 'b' or 'c'.`, or one per line as `  - a`.
    private static func values(in list: Substring) -> [String] {
        let lines = list.split(separator: "\n").filter { $0.hasPrefix("  - ") }
        if !lines.isEmpty { return lines.map { String($0.dropFirst(4)) } }
        let quoted = list.prefix { $0 != "\n" }.split(separator: "'", omittingEmptySubsequences: false)
        return quoted.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
