import InspectorColumns

/// The enqueued operations in the order in which they were added, started and ended, for rules that go
/// through a run in time.
struct MomentOrders: Sendable {
    struct Moment {
        let time: Int64
        private let number: Int32

        init(time: Int64, index: Int) {
            self.time = time
            number = Int32(truncatingIfNeeded: index)
        }

        var index: Int { Int(number) }
    }

    /// By the last moment at which each can have been added.
    let added: [Moment]
    /// Those that started, by the last moment at which each can have started.
    let started: [Moment]
    /// By the finish, or the end of the process's log.
    let ended: [Moment]

    /// Linear in operations.
    init(_ context: HazardContext) {
        var (added, started, ended) = ([Moment](), [Moment](), [Moment]())
        added.reserveCapacity(context.count)
        started.reserveCapacity(context.count)
        ended.reserveCapacity(context.count)
        for index in 0..<context.count where context.enqueued.isKnown(index) {
            added.append(Moment(time: context.enqueued.notAfter(index), index: index))
            if context.executing.isKnown(index) {
                started.append(Moment(time: context.executing.notAfter(index), index: index))
            }
            ended.append(Moment(time: context.lastMoment(index), index: index))
        }
        self.added = added.sortedByDigits(\.time)
        self.started = started.sortedByDigits(\.time)
        self.ended = ended.sortedByDigits(\.time)
    }

    /// Goes through all lists in the order of time; at equal times, the first list first.
    ///
    /// - Parameters:
    ///   - lists: each in the order of time.
    ///   - take: gets the number of the list, too.
    static func merge(_ lists: [[Moment]], _ take: (_ list: Int, Moment) -> Void) {
        var next = [Int](repeating: 0, count: lists.count)
        while true {
            var first: Int?
            for list in lists.indices where next[list] < lists[list].count {
                if let other = first, lists[other][next[other]].time <= lists[list][next[list]].time {
                    continue
                }
                first = list
            }
            guard let first else { return }
            take(first, lists[first][next[first]])
            next[first] += 1
        }
    }
}
