import WaitDiagnosis

extension QueueSnapshot {
    /// Every thread of the pool that runs Swift tasks is blocked in a task, for example in a semaphore, while
    /// other tasks are ready.
    public struct BlockedPool: Sendable, CustomStringConvertible {
        /// A task that keeps a thread of the pool.
        public struct Holder: Sendable {
            /// As in the log.
            public var task: OperationID
            /// Its own name, or that of the function that it was written in.
            public var name: String
            /// The operating system's number of the thread.
            public var thread: UInt64
            /// The function of the kernel that the thread is blocked in, such as `futex_do_wait` for a lock
            /// or a semaphore. Empty if the kernel does not say it.
            public var function: String
            /// For how long the task has run on that thread without being suspended.
            public var time: Duration
        }

        /// The task that has run longest first.
        public var holders: [Holder]
        /// How many tasks are ready and cannot run.
        public var readyCount: Int
        /// For how long the first of them has been ready.
        public var longestWait: Duration
        /// In the words of `opviz watch`: `both threads of the pool are blocked in tasks: …`.
        public let description: String

        init(_ found: PoolStandstill) {
            holders = found.holders.map { holder in
                Holder(
                    task: holder.task, name: holder.name, thread: holder.thread, function: holder.function,
                    time: .nanoseconds(holder.time))
            }
            readyCount = found.readyCount
            longestWait = .nanoseconds(found.longestWait)
            description = found.sentence(shortened: QueueSnapshot.printable)
        }
    }
}
