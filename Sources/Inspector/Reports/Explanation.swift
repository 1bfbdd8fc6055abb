/// One operation explained: what it waited for, back to the start of the chain, what waited for it, and what it cost
/// the run.
public struct Explanation: Sendable {
    private static let shownFollowers = 10

    private let analysis: TraceAnalysis
    private let index: Int

    /// - Parameter operation: an index into the trace's operations.
    public init(of operation: Int, in analysis: TraceAnalysis) {
        self.analysis = analysis
        index = operation
    }

    /// The answer in the first line, the evidence after it; safe for a terminal of so many columns, `nil` for
    /// as wide as the names make it.
    ///
    /// - Parameter all: every step of a long chain and all that happened, and not only the beginning and the end.
    ///
    /// Cost: O(n log n) in operations and edges.
    public func text(width: Int? = 80, all: Bool = false) -> String {
        let names = OperationNames(analysis.trace)
        guard let waits = analysis.waits[index] else {
            return "\(names[index]) was never added to a queue: the trace knows it only as a dependency.\n"
        }
        let chains = DelayChains(analysis)
        let story = OperationStory(analysis: analysis, names: names, causes: chains.causes, index: index)
        let chain = chains.chain(endingIn: index)
        let limit = all ? nil : DelayChainTable.shownSteps
        let circle = chain.isCircular ? circle(chain, names) : ""
        let opening = answer(names, waits, chains.causes) + longestStep(chain, waits, names, chains.causes)
        return Prose.wrapped(opening, to: width) + "\n" + Prose.wrapped(circle, to: width) + "\n"
            + story.table(limit: limit, width: width) + "\n"
            + DelayChainTable(names: names).text(
                chain, title: "What it waited for, back to the start: \(chain.compositionInWords)",
                limit: limit,
                width: width)
            + "\n" + followers(names, chains.causes, width) + "\n" + cost(chains.ofRun, width)
    }

    /// `upload 3 took 1.93 s: 1.80 s of it waiting for a slot of uploads, which download 1 had for most of that time.`
    private func answer(_ names: OperationNames, _ waits: Waits, _ causes: StartCauses) -> String {
        let operation = analysis.trace.operations[index]
        let kind =
            operation.displayName == operation.kind
            ? "" : "\(TerminalText.shortened(operation.kind, toColumns: 32)), "
        let id = names[index].hasSuffix(" \(operation.id)") ? "" : "\(operation.id)"
        let details = kind + id
        let aside =
            details.isEmpty ? "" : " (\(details.hasSuffix(", ") ? String(details.dropLast(2)) : details))"
        let lifetime = DurationFormat.text(nanoseconds: waits.total)
        let verb = operation.finished == nil ? "has not finished after" : "took"
        let reason = waits.total == 0 ? "" : ": " + main(Self.longestPart(waits), of: waits, names, causes)
        return "\(names[index])\(aside) \(verb) \(lifetime)\(reason)\(Self.ending(operation))."
    }

    private static func longestPart(_ waits: Waits) -> Waits.Part {
        var longest: Waits.Part = .execution
        for part in Waits.Part.allCases where waits[part] > waits[longest] { longest = part }
        return longest
    }

    /// The operation that the answer names already.
    private func named(_ part: Waits.Part, _ causes: StartCauses) -> Int? {
        switch part {
        case .dependency: causes.lastDependency(of: index)
        case .slot: SlotHolders(analysis, during: index).holders.first?.operation
        default: nil
        }
    }

    /// Where to look, when it is not at the operation itself.
    private func longestStep(
        _ chain: DelayChain, _ own: Waits, _ names: OperationNames, _ causes: StartCauses
    ) -> String {
        // An operation has as many steps as it has children that it waited for.
        var totals = [Int64](repeating: 0, count: analysis.trace.operations.count)
        for step in chain.steps {
            totals[step.operation] = totals[step.operation].saturatingAdd(step.waits.total)
        }
        var slowest: (operation: Int, total: Int64)?
        for step in chain.steps where totals[step.operation] > slowest?.total ?? 0 {
            slowest = (step.operation, totals[step.operation])
        }
        let longest = slowest.map { slowest in
            var waits = Waits()
            for step in chain.steps where step.operation == slowest.operation { waits += step.waits }
            return (operation: slowest.operation, waits: waits)
        }
        guard let longest, longest.operation != index,
            longest.operation != named(Self.longestPart(own), causes)
        else { return "" }
        let most = Self.longestPart(longest.waits)
        let whole = DurationFormat.text(nanoseconds: longest.waits.total)
        let part = DurationFormat.text(nanoseconds: longest.waits[most])
        let what =
            switch most {
            case .execution: "executing"
            case .unknown: "for an unknown reason"
            default: "waiting for \(DelayChainTable.word(for: most))"
            }
        return " Of the steps below, \(names[longest.operation]) took longest: "
            + (part == whole ? "\(whole) \(what)." : "\(whole), \(part) of it \(what).")
    }

    private func main(
        _ part: Waits.Part, of waits: Waits, _ names: OperationNames, _ causes: StartCauses
    ) -> String {
        let time = DurationFormat.text(nanoseconds: waits[part])
        let operation = analysis.trace.operations[index]
        switch part {
        case .dependency:
            guard let last = causes.lastDependency(of: index) else {
                return "\(time) of it until it became ready"
            }
            return "\(time) of it waiting for \(names[last]), "
                + (analysis.trace.operations[last].finished == nil
                    ? "which has not finished" : "the last that it depends on")
        case .suspended: return "\(time) of it in a suspended queue"
        case .slot:
            let holders = SlotHolders(analysis, during: index).holders
            guard let first = holders.first else { return "\(time) of it waiting for a slot" }
            let others = holders.count == 1 ? "" : " of \(holders.count) that had one"
            return "\(time) of it waiting for a slot; \(names[first.operation]) had one for "
                + "\(DurationFormat.text(nanoseconds: first.duration)) of that, the longest\(others)"
        case .dispatch:
            return operation.executing == nil
                ? "\(time) of it ready, with a slot free, and not started"
                : "\(time) of it waiting for a thread, a slot being free"
        case .unknown: return "of \(time) of it the trace does not say what it waited for"
        case .execution:
            if let preparation { return preparation }
            if let blocking = blocking(names) { return blocking }
            let own = ownExecution
            guard own < waits.execution, waits.execution - own > own else { return "\(time) of it executing" }
            let covered = DurationFormat.text(nanoseconds: waits.execution - own)
            let children = analysis.trace.operations.store.columns.parents.values.reduce(0) {
                $0 + (Int($1) == index ? 1 : 0)
            }
            let subject = children == 1 ? "its child was" : "its \(children) children were"
            return "\(covered) of it while \(subject) at work"
                + (operation.finished == nil ? "" : ", \(DurationFormat.text(nanoseconds: own)) by itself")
        }
    }

    /// Most of the execution of one that waits for a key or a condition may lie before its body.
    private var preparation: String? {
        let operation = analysis.trace.operations[index]
        guard let line = analysis.lifelines[index],
            let began = operation.bodyBegan.map({ min(max($0.notAfter, line.start), line.end) }),
            began - line.start > (line.end - line.start) / 2
        else { return nil }
        let said = analysis.trace.marks.last { $0.operation == index && $0.time <= began }
        return "\(DurationFormat.text(nanoseconds: began - line.start)) of it between its start and its body"
            + (said.map { ", where it said: " + TerminalText.shortened($0.text, toColumns: 120) } ?? "")
    }

    /// What it blocked its thread for, where that was most of its execution.
    private func blocking(_ names: OperationNames) -> String? {
        let trace = analysis.trace
        let lengths = trace.blockingWaits.map { wait -> Int64 in
            guard wait.operation == index else { return 0 }
            return TraceMoment.bounded(wait.end ?? analysis.end) - TraceMoment.bounded(wait.start)
        }
        guard let longest = lengths.indices.max(by: { lengths[$0] < lengths[$1] }),
            lengths[longest] > (analysis.waits[index]?.execution ?? 0) / 2
        else { return nil }
        let target =
            switch trace.blockingWaits[longest].target {
            case .operation(let other): trace.operations.indices.contains(other) ? names[other] : "another"
            case .queue(let queue):
                trace.queues.indices.contains(queue)
                    ? "all of queue \(TerminalText.shortened(trace.queues[queue].name, toColumns: 32))"
                    : "a queue"
            }
        return
            "\(DurationFormat.text(nanoseconds: lengths[longest])) of it blocking its thread until the end of \(target)"
    }

    /// Nothing of this will ever finish.
    private func circle(_ chain: DelayChain, _ names: OperationNames) -> String {
        var members: [Int] = []
        for step in chain.steps.reversed()
        where step.end == chain.steps.last?.end && !members.contains(step.operation) {
            members.append(step.operation)
            if members.count == Self.shownFollowers { break }
        }
        return "It waits in a circle: " + members.map { names[$0] }.joined(separator: " → ") + " → …\n"
    }

    /// Nanoseconds in which none of its children was there.
    private var ownExecution: Int64 { analysis.ownExecution[index] }

    private static func ending(_ operation: TracedOperation) -> String {
        guard operation.finished != nil else { return "" }
        return switch operation.outcome {
        case .failed: "; it failed"
        case .cancelled: "; it was cancelled"
        case .succeeded, nil: ""
        }
    }

    private func followers(_ names: OperationNames, _ causes: StartCauses, _ width: Int?) -> String {
        let followers = Followers(of: index, analysis, causes).followers
        if followers.isEmpty { return "Nothing waited for it.\n" }
        var table = TextTable(
            title: followers.count == 1
                ? "One operation waited for it" : "\(followers.count) operations waited for it",
            columns: [.number("waited"), .name("operation"), .name("because")])
        for follower in followers.prefix(Self.shownFollowers) {
            table.rows.append([
                DurationFormat.text(nanoseconds: follower.waited), names[follower.operation],
                Self.text(follower.relation),
            ])
        }
        if followers.count > Self.shownFollowers {
            table.rows.append(["…", "\(followers.count - Self.shownFollowers) more", ""])
        }
        return table.text(width: width)
    }

    private static func text(_ relation: Followers.Relation) -> String {
        switch relation {
        case .lastDependency: "depends on it, and on nothing that finished later"
        case .dependency: "depends on it, and on something that finished later"
        case .slot: "got its slot"
        case .slotHeld: "needs a slot, and it has one"
        case .lastChild: "is its parent, and no child finished later"
        case .blockingWait: "blocked its thread for it"
        }
    }

    /// How much of what delayed the run is this operation's, and how late it could have been.
    private func cost(_ run: DelayChain, _ width: Int?) -> String {
        let makespan = analysis.makespan
        var part: Int64 = 0
        for step in run.steps where step.operation == index {
            part = part.saturatingAdd(step.end - step.start)
        }
        let share = makespan == 0 ? 0 : Int((Double(part) / Double(makespan) * 100).rounded())
        let whole = DurationFormat.text(nanoseconds: makespan)
        var lines = [
            part == 0
                ? "What it cost the run: it is not on the chain that delayed the end of the run (\(whole))."
                : "What it cost the run: \(DurationFormat.text(nanoseconds: part)) of \(whole), \(share) %, are its steps on "
                    + "the chain that delayed the end of the run."
        ]
        let replay = Replay(analysis)
        let unchanged = replay.run()
        let without = replay.run(scaling: index, by: 0)
        if unchanged.stuckOperations == 0, replay.drift(of: unchanged) <= Replay.tolerableDrift {
            let saved = max(0, unchanged.makespan - without.makespan)
            lines.append(
                "Had it executed in no time at all, the run would have been "
                    + (saved == 0 ? "no" : DurationFormat.text(nanoseconds: saved)) + " shorter (by replay).")
        }
        let slack = Slack(analysis)
        if let recorded = slack.recorded[index], let free = slack.throughDependencies[index] {
            lines.append(
                "Slack: \(Self.text(slack: recorded)) through everything that delayed the run, "
                    + "\(Self.text(slack: free)) through dependencies only (how much later it could have finished "
                    + "without moving the end).")
        }
        return lines.map { Prose.wrapped($0, to: width) + "\n" }.joined()
    }

    private static func text(slack: Int64) -> String {
        slack == 0 ? "none" : DurationFormat.text(nanoseconds: slack)
    }
}
