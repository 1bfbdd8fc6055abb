import Inspector

/// What the parser says of a value that an option does not have lists those that it has; the nearest of them
/// is added here, in front of the list.
enum OptionValues {
    /// - Parameter message: the parser's, with all that it says of usage.
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

    /// `'a', 'b' or 'c'.`, or a line for each, as `  - a`.
    private static func values(in list: Substring) -> [String] {
        let lines = list.split(separator: "\n").filter { $0.hasPrefix("  - ") }
        if !lines.isEmpty { return lines.map { String($0.dropFirst(4)) } }
        let quoted = list.prefix { $0 != "\n" }.split(separator: "'", omittingEmptySubsequences: false)
        return quoted.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
