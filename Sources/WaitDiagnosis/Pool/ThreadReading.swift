/// What the system says of a thread at one moment.
package struct ThreadReading: Sendable {
    /// Nanoseconds of a clock that never goes back.
    package var time: Int64
    /// Nanoseconds since the thread began. The system adds to them at switches and at ticks.
    package var onCPU: Int64
    package var waitedForCPU: Int64
    /// How often a processor has taken up the thread.
    package var switches: Int64
    /// Whether it has a processor, or waits for one.
    package var isRunnable: Bool
    /// The function of the kernel that it is blocked in; empty if that is not known.
    package var blockedIn = ""

    package init(time: Int64, onCPU: Int64, waitedForCPU: Int64, switches: Int64, isRunnable: Bool) {
        (self.time, self.onCPU, self.waitedForCPU) = (time, onCPU, waitedForCPU)
        (self.switches, self.isRunnable) = (switches, isRunnable)
    }
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
