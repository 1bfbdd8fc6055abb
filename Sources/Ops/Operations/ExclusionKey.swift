/// Names something that only one operation of the program may use at a time: a database, a device, a view
/// that shows alerts.
///
///     save.exclusionKeys = ["database"]
///     compact.exclusionKeys = ["database", "disk"]
///
/// Operations with a key in common never run their bodies at the same time, even in different queues. An
/// operation asks for all its keys at once when it is started, after all its dependencies have finished. It
/// gets all of them, or waits in line; first come, first served. It releases them when it finishes. While it
/// waits, it has no key and blocks no thread, but keeps its slot. So operations outside groups cannot
/// deadlock through their keys, nor through keys and dependencies together.
///
/// **In groups.** A group that has a key shares it with its children. A child that asks for it gets it when
/// no other child of that group has it, ahead of operations that wait for the group. A child's request can be
/// bound to wait for ever: the holder of the key waits itself for a key of the child's group. Such a request
/// is refused at once, and the child fails with an `ExclusionFailure`. This check covers only keys. So a
/// child of a group with a key must not depend on an operation outside that wants the key, and a body must
/// not wait for such an operation that it adds to a queue. A group that you finish by calling `finish()`
/// releases its keys, even if its children still run.
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
    /// The keys that it asked for.
    public let keys: [ExclusionKey]
    /// The name, or the kind, of the operation that it would have waited for.
    public let holder: String

    public var description: String {
        let keys = keys.map(\.name).joined(separator: ", ")
        return
            "would wait forever for \(keys): \(holder) comes first, and is itself waiting for a key of this "
            + "operation's group"
    }
}
