import WaitDiagnosis

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
