package import EventLog

/// Every thread of the pool is blocked in a task, while other tasks are ready.
package struct PoolStandstill: Sendable {
    /// A task that keeps a thread. Times are nanoseconds.
    package struct Holder: Sendable {
        package var task: OperationID
        /// Its own, or that of its function.
        package var name: String
        package var thread: UInt64
        /// The function of the kernel that the thread is blocked in; empty if that is not known.
        package var function: String
        /// For how long it has run there.
        package var time: Int64
    }

    /// The one that has run longest first.
    package var holders: [Holder]
    /// How many tasks are ready.
    package var readyCount: Int
    /// For how long the first of them has been ready, in nanoseconds.
    package var longestWait: Int64

    /// - Parameter shortened: cuts a name, and makes it safe to print.
    package func sentence(shortened: (String) -> String) -> String {
        let threads = Prose.threads(holders.count)
        let names = holders.prefix(4).map { holder in
            shortened(holder.name) + (holder.function.isEmpty ? "" : " (in \(shortened(holder.function)))")
        }
        return "\(threads) of the pool \(holders.count == 1 ? "is" : "are") blocked in tasks: "
            + Prose.list(names, of: holders.count)
            + "; \(Prose.counted(readyCount, "task")) \(readyCount == 1 ? "is" : "are") ready, the "
            + "first for \(DurationText.text(nanoseconds: longestWait)), and cannot run"
    }
}
