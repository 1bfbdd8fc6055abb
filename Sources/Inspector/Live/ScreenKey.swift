/// A key of a terminal.
package enum ScreenKey: Hashable, Sendable {
    case character(UInt8)
    case up, down, pageUp, pageDown, first, last
    case enter, back

    /// Parses the bytes from a terminal. Ignores sequences of other keys, such as function keys.
    package static func keys(in bytes: [UInt8]) -> [ScreenKey] {
        let escape: UInt8 = 0x1B
        var keys: [ScreenKey] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case escape: if let key = sequence(&rest) { keys.append(key) }
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): keys.append(.enter)
            case 0x7F, 0x08: keys.append(.back)
            case UInt8(ascii: "j"): keys.append(.down)
            case UInt8(ascii: "k"): keys.append(.up)
            default: keys.append(.character(byte))
            }
        }
        return keys
    }

    /// What follows an escape: `[` and more up to a byte from `@` to `~`, or `O` and a letter. Otherwise it
    /// is the escape key itself, followed by another key.
    private static func sequence(_ rest: inout ArraySlice<UInt8>) -> ScreenKey? {
        guard let introducer = rest.first,
            introducer == UInt8(ascii: "[") || introducer == UInt8(ascii: "O")
        else { return .back }
        rest.removeFirst()
        let parameters = rest.prefix { !(0x40...0x7E).contains($0) }
        rest = rest.dropFirst(parameters.count)
        guard let last = rest.popFirst() else { return nil }
        switch (last, String(decoding: parameters, as: UTF8.self)) {
        case (UInt8(ascii: "A"), ""): return .up
        case (UInt8(ascii: "B"), ""): return .down
        case (UInt8(ascii: "D"), ""): return .back
        case (UInt8(ascii: "C"), ""): return .enter
        case (UInt8(ascii: "H"), ""), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): return .first
        case (UInt8(ascii: "F"), ""), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): return .last
        case (UInt8(ascii: "~"), "5"): return .pageUp
        case (UInt8(ascii: "~"), "6"): return .pageDown
        default: return nil
        }
    }
}
