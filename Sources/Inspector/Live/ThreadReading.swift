/// What the system says of a thread at one moment.
package struct ThreadReading: Sendable {
    /// Nanoseconds of a clock that never goes back.
    var time: Int64
    /// Nanoseconds since the thread began. The system adds to them at switches and at ticks.
    var onCPU: Int64
    var waitedForCPU: Int64
    /// How often a processor has taken up the thread.
    var switches: Int64
    /// Whether it has a processor, or waits for one.
    package var isRunnable: Bool
    /// The function of the kernel that it is blocked in; empty if that is not known.
    var blockedIn = ""
}

extension ThreadReading {
    /// Nil if the system does not say it: another user's process may be hidden, and the thread may be gone.
    package init?(process: Int32, thread: UInt64, _ system: LiveSystem) {
        let folder = "/proc/\(process)/task/\(thread)/"
        guard let statistics = system.contents(folder + "schedstat"),
            let status = system.contents(folder + "stat"),
            // The name before it may contain anything.
            let state = status.split(separator: ")").last?.first(where: { $0 != " " }),
            "RSDI".contains(state)
        else { return nil }
        let numbers = statistics.split { $0.isWhitespace }.map { Int64($0) ?? -1 }
        guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        self.init(
            time: system.now(), onCPU: numbers[0], waitedForCPU: numbers[1], switches: numbers[2],
            isRunnable: state == "R")
        guard !isRunnable, let function = system.contents(folder + "wchan"), function != "0" else { return }
        blockedIn = function
    }
}

extension ExecutionParts {
    /// The counters of a thread on a processor are this far behind at most, in nanoseconds: a tick. 10 ms.
    private static let tick: Int64 = 10_000_000

    /// What a thread did between two readings. Nil if they cannot be of the same thread.
    init?(from first: ThreadReading, to last: ThreadReading) {
        let length = last.time - first.time
        let wait = last.waitedForCPU - first.waitedForCPU
        guard length > 0, last.onCPU >= first.onCPU, wait >= 0, last.switches >= first.switches else {
            return nil
        }
        self.init()
        onCPU = min(last.onCPU - first.onCPU, length)
        waitingForCPU = min(wait, length - onCPU)
        let rest = length - onCPU - waitingForCPU
        let hasNotBlocked = first.isRunnable && last.isRunnable && first.switches == last.switches
        if last.isRunnable, onCPU > 0, hasNotBlocked || rest <= Self.tick {
            onCPU += rest
        } else if hasNotBlocked {
            waitingForCPU += rest
        } else {
            blocked = rest
        }
    }
}
