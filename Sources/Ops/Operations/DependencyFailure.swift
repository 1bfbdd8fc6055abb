import EventLog
public import Foundation

/// The error of an operation whose body did not run, because of one that it depends on.
///
/// Its description says which, and why: `decode failed: fetch was cancelled`. An operation is named by its
/// name, or without one, by its kind.
public struct DependencyFailure: Error, Sendable, CustomStringConvertible {
    /// An open set: new codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value { case failed, cancelled, unfinished }
        let value: Value

        /// The dependency failed, with `underlyingError`.
        public static let failed = Code(value: .failed)
        /// The dependency was cancelled.
        public static let cancelled = Code(value: .cancelled)
        /// The dependency had not finished: somebody removed it from the dependencies, or started the
        /// dependent by hand.
        public static let unfinished = Code(value: .unfinished)
    }

    /// What to decide by: the description is for people.
    public let code: Code
    /// The name of the dependency, or its kind.
    public let dependency: String
    /// What the dependency failed with, where it did: a `DependencyFailure` when it was not the first to
    /// fail. Where many failed one after the other, errors in the middle are left out, and this may be that
    /// of the first.
    public let underlyingError: (any Error)?

    /// How many are kept, each within the next: describing or freeing them recurses this deep.
    private static let deepest = 16
    /// How many are kept within this one, and itself.
    private let depth: Int
    /// How many there were, those that are left out included.
    private let length: Int
    /// The innermost; nil where that is this one.
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
    /// What is wrong with `operation`, which finished with `error`.
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

    /// What is wrong with the first of `operations` that failed or was cancelled. Nil where none did.
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
    /// What sentences about it call it.
    var nameOrKind: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? operationKind(of: self) }

    /// What kept a finished operation of any class from succeeding, as far as it says so.
    var shortfall: (any Error)? {
        switch self {
        case let own as AsynchronousOperation: own.failureOrCancellation
        case let other as any ResultOperation: other.outputError
        default: isCancelled ? CancellationError() : nil
        }
    }
}
