public import Foundation

/// What must hold before an operation's body runs.
///
///     upload.addCondition(Condition("online") { await network.isReachable })
///
/// The conditions of an operation are evaluated when everything that it depends on has finished and it has
/// its keys (`exclusionKeys`), in the order in which they were added, one after the other, in a task. No
/// thread is blocked meanwhile; the operation keeps its slot. The first that does not hold makes the
/// operation fail with a `ConditionFailure`, and its body does not run. Cancelling the operation cancels the
/// task.
public struct Condition: Sendable {
    /// What it says: it stands in the error.
    public let name: String
    let check: @Sendable () async throws -> Bool

    /// - Parameters:
    ///   - name: what must hold, in a few words.
    ///   - check: whether it does. An error that it throws makes the operation fail, as its being false does.
    public init(_ name: String, _ check: @escaping @Sendable () async throws -> Bool) {
        self.name = name
        self.check = check
    }

    /// Holds where this one does not. An error is an error all the same.
    public var negated: Condition {
        Condition("not \(name)") { [check] in try await !check() }
    }
}

/// The error of an operation whose body did not run, because of one of its conditions.
public struct ConditionFailure: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The condition's name.
    public let condition: String
    /// What evaluating it threw; nil where it did not hold.
    public let underlyingError: (any Error)?

    public var description: String {
        underlyingError.map { "the condition \(condition) could not be evaluated: \($0)" }
            ?? "the condition \(condition) does not hold"
    }

    public var errorDescription: String? { description }
}
