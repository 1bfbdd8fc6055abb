/// An operation that a search found in a queue of a process, which need not be recorded.
package struct FoundOperation: Sendable {
    package enum State: Hashable, Sendable {
        case waiting
        /// It has a slot, and waits for a thread.
        case dispatched
        case started
        /// Its queue is about to let go of it.
        case finished
    }

    /// What it waits for, if it waits.
    package struct Dependency: Hashable, Sendable {
        package let name: String
        /// Whether it is in no queue.
        package let isNeverAdded: Bool

        package init(name: String, isNeverAdded: Bool) {
            (self.name, self.isNeverAdded) = (name, isNeverAdded)
        }
    }

    /// Its name; empty for none. From the process, as all names here.
    package let name: String
    /// The name of its class.
    package let kind: String
    package let state: State
    package let isCancelled: Bool
    /// The first few of the dependencies that have not finished.
    package let dependencies: [Dependency]
    /// How many more there are.
    package let moreDependencies: Int
    /// Whether anything but Foundation leads to it, if it has started. If nothing does, nothing can finish
    /// it. A thread that executes it leads to it.
    package internal(set) var verdict: ResumeSearch.Verdict = .unknown
    /// The thread that executes it; nil for none.
    package internal(set) var thread: Int32?

    package init(
        name: String, kind: String, state: State, isCancelled: Bool = false,
        dependencies: [Dependency] = [], moreDependencies: Int = 0,
        verdict: ResumeSearch.Verdict = .unknown, thread: Int32? = nil
    ) {
        (self.name, self.kind, self.state, self.isCancelled) = (name, kind, state, isCancelled)
        (self.dependencies, self.moreDependencies) = (dependencies, moreDependencies)
        (self.verdict, self.thread) = (verdict, thread)
    }
}

/// A queue that a search found.
package struct FoundQueue: Sendable {
    package let name: String
    /// How many operations execute at once; nil without a limit.
    package let limit: Int?
    package let isSuspended: Bool
    /// In the order in which they were added.
    package let operations: [FoundOperation]

    package init(name: String, limit: Int?, isSuspended: Bool, operations: [FoundOperation]) {
        (self.name, self.limit) = (name, limit)
        (self.isSuspended, self.operations) = (isSuspended, operations)
    }
}
