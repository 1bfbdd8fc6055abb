import EventLog
public import Foundation

/// The error of an operation whose body did not run because of a dependency.
///
/// Its description names the dependency and the reason: `decode failed: fetch was cancelled`. It uses an
/// operation's name, or its kind if it has no name.
public struct DependencyFailure: Error, Sendable, CustomStringConvertible {
    /// An open set: new codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value { case failed, cancelled, unfinished }
        let value: Value

        /// The dependency failed, with `underlyingError`.
        public static let failed = Code(value: .failed)
        /// The dependency was cancelled.
        public static let cancelled = Code(value: .cancelled)
        /// The dependency had not finished: somebody removed it from the dependencies, or called the
        /// dependent's `start()`.
        public static let unfinished = Code(value: .unfinished)
    }

    /// Use this to decide what to do: the description is for people.
    public let code: Code
    /// The name of the dependency, or its kind.
    public let dependency: String
    /// The error of the dependency, if it failed. It is a `DependencyFailure` if that operation failed
    /// because of another. In a long chain, errors in the middle are left out, and this may be the error of
    /// the first operation.
    public let underlyingError: (any Error)?

    /// How many errors are kept, each inside the next. Describing or freeing them recurses this deep.
    private static let deepest = 16
    /// How many errors are kept in this one, including itself.
    private let depth: Int
    /// How many there were, including those that are left out.
    private let length: Int
    /// The innermost error; nil if that is this one.
    private let first: (any Error)?

    public var description: String {
        switch (code.value, underlyingError) {
        case (.failed, let error?) where length > depth && depth == 2:
            "\(dependency) failed: \(Prose.grouped(length - 2)) more failed: \(error)"
        case (.failed, let error?): "\(dependency) failed: \(error)"
        case (.failed, nil): "\(dependency) failed"
        case (.cancelled, _): "\(dependency) was cancelled"
        case (.unfinished, _): "\(dependency) had not finished"
        }
    }
}

extension DependencyFailure: LocalizedError {
    public var errorDescription: String? { description }
}

extension DependencyFailure {
    /// Describes why `operation`, which finished with `error`, did not succeed.
    init(of operation: Operation, error: any Error) {
        let isCancellation = error is CancellationError
        code = isCancellation ? .cancelled : .failed
        dependency = operation.nameOrKind
        guard let next = error as? DependencyFailure else {
            underlyingError = isCancellation ? nil : error
            (depth, length, first) = (1, 1, nil)
            return
        }
        let isTooDeep = next.depth == Self.deepest
        first = next.first ?? next
        underlyingError = isTooDeep ? first : next
        depth = isTooDeep ? 2 : next.depth + 1
        length = next.length + 1
    }

    init(unfinished operation: Operation) {
        code = .unfinished
        dependency = operation.nameOrKind
        underlyingError = nil
        (depth, length, first) = (1, 1, nil)
    }

    /// Describes the first of `operations` that failed or was cancelled. Nil if all succeeded.
    init?(firstOf operations: [Operation]) {
        for operation in operations {
            guard let error = operation.shortfall else { continue }
            self.init(of: operation, error: error)
            return
        }
        return nil
    }
}

extension Operation {
    /// The name that messages use for it.
    var nameOrKind: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? operationKind(of: self) }

    /// The reason why a finished operation of any class did not succeed, as far as it reports one.
    var shortfall: (any Error)? {
        switch self {
        case let own as AsynchronousOperation: own.failureOrCancellation
        case let other as any ResultOperation: other.outputError
        default: isCancelled ? CancellationError() : nil
        }
    }
}
