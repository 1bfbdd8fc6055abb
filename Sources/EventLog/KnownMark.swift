/// A mark that `Ops` writes itself, and that analyses understand.
package enum KnownMark: Hashable, Sendable {
    /// The operation executes, but waits until the operation of that name, which has the same exclusion key,
    /// has finished.
    case waitsForKey(String, holder: String)
    /// It executes although a dependency failed.
    case runsRegardless(failure: String)

    private static let keyBeginning = "waits for the key "
    private static let keyEnding = " comes first"
    private static let regardless = "runs regardless: "

    package var text: String {
        switch self {
        case .waitsForKey(let key, let holder): "\(Self.keyBeginning)\(key): \(holder)\(Self.keyEnding)"
        case .runsRegardless(let failure): Self.regardless + failure
        }
    }

    /// Nil for a mark of the program.
    package init?(_ text: String) {
        if text.hasPrefix(Self.regardless) {
            self = .runsRegardless(failure: String(text.dropFirst(Self.regardless.count)))
            return
        }
        guard text.hasPrefix(Self.keyBeginning), text.hasSuffix(Self.keyEnding),
            let colon = text.firstRange(of: ": "),
            colon.upperBound <= text.index(text.endIndex, offsetBy: -Self.keyEnding.count)
        else { return nil }
        let key = text[..<colon.lowerBound].dropFirst(Self.keyBeginning.count)
        let holder = text[colon.upperBound...].dropLast(Self.keyEnding.count)
        self = .waitsForKey(String(key), holder: String(holder))
    }
}
