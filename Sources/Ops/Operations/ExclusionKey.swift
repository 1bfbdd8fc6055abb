/// Names what only one operation of the program may have at a time: a database, a device, a view that shows
/// alerts.
///
///     save.exclusionKeys = ["database"]
///     compact.exclusionKeys = ["database", "disk"]
///
/// Operations with a key in common never run their bodies at the same time, in whatever queues they are. An
/// operation asks for all its keys at once when it is started, so when everything that it depends on has
/// finished, and gets them all or stands in line, first come, first served; it lets go of them when it
/// finishes. Waiting, it has no key and blocks no thread, and it keeps its slot. So operations that are not
/// in groups cannot come to a deadlock by their keys, nor by keys and dependencies together.
///
/// **In groups.** A group that has a key has it for its children as well: a child that asks for it gets it
/// when no other child of that group has it, and goes before those that wait for the group. A child's request
/// that would wait for ever, because who has the key waits itself for what the child's group has, is refused
/// at once: the child fails with an `ExclusionFailure` that says so. Only keys are looked at: a child of a
/// group with a key may not depend on an operation outside that wants the key, and a body may not wait for
/// one that it adds to some queue. Finished by hand, a group lets go of its keys though its children may
/// still run.
public struct ExclusionKey: Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// Two keys of the same name are the same key, in the whole program.
    public let name: String

    /// The key of that name.
    public init(_ name: String) { self.name = name }

    public init(stringLiteral name: String) { self.name = name }

    public var description: String { name }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.name < rhs.name }
}

/// The error of an operation that would have waited for a key for ever.
public struct ExclusionFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it asked for.
    public let keys: [ExclusionKey]
    /// The name, or the kind, of what it would have waited for.
    public let holder: String

    public var description: String {
        let keys = keys.map(\.name).joined(separator: ", ")
        return
            "would wait forever for \(keys): \(holder) comes first, and is itself waiting for a key of this "
            + "operation's group"
    }
}
