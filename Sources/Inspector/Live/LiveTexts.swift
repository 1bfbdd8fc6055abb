import EventLog

/// The texts of a running program's log by number, and the names of closures and functions. The number of
/// such a name is derived from the number of the text with its code's location, and differs from those of
/// all texts.
final class LiveTexts {
    // The number of a text has 28 bits.
    private static let kind: UInt32 = 1 << 31
    private static let name: UInt32 = 1 << 30
    private static let function: UInt32 = 1 << 29
    private static let origin: UInt32 = (1 << 28) - 1

    private var names = CodeNames()
    private var learned: Set<UInt32> = []

    static func kind(ofClosure origin: UInt32) -> UInt32 { origin & Self.origin | kind }

    static func name(ofClosure origin: UInt32) -> UInt32 { origin & Self.origin | name }

    /// The name of the function of a task, or of one in which it is suspended.
    static func function(_ code: UInt32) -> UInt32 { code & Self.origin | function }

    /// The number of the text itself.
    static func plain(_ number: UInt32) -> UInt32 { number & Self.origin }

    /// Of a closure, a task or an await stack.
    private static func codes(_ text: String) -> [String] {
        AwaitStack.isStack(text) ? AwaitStack.codes(text) : CodeNames.codes(ofTask: text)
    }

    static func isClosure(kind: UInt32) -> Bool { kind & Self.kind != 0 }

    /// - Parameter origins: the origins of all closures so far: each file is read once for all of its
    ///   closures.
    func text(_ number: UInt32, _ follower: LogFollower, origins: Set<UInt32>) -> String {
        guard number & (Self.kind | Self.name | Self.function) != 0 else { return follower.text(number) }
        let origin = number & Self.origin
        if learned.insert(origin).inserted {
            learned.formUnion(origins)
            names.learn((origins.map(follower.text) + [follower.text(origin)]).flatMap(Self.codes))
        }
        if number & Self.function != 0 {
            let codes = follower.text(origin)
            if AwaitStack.isStack(codes) { return AwaitStack(codes, names).text }
            return names.kind(ofTask: codes) ?? codes
        }
        let closure = names.name(of: follower.text(origin))
        return number & Self.kind != 0 ? closure?.kind ?? ClosureName.unknownKind : closure?.name ?? ""
    }
}
