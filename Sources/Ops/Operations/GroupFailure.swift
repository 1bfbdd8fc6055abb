import EventLog
public import Foundation

extension GroupOperation {
    /// What becomes of the other children when one of them fails, or is cancelled while the group is not.
    public enum FailurePolicy: Sendable {
        /// The others are cancelled, before anything that depends on the child that failed may begin; those
        /// too that are added later. (If that child is not an `AsynchronousOperation`, its dependents may
        /// have begun.)
        case failFast
        /// The others run. Those that depend on it decide for themselves: see `runsRegardless`.
        case collectAll
    }
}

/// Tells the children that failed, or were cancelled by somebody else, from those that the group cancelled
/// because of them.
struct Blame {
    /// A child has failed, and the group cancels the others.
    private(set) var isFailing = false
    /// No child is in both.
    private var failedByThemselves: Set<ObjectIdentifier> = []
    private(set) var cancelledByGroup: Set<ObjectIdentifier> = []

    /// - Returns: whether `child` is the first.
    mutating func fails(_ child: Operation) -> Bool {
        let id = ObjectIdentifier(child)
        if !cancelledByGroup.contains(id) { failedByThemselves.insert(id) }
        defer { isFailing = true }
        return !isFailing
    }

    /// - Returns: false of a child that has failed by itself.
    mutating func isToCancel(_ child: Operation) -> Bool {
        let id = ObjectIdentifier(child)
        guard !failedByThemselves.contains(id) else { return false }
        cancelledByGroup.insert(id)
        return true
    }
}

/// The error of a group that failed because of its children: it says which of them, and why.
///
/// Its description names the child: `parse failed: no such column`, or `parse was cancelled` of one that was
/// cancelled while the group was not. Of several, it names the first: `3 of 10 failed: a failed: …; b was
/// cancelled; c failed: …`. A child that failed only because it depends on another one of the group is not
/// counted there.
public struct GroupFailure: Error, Sendable, CustomStringConvertible {
    /// A child that did not succeed.
    public struct Child: Sendable, CustomStringConvertible {
        /// The name of the child, or its kind.
        public let name: String
        /// What it failed with; a `CancellationError`, where it was cancelled.
        public let error: any Error

        public var description: String {
            error is CancellationError ? "\(name) was cancelled" : "\(name) failed: \(error)"
        }
    }

    /// The children that did not succeed, in the order in which they were added; those that failed with a
    /// `DependencyFailure` that names another one of them come last. Without those that the group cancelled.
    ///
    /// Of a child that is neither an `AsynchronousOperation` nor a `ResultOperation`, only a cancellation is
    /// known.
    public let failures: [Child]
    /// How many children the group had.
    public let childCount: Int
    /// How many of `failures` are not consequences of others.
    private let rootCount: Int

    /// How many are named, and how long each may be: an error's description may fill a page.
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
    /// What is wrong with finished children. Nil where nothing is.
    ///
    /// - Parameter cancelled: those that the group cancelled itself: they report nothing new.
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
        // Where names are given twice, each may seem to follow from another.
        rootCount = roots.isEmpty ? failures.count : roots.count
        childCount = children.count
    }
}

extension String {
    fileprivate func shortened(to length: Int) -> String {
        count > length ? prefix(length - 1) + "…" : self
    }
}
