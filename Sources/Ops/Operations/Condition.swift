public import Foundation

/// What must hold before an operation's body runs.
///
///     upload.addCondition(Condition("online") { await network.isReachable })
///
/// The conditions are evaluated when all dependencies have finished and the operation has its keys
/// (`exclusionKeys`). They are evaluated one after the other in a task, in the order in which they were
/// added. No thread is blocked meanwhile; the operation keeps its slot. If a condition does not hold, the
/// operation fails with a `ConditionFailure`, and its body does not run. Cancelling the operation cancels the
/// task.
public struct Condition: Sendable {
    /// What must hold. The error contains it.
    public let name: String
    let check: @Sendable () async throws -> Bool

    /// - Parameters:
    ///   - name: what must hold, in a few words.
    ///   - check: returns whether the condition holds. If it throws, the operation fails as if it did not
    ///     hold.
    public init(_ name: String, _ check: @escaping @Sendable () async throws -> Bool) {
        self.name = name
        self.check = check
    }

    /// A condition that holds if this one does not. An error stays an error.
    public var negated: Condition {
        Condition("not \(name)") { [check] in try await !check() }
    }
}

/// The error of an operation whose body did not run because of one of its conditions.
public struct ConditionFailure: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The condition's name.
    public let condition: String
    /// The error that the evaluation threw; nil if the condition did not hold.
    public let underlyingError: (any Error)?

    public var description: String {
        underlyingError.map { "the condition \(condition) could not be evaluated: \($0)" }
            ?? "the condition \(condition) does not hold"
    }

    public var errorDescription: String? { description }
}
