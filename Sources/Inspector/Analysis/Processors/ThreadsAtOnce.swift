import InspectorColumns

/// The most threads that were on processors at once: the machine has at least as many. For logs that do not
/// say how many there are.
enum ThreadsAtOnce {
    /// The time that a switch takes counts for both threads, so that they seem to have two processors.
    private static let longestSwitch: Int64 = 10_000
    /// More threads than processors seem to run where records were lost, for a moment: a number counts if so
    /// many ran for more than this part of the time.
    private static let leastPart = 0.001

    /// Nil if no thread was ever on a processor. Cost: linear in switches.
    static func most(of histories: some Sequence<ThreadHistory>) -> Int? {
        var changes: [(time: Int64, running: Int)] = []
        for history in histories {
            history.forEachStretch { part, start, end in
                guard part == .onCPU else { return }
                changes.append((start, 1))
                changes.append((end, -1))
            }
        }
        changes = changes.sortedByDigits(\.time)
        var (running, last) = (0, changes.first?.time ?? 0)
        /// How long exactly each number of threads ran: altogether, and in intervals longer than a switch.
        var lengths: (all: [Double], long: [Double]) = ([0], [0])
        for change in changes {
            let length = change.time - last
            lengths.all[running] += Double(length)
            if length > longestSwitch { lengths.long[running] += Double(length) }
            last = change.time
            running = max(0, running + change.running)
            if running == lengths.all.count {
                lengths.all.append(0)
                lengths.long.append(0)
            }
        }
        return most(lengths.long) ?? most(lengths.all)
    }

    /// - Parameter lengths: how long exactly each number of threads ran.
    private static func most(_ lengths: [Double]) -> Int? {
        let enough = lengths.dropFirst().reduce(0, +) * leastPart
        var sum = 0.0
        return lengths.indices.dropFirst().last { number in
            sum += lengths[number]
            return sum > enough
        }
    }
}

extension ProcessorUse {
    /// The most threads of the trace that were on processors at once; nil if none ever was.
    package var mostThreadsAtOnce: Int? { ThreadsAtOnce.most(of: histories.values) }
}
