import EventLog
public import Foundation

extension GroupOperation {
    /// What happens to the other children when one fails, or is cancelled while the group is not.
    public enum FailurePolicy: Sendable {
        /// The others are cancelled, including children that are added later, before any dependent of the
        /// failed child may begin. (If that child is not an `AsynchronousOperation`, its dependents may have
        /// begun.)
        case failFast
        /// The others run. Those that depend on it decide for themselves: see `runsRegardless`.
        case collectAll
    }
}

/// Distinguishes the children that failed, or that somebody else cancelled, from those that the group
/// cancelled because of them.
struct Blame {
    /// Whether a child has failed, and the group cancels the others.
    private(set) var isFailing = false
    /// No child is in both sets.
    private var failedByThemselves: Set<ObjectIdentifier> = []
    private(set) var cancelledByGroup: Set<ObjectIdentifier> = []

    /// - Returns: whether `child` is the first to fail.
    mutating func fails(_ child: Operation) -> Bool {
        let id = ObjectIdentifier(child)
        if !cancelledByGroup.contains(id) { failedByThemselves.insert(id) }
        defer { isFailing = true }
        return !isFailing
    }

    /// - Returns: false for a child that has failed by itself.
    mutating func isToCancel(_ child: Operation) -> Bool {
        let id = ObjectIdentifier(child)
        guard !failedByThemselves.contains(id) else { return false }
        cancelledByGroup.insert(id)
        return true
    }
}

/// The error of a group that failed because of its children.
///
/// Its description names the child and the reason: `parse failed: no such column`; or `parse was cancelled`
/// if it was cancelled while the group was not. For several children, it counts them and names the first: `3
/// of 10 failed: a failed: …; b was cancelled; c failed: …`. It does not count a child that failed only
/// because it depends on another child of the group.
public struct GroupFailure: Error, Sendable, CustomStringConvertible {
    /// A child that did not succeed.
    public struct Child: Sendable, CustomStringConvertible {
        /// The name of the child, or its kind.
        public let name: String
        /// The error that it failed with; a `CancellationError` if it was cancelled.
        public let error: any Error

        public var description: String {
            error is CancellationError ? "\(name) was cancelled" : "\(name) failed: \(error)"
        }
    }

    /// The children that did not succeed, in the order in which they were added. Children that failed with a
    /// `DependencyFailure` that names another of them come last. Children that the group cancelled are not
    /// included.
    ///
    /// For a child that is neither an `AsynchronousOperation` nor a `ResultOperation`, only a cancellation is
    /// known.
    public let failures: [Child]
    /// How many children the group had.
    public let childCount: Int
    /// How many of `failures` are not consequences of others.
    private let rootCount: Int

    /// How many children are named, and the longest text for each: an error's description may fill a page.
    private static let (largestCount, largestLength) = (5, 200)

    public var description: String {
        let roots = failures.prefix(rootCount)
        if roots.count == 1 { return roots[0].description }
        let named = roots.prefix(Self.largestCount).map { $0.description.shortened(to: Self.largestLength) }
        let ending = roots.count > named.count ? "; …" : ""
        return "\(Prose.grouped(roots.count)) of \(Prose.grouped(childCount)) failed: "
            + named.joined(separator: "; ") + ending
    }
}

extension GroupFailure: LocalizedError {
    public var errorDescription: String? { description }
}

extension GroupFailure {
    /// Describes why finished children did not succeed. Nil if all succeeded.
    ///
    /// - Parameter cancelled: the children that the group itself cancelled. They are not reported.
    init?(of children: [Operation], exceptFor cancelled: Set<ObjectIdentifier>) {
        let failures = children.compactMap { child -> Child? in
            guard !cancelled.contains(ObjectIdentifier(child)), let error = child.shortfall else {
                return nil
            }
            return Child(name: child.nameOrKind, error: error)
        }
        guard !failures.isEmpty else { return nil }
        let names = Set(failures.map(\.name))
        let isConsequence = { (failure: Child) in
            guard let error = failure.error as? DependencyFailure else { return false }
            return error.dependency != failure.name && names.contains(error.dependency)
        }
        let roots = failures.filter { !isConsequence($0) }
        self.failures = roots + failures.filter(isConsequence)
        // If several children have the same name, each may seem to be a consequence of another.
        rootCount = roots.isEmpty ? failures.count : roots.count
        childCount = children.count
    }
}

extension String {
    fileprivate func shortened(to length: Int) -> String {
        count > length ? prefix(length - 1) + "…" : self
    }
}
