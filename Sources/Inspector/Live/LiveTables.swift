import EventLog

/// The parts of the screen of a running program, below its heading.
struct LiveTables {
    private static let slotBar = 8
    private static let shownOrigins = 3
    private static let shownHazards = 3

    private let picture: LivePicture
    private let width: Int

    init(_ picture: LivePicture, width: Int) {
        self.picture = picture
        self.width = width
    }

    /// What everything is waiting for, the origin with the most operations behind it first.
    var origins: ScreenSection {
        .sentences(
            .origins, "What everything is waiting for",
            picture.origins.prefix(Self.shownOrigins).map { origin in
                (
                    origin.operation == 0 ? .text(origin.sentence) : .operation(origin.operation),
                    Self.sentence(origin, picture), origin.isDeadlock ? .critical : .plain
                )
            },
            least: 3, width: width)
    }

    /// With what its thread does now, unless that is said: in a deadlock it is blocked.
    static func sentence(_ origin: LiveFindings.Origin, _ picture: LivePicture) -> String {
        let doing = origin.isDeadlock || origin.isOffThread ? nil : picture.threads[origin.operation]?.word
        return "\(origin.sentence)\(doing.map { ", now \($0)" } ?? "")"
            + (origin.waiting == 0
                ? "" : "; \(Prose.grouped(origin.waiting)) wait\(origin.waiting == 1 ? "s" : "") for it")
    }

    /// - Parameter isAll: false beside the list of origins. Then hazards in that list are not repeated, and
    ///   past hazards are left out.
    func hazards(isAll: Bool = true) -> ScreenSection {
        let origins = isAll ? [] : picture.origins.prefix(Self.shownOrigins)
        let isDeadlockTold = origins.contains { $0.isDeadlock }
        let shown = picture.hazards.filter { entry in
            if isAll { return true }
            let isTold =
                entry.hazard.isDeadlock
                ? isDeadlockTold
                : LiveRules.standstills.contains(entry.hazard.rule)
                    && origins.contains { $0.operation + $0.task == entry.hazard.operation }
            return entry.isPresent && !isTold
        }
        return .sentences(
            .hazards, hazardHeading,
            shown.prefix(isAll ? Int.max : Self.shownHazards).map { entry in
                let hazard = entry.hazard
                let time = DurationFormat.text(nanoseconds: entry.time)
                let sentence = "\(hazard.rule): \(hazard.summary)"
                let style: ScreenLine.Style =
                    !entry.isPresent ? .muted : hazard.severity == .error ? .critical : .plain
                return (
                    hazard.operation == 0 ? .text(sentence) : .operation(hazard.operation),
                    entry.isPresent ? sentence : "until \(time): \(sentence)", style
                )
            }, width: width)
    }

    private var hazardHeading: String {
        let present = picture.hazards.count { $0.isPresent }
        let now = present == 0 ? "No hazards now" : "\(Prose.counted(present, "hazard")) now"
        return present == picture.hazardCount ? now : "\(now), \(Prose.grouped(picture.hazardCount)) so far"
    }

    // MARK: Queues

    func queues(_ order: LiveScreen.View.Order) -> ScreenSection {
        let sorted = sortedQueues(order)
        let idle = picture.queues.count - sorted.count
        let heading =
            Prose.counted(sorted.count, "queue") + (idle == 0 ? "" : ", \(Prose.grouped(idle)) idle")
        return .table(
            .queues, sorted.count, heading,
            [
                .name(""), .word("slots"), .number("executing", or: "exec"), .number("waiting", or: "wait"),
                .detail("for"), .number("finished/s", or: "/s"),
            ],
            sorted.map { queue in
                (
                    .queue(queue.number),
                    [
                        queue.name, Self.slots(queue), Prose.grouped(queue.executing),
                        Prose.grouped(queue.waiting), Self.reasons(queue),
                        Prose.grouped(queue.finishedPerSecond),
                    ], queue.suspended != nil && queue.waiting > 0 ? .waiting : .plain
                )
            }, width: width)
    }

    // MARK: Executors

    /// Those of Swift tasks, the one with the most waiting tasks first.
    var executors: ScreenSection {
        let all = picture.tasks?.executors ?? []
        let names = Dictionary(grouping: all, by: \.name)
        return .table(
            .executors, all.count, Prose.counted(all.count, "executor"),
            [
                .name(""), .number("running", or: "run"), .number("waiting", or: "wait"),
                .number("longest wait", or: "longest"),
            ],
            all.map { executor in
                // Several actors may have the same type.
                let isShared = (names[executor.name]?.count ?? 0) > 1
                return (
                    .executor(executor.id),
                    [
                        executor.name + (isShared ? " \(QueueID(executor.id))" : ""),
                        Prose.grouped(executor.running), Prose.grouped(executor.waiting),
                        executor.longest.map { DurationFormat.text(nanoseconds: $0) } ?? "",
                    ], executor.waiting > 0 ? .waiting : .plain
                )
            }, width: width)
    }

    /// A log does not say when a queue is released. One that has been idle for so long is left out, unless
    /// all are. Nanoseconds; 10 s.
    private static let longIdle: Int64 = 10_000_000_000

    /// Equal queues are in the order in which the log names them.
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
        let used = picture.queues.filter { $0.idle ?? 0 < Self.longIdle }
        return (used.isEmpty ? picture.queues : used).enumerated().sorted { one, other in
            if order == .name { return (one.element.name, one.offset) < (other.element.name, other.offset) }
            let (first, second) = (key(one.element), key(other.element))
            return first == second ? one.offset < other.offset : first > second
        }.map(\.element)
    }

    /// `██████░░ 3/4`. A queue without a limit has as many slots as the system has threads.
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
            let reason = queue.suspended != nil ? "suspended" : queue.lacksSlots ? "slot" : "thread"
            reasons.append("\(Prose.grouped(queue.ready)) \(reason)")
        }
        return reasons.joined(separator: ", ")
    }

    // MARK: Operations

    var executing: ScreenSection {
        .table(
            .executing, picture.executing, "\(Prose.grouped(picture.executing)) executing",
            [
                .name(""), .detail("kind"), .name("queue"), .number("for"), .detailNumber("thread"),
                .word("now"), .name("blocked on"),
            ],
            picture.executingRows.map { row in
                (
                    .operation(row.operation),
                    [
                        row.name, Self.kind(row), row.queue, DurationFormat.text(nanoseconds: row.duration),
                        String(row.thread), picture.threads[row.operation]?.word ?? "", row.reason,
                    ], row.reason.isEmpty ? .plain : .waiting
                )
            }, width: width)
    }

    var waiting: ScreenSection {
        .table(
            .waiting, picture.waiting, "\(Prose.grouped(picture.waiting)) waiting",
            [.name(""), .detail("kind"), .name("queue"), .number("for"), .name("waits for")],
            picture.waitingRows.map { row in
                (
                    .operation(row.operation),
                    [
                        row.name, Self.kind(row), row.queue, DurationFormat.text(nanoseconds: row.duration),
                        row.reason,
                    ], .plain
                )
            }, width: width)
    }

    /// How the executions of each kind are split.
    var kinds: ScreenSection {
        .table(
            .kinds, picture.kinds.count, Prose.counted(picture.kinds.count, "kind"),
            [.name(""), .number("measured")]
                + ExecutionParts.Part.allCases.map { .number($0.label, or: $0.row.abbreviation) } + [
                    .word("by")
                ],
            picture.kinds.map { kind in
                (
                    .text(kind.name),
                    [kind.name, DurationFormat.text(nanoseconds: kind.measured)]
                        + ExecutionParts.Part.allCases.map { Self.share(of: $0, in: kind.parts) }
                        + [kind.isWatched ? kind.isOfClocks ? "both" : "watching" : "clocks"], .plain
                )
            }, width: width)
    }

    /// Empty for a part that there is not.
    private static func share(of part: ExecutionParts.Part, in parts: ExecutionParts) -> String {
        if parts[part] == 0 { return "" }
        let percent = Prose.percent(parts[part], of: parts.total)
        return percent == 0 ? "< 1 %" : "\(percent) %"
    }

    /// Empty if it is the same as the operation's name.
    private static func kind(_ row: LivePicture.Row) -> String { row.kind == row.name ? "" : row.kind }
}
