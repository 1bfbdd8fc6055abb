public import Foundation

/// The error of an operation that was cancelled because it took too long.
public struct TimeoutFailure: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// How long the operation was allowed to take, from its start.
    public let limit: Duration

    public var description: String { "timed out after \(limit)" }

    public var errorDescription: String? { description }
}
