/// How often something happened in a second of a log's time.
struct LiveRate {
    static let second: Int64 = 1_000_000_000

    private var current: (second: Int64, count: Int) = (.min, 0)
    private var last = 0

    mutating func add(at time: Int64) {
        let second = time / Self.second
        // An event that comes a little late belongs to the second that is being counted.
        if second > current.second {
            last = second == current.second + 1 ? current.count : 0
            current = (second, 0)
        }
        current.count += 1
    }

    /// In the second before `time`: what has been counted of this second, and of the last one the part that
    /// lies in that time, as if its events had been evenly spread. So a queue that is new has a rate at once.
    func perSecond(at time: Int64) -> Int {
        let (second, elapsed) = time.quotientAndRemainder(dividingBy: Self.second)
        let (before, now) =
            second == current.second
            ? (last, current.count) : second == current.second + 1 ? (current.count, 0) : (0, 0)
        let part = 1 - Double(elapsed) / Double(Self.second)
        return now + Int((Double(before) * part).rounded())
    }
}

/// How often something happened in each of the last 60 seconds.
struct LiveHistory {
    static let length = 60

    private var counts = Array(repeating: 0, count: length)
    /// The last second that something happened in.
    private var last = Int64(-1)

    mutating func add(at time: Int64) {
        let second = max(0, time / LiveRate.second)
        if second > last {
            if second - last >= Int64(Self.length) {
                for index in counts.indices { counts[index] = 0 }
            } else {
                for passed in last + 1...second { counts[place(passed)] = 0 }
            }
            last = second
        }
        if last - second < Int64(Self.length) { counts[place(second)] += 1 }
    }

    /// In each of the last whole seconds before `time`, the oldest first; fewer at the beginning of a log.
    func values(at time: Int64) -> [Int] {
        let end = max(0, time / LiveRate.second)
        let begin = max(0, end - Int64(Self.length) + 1)
        return (begin..<max(begin, end)).map { second in
            second > last || second <= last - Int64(Self.length) ? 0 : counts[place(second)]
        }
    }

    private func place(_ second: Int64) -> Int { Int(second % Int64(Self.length)) }
}
