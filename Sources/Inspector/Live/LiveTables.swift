/// The parts of the screen of a running program, below its heading.
struct LiveTables {
    private static let slotBar = 8
    private static let shownOrigins = 3

    private let picture: LivePicture
    private let width: Int

    init(_ picture: LivePicture, width: Int) {
        self.picture = picture
        self.width = width
    }

    /// What all wait for, the most waited for first.
    var origins: ScreenSection {
        .sentences(
            "what all wait for",
            picture.origins.prefix(Self.shownOrigins).map {
                (Self.sentence($0), $0.isDeadlock ? .critical : .plain)
            },
            least: 3, width: width)
    }

    static func sentence(_ origin: LiveFindings.Origin) -> String {
        "\(origin.sentence); \(Prose.grouped(origin.waiting)) wait\(origin.waiting == 1 ? "s" : "") for it"
    }

    /// - Parameter isAll: false beside what all wait for, which tells deadlocks already.
    func hazards(limit: Int, isAll: Bool = true) -> ScreenSection {
        let isTold = !isAll && picture.origins.prefix(Self.shownOrigins).contains { $0.isDeadlock }
        let shown = picture.hazards.filter { !isTold || !$0.isDeadlock }
        let count = picture.hazardCount
        return .sentences(
            count > 1 ? "hazards, \(Prose.grouped(count)) so far, the newest first" : "hazards",
            shown.prefix(limit).map { ($0.sentence, $0.isError ? .critical : .plain) }, width: width)
    }

    // MARK: Queues

    func queues(_ order: LiveScreen.View.Order, limit: Int) -> ScreenSection {
        let sorted = sortedQueues(order)
        return .table(
            sorted.count, "queue", isCounted: true,
            [
                .name(""), .word("slots"), .number("executing", or: "exec"), .number("waiting", or: "wait"),
                .detail("for"), .number("finished/s", or: "/s"),
            ],
            sorted.prefix(limit).map { queue in
                (
                    [
                        queue.name, Self.slots(queue), Prose.grouped(queue.executing),
                        Prose.grouped(queue.waiting), Self.reasons(queue),
                        Prose.grouped(queue.finishedPerSecond),
                    ], queue.suspended != nil && queue.waiting > 0 ? .waiting : .plain
                )
            }, width: width)
    }

    /// Of equal queues those first that the log names first.
    private func sortedQueues(_ order: LiveScreen.View.Order) -> [LivePicture.Queue] {
        func key(_ queue: LivePicture.Queue) -> (Int, Int, Int) {
            switch order {
            case .waiting:
                let isHeldBack = queue.suspended != nil && queue.waiting > 0
                return (isHeldBack ? 1 : 0, queue.waiting, queue.executing)
            case .executing: return (queue.executing, queue.waiting, queue.finished)
            case .finished: return (queue.finishedPerSecond, queue.finished, 0)
            case .name: return (0, 0, 0)
            }
        }
        return picture.queues.enumerated().sorted { one, other in
            if order == .name { return (one.element.name, one.offset) < (other.element.name, other.offset) }
            let (first, second) = (key(one.element), key(other.element))
            return first == second ? one.offset < other.offset : first > second
        }.map(\.element)
    }

    /// `██████░░ 3/4`; a queue without a limit has as many slots as the system gives threads.
    private static func slots(_ queue: LivePicture.Queue) -> String {
        if queue.suspended != nil { return "suspended" }
        guard queue.limit >= 0 else { return "no limit" }
        let taken = min(queue.executing, queue.limit)
        let filled = queue.limit == 0 ? slotBar : (taken * slotBar + queue.limit - 1) / queue.limit
        return String(repeating: "█", count: filled) + String(repeating: "░", count: slotBar - filled)
            + " \(queue.executing)/\(queue.limit)"
    }

    private static func reasons(_ queue: LivePicture.Queue) -> String {
        var reasons: [String] = []
        if queue.pending > 0 { reasons.append("\(Prose.grouped(queue.pending)) dependency") }
        if queue.ready > 0 {
            let reason = queue.suspended != nil ? "suspended" : queue.isFull ? "slot" : "thread"
            reasons.append("\(Prose.grouped(queue.ready)) \(reason)")
        }
        return reasons.joined(separator: ", ")
    }

    // MARK: Operations

    var executing: ScreenSection {
        .table(
            picture.executing, "executing", isCounted: false,
            [
                .name(""), .detail("kind"), .name("queue"), .number("for"), .number("thread"),
                .name("blocked"),
            ],
            picture.executingRows.map { row in
                (
                    [
                        row.name, Self.kind(row), row.queue, DurationFormat.text(nanoseconds: row.duration),
                        String(row.thread), row.reason,
                    ], row.reason.isEmpty ? .plain : .waiting
                )
            }, width: width)
    }

    var waiting: ScreenSection {
        .table(
            picture.waiting, "waiting", isCounted: false,
            [.name(""), .detail("kind"), .name("queue"), .number("for"), .name("waits for")],
            picture.waitingRows.map { row in
                (
                    [
                        row.name, Self.kind(row), row.queue, DurationFormat.text(nanoseconds: row.duration),
                        row.reason,
                    ], .plain
                )
            }, width: width)
    }

    /// Empty where it is what the operation is called.
    private static func kind(_ row: LivePicture.Row) -> String { row.kind == row.name ? "" : row.kind }
}
