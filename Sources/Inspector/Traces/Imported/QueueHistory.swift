import EventLog

/// The settings of a queue over time, as one line of text. Exports contain it, so that their files can be
/// read back.
///
/// `0x1 limits 0=4 1500=2 suspended 100-200 cancelled 300`, in nanoseconds since the start of the trace.
package struct QueueHistory {
    let queue: UInt64
    var limits: [(time: Int64, limit: Int)] = []
    var suspensions: [Range<Int64>] = []
    var cancellations: [Int64] = []

    init?(_ queue: TracedQueue) {
        guard !queue.limits.isEmpty || !queue.suspensions.isEmpty || !queue.cancellations.isEmpty else {
            return nil
        }
        self.queue = queue.id.rawValue
        limits = queue.limits
        suspensions = queue.suspensions
        cancellations = queue.cancellations
    }

    var text: String {
        var words = [QueueID(queue).description]
        if !limits.isEmpty { words += ["limits"] + limits.map { "\($0.time)=\($0.limit)" } }
        if !suspensions.isEmpty {
            words += ["suspended"] + suspensions.map { "\($0.lowerBound)-\($0.upperBound)" }
        }
        if !cancellations.isEmpty { words += ["cancelled"] + cancellations.map(String.init) }
        return words.joined(separator: " ")
    }

    /// Parses the parts of the line that make sense.
    init?(_ line: Substring) {
        let words = line.split(separator: " ")
        guard let first = words.first, first.hasPrefix("0x"),
            let queue = UInt64(hexadecimal: first.dropFirst(2).utf8)
        else { return nil }
        self.queue = queue
        for word in words.dropFirst() {
            if let (time, limit) = Self.pair(word, "="), let limit = Int(exactly: limit) {
                limits.append((time, limit))
            } else if let (from, to) = Self.pair(word, "-"), from < to {
                suspensions.append(from..<to)
            } else if let time = Int64(word) {
                cancellations.append(time)
            }
        }
    }

    /// The separator may also be the sign of one of the numbers.
    private static func pair(_ word: Substring, _ separator: Character) -> (Int64, Int64)? {
        guard let place = word.dropFirst().firstIndex(of: separator), let first = Int64(word[..<place]),
            let second = Int64(word[word.index(after: place)...])
        else { return nil }
        return (first, second)
    }

    /// A line for each queue of a process; nil if nothing is known about the queues.
    package static func text(_ queues: some Sequence<TracedQueue>) -> String? {
        let lines = queues.compactMap { QueueHistory($0)?.text }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
