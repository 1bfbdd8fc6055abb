extension Explanation {
    /// The largest number of waiters that a table shows.
    static let shownWaiters = 10

    /// How long the operation took, what most of that time was for, and where to look next. On one line; safe
    /// for a terminal.
    public var summary: String { answer.map { $0.text(names) }.joined() }

    /// The answer in the first line, followed by the evidence. Safe for a terminal with this many columns;
    /// `nil` to use as many as the names need.
    ///
    /// - Parameter all: whether to show every step of a long chain and all events instead of only the
    ///   beginning and the end.
    public func text(width: Int? = 80, all: Bool = false) -> String {
        guard cost != nil else { return summary + "\n" }
        return WritingStyle(width: width, isWhole: all).fitting(rows: DelayChainTable.shownSteps) {
            text(limit: $1, width: $0.width)
        }
    }

    private func text(limit: Int, width: Int?) -> String {
        Prose.wrapped(summary, to: width) + "\n" + circleText(width) + "\n"
            + eventTable(limit: limit, width: width) + "\n"
            + DelayChainTable(names: names).text(
                chain, title: chainTitle.text(names), limit: limit, width: width)
            + "\n" + followersText(limit, width) + "\n"
            + costPhrases.map { Prose.wrapped($0.text(names), to: width) + "\n" }.joined()
    }

    private var chainTitle: Phrase {
        chain.isCircular
            ? Phrase(.circularChain) : Phrase(.chain, .sentence(chain.compositionInWords { names[$0] }))
    }

    private func circleText(_ width: Int?) -> String {
        guard chain.isCircular else { return "" }
        let isWhole = circle.dropLast().contains(circle[circle.count - 1])
        let members = (circle.map { names[$0] } + (isWhole ? [] : ["…"])).joined(separator: " → ")
        return Prose.wrapped(Phrase(.circle, .sentence(members)).text(names) + "\n", to: width)
    }

    /// - Parameter limit: how many events are shown, but at least two.
    private func eventTable(limit: Int, width: Int?) -> String {
        var table = TextTable(
            title: Phrase(.events).text(names),
            columns: [.number("at"), .number("for"), .wrapped("")])
        table.append(events, most: limit) { event in
            [
                DurationFormat.text(nanoseconds: event.time),
                event.duration == 0 ? "" : DurationFormat.text(nanoseconds: event.duration),
                event.what.text(names),
            ]
        } more: { hidden in
            ["…", "", Phrase(.moreEvents, .number(hidden)).text(names) + DelayChainTable.howToSee]
        }
        return table.text(width: width)
    }

    private var followersTitle: Phrase {
        let tasks = waiters.count { analysis.trace.task($0.operation) != nil }
        if waiters.count == 1 { return Phrase(tasks == 1 ? .oneTask : .oneFollower) }
        return switch tasks {
        case 0: Phrase(.followers, .number(waiters.count))
        case waiters.count: Phrase(.tasks, .number(tasks))
        default: Phrase(.operationsAndTasks, .number(waiters.count))
        }
    }

    private func followersText(_ limit: Int, _ width: Int?) -> String {
        if waiters.isEmpty { return Phrase(.noFollowers).text(names) + "\n" }
        var table = TextTable(
            title: followersTitle.text(names),
            columns: [.number("waited"), .wrapped("operation"), .wrapped("because")])
        let shown = limit == .max ? limit : min(limit, Self.shownWaiters)
        for waiter in waiters.prefix(shown) {
            table.rows.append([
                DurationFormat.text(nanoseconds: waiter.waited), names[waiter.operation],
                waiter.relation.text(names[index]),
            ])
        }
        if waiters.count > shown {
            let more = Phrase(.moreFollowers, .number(waiters.count - shown)).text(names)
            table.rows.append(["…", more + DelayChainTable.howToSee, ""])
        }
        return table.text(width: width)
    }
}

extension Waiters.Relation {
    /// How a waiter is related to the operation: `depends on it, …`.
    ///
    /// - Parameter name: the name of the operation, where "it" could be read as the waiter.
    func text(_ name: String) -> String {
        switch self {
        case .lastDependency: "depends on it, its last dependency"
        case .dependency: "depends on it; another dependency finished later"
        case .slot: "got the slot of \(name)"
        case .slotHeld: "needs a slot that \(name) holds"
        case .lastChild: "is its parent; it was the last child"
        case .blockingWait: "blocked its thread for it"
        case .awaited: "awaited it"
        case .resumed: "awaited its continuation, which \(name) resumed"
        case .actorHeld: "waited for an executor that \(name) had"
        case .finished: "finished in it"
        }
    }
}
