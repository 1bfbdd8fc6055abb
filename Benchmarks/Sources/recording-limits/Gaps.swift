#if os(Linux)
    import Foundation

    /// How long each of many steps took, one following on the other without a gap, so that whatever holds the
    /// thread up shows in one of them; and of each that took long, whose doing it was.
    struct Gaps {
        /// Steps of more than 5 µs.
        struct Outliers {
            private(set) var count = 0
            /// In nanoseconds.
            private(set) var longest = 0

            mutating func add(_ gap: Int) {
                count += 1
                longest = max(longest, gap)
            }
        }

        private static let outlier = 5_000
        private static let largestCounted = 1 << 20

        private(set) var count = 0
        /// In nanoseconds.
        private(set) var longest = 0
        /// The thread waited for something, or was given a page: what the step itself has brought about.
        /// Without the time that it then waited for a processor.
        private(set) var own = Outliers()
        /// The scheduler let another thread run.
        private(set) var scheduler = Outliers()
        /// Nothing that the system knows of: an interrupt, or another virtual machine on the same processor.
        private(set) var machine = Outliers()
        /// By nanoseconds; the last entry counts all longer gaps.
        private var counts = [UInt32](repeating: 0, count: Self.largestCounted + 1)

        /// Runs `step` until `steps` are done, or until `nanoseconds` have passed.
        mutating func take(_ steps: Int = .max, nanoseconds: UInt64 = .max, _ step: () -> Void) {
            let begin = Self.clock()
            let end = nanoseconds == .max ? .max : begin + nanoseconds
            var taken = 0
            var account = ThreadAccount()
            var before = Self.clock()
            while taken < steps, before < end {
                step()
                let after = Self.clock()
                taken += 1
                let gap = Int(after - before)
                counts[min(gap, Self.largestCounted)] &+= 1
                before = after
                guard gap > Self.outlier || taken % 256 == 0 else { continue }
                let now = ThreadAccount()
                if gap > Self.outlier { note(gap, from: account, to: now) }
                account = now
                // Excludes the time of this bookkeeping from the steps.
                before = Self.clock()
            }
            count += taken
        }

        private mutating func note(_ gap: Int, from before: ThreadAccount, to after: ThreadAccount) {
            longest = max(longest, gap)
            if after.own != before.own {
                own.add(max(0, gap - (after.queued - before.queued)))
            } else if after.interruptions != before.interruptions {
                scheduler.add(gap)
            } else {
                machine.add(gap)
            }
        }

        /// So much of the steps took no longer, in nanoseconds.
        func quantile(_ share: Double) -> Int {
            let rank = Int((Double(count) * share).rounded(.up))
            var seen = 0
            for (nanoseconds, steps) in counts.enumerated() {
                seen += Int(steps)
                if seen >= rank { return nanoseconds == Self.largestCounted ? longest : nanoseconds }
            }
            return longest
        }

        @inline(__always)
        private static func clock() -> UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
        }
    }
#endif
