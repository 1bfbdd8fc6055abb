#if os(Linux)
    import Foundation

    /// What the calling thread has been through by now, as the system counts it.
    struct ThreadAccount {
        /// Times that it gave the processor away, for a lock or a pause, and pages that it had to be given.
        let own: Int
        /// Times that the scheduler gave the processor to another thread against this one's will.
        let interruptions: Int
        /// Nanoseconds for which it could have run, but had no processor.
        let queued: Int

        /// Stays open: an account is taken often. Of the main thread, the only one that is measured.
        private static let statistics = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)

        init() {
            var usage = rusage()
            // RUSAGE_THREAD, which Glibc declares only for GNU sources.
            getrusage(1, &usage)
            own = usage.ru_nvcsw + usage.ru_minflt + usage.ru_majflt
            interruptions = usage.ru_nivcsw
            queued = Self.queued()
        }

        /// The second of three numbers: run, queued, and how often. 0 where the system does not tell.
        private static func queued() -> Int {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { buffer in
                let count = pread(statistics, buffer.baseAddress, buffer.count, 0)
                var spaces = 0
                var number = 0
                for byte in buffer.prefix(max(0, count)) {
                    if byte == 0x20 {
                        spaces += 1
                    } else if spaces == 1 {
                        number = number * 10 + Int(byte) - 0x30
                    }
                }
                return number
            }
        }
    }
#endif
