import InspectorColumns

/// The steps of a ``DelayChain`` as a table: when each began, how long it waited and for what, and how long
/// it executed.
struct DelayChainTable {
    /// The largest number of steps of a chain that a table shows, from its beginning and its end.
    static let shownSteps = 40
    /// Follows the number of rows that were left out.
    static let howToSee = " (see them with --all)"

    let names: OperationNames
    /// Whether steps have their numbers, as in `step:2`: only those of what delayed the run.
    var isNumbered = false
    /// Whether the steps of an operation are shown; nil to show all.
    var isSelected: ((Int) -> Bool)?

    /// - Parameter limit: how many steps are shown, but at least two.
    func text(_ chain: DelayChain, title: String, limit: Int, width: Int?) -> String {
        var table = TextTable(
            title: title,
            columns: (isNumbered ? [.number("step")] : []) + [
                .number("at"), .number("waited"), .word("for"), .number("executed"), .wrapped("operation"),
                .wrapped(isSelected == nil ? "the one above" : "the step before"),
            ])
        let steps = chain.steps.enumerated().filter { isSelected?($0.element.operation) ?? true }
        func numbered(_ number: String, _ row: [String]) -> [String] { (isNumbered ? [number] : []) + row }
        if let missing = chain.neverAdded {
            table.rows.append(numbered("", ["", "", "", "", names[missing], ""]))
        }
        table.append(steps, most: limit) { position, step in
            numbered(String(position + 1), row(step, isFirst: position == 0))
        } more: { hidden in
            let more = Phrase(.moreSteps, .number(hidden)).text(names) + Self.howToSee
            return numbered("…", [isNumbered ? "" : "…", "", "", "", more, ""])
        }
        var text =
            table.text(width: width) + Self.others(chain.steps.count - steps.count, "step", width)
        if chain.isCircular {
            let first =
                isSelected == nil
                ? "in the first row waits for one further down" : "of the first step waits for a later one"
            let note = "The operation \(first): they wait for each other in a circle."
            text += "\n" + Prose.wrapped(note, to: width) + "\n"
        }
        return text
    }

    /// Says how many are not selected.
    static func others(_ count: Int, _ noun: String, _ width: Int?) -> String {
        if count == 0 { return "" }
        return "\n" + Prose.wrapped("\(Prose.counted(count, noun)) left out by the filters", to: width) + "\n"
    }

    private func row(_ step: DelayChain.Step, isFirst: Bool) -> [String] {
        let waited = step.end - step.start - step.waits.execution
        return [
            DurationFormat.text(nanoseconds: step.start),
            waited == 0 ? "-" : DurationFormat.text(nanoseconds: waited),
            waited == 0 ? "" : Self.reason(of: step),
            step.waits.execution == 0 ? "-" : DurationFormat.text(nanoseconds: step.waits.execution),
            names[step.operation],
            step.reason.text(isFirst: isFirst),
        ]
    }

    /// What the largest part of the step's wait was for.
    private static func reason(of step: DelayChain.Step) -> String {
        var longest: (word: String, time: Int64) = (Self.beingAdded, step.beforeEnqueue)
        if let parts = step.taskParts {
            for part in TaskPart.allCases where part != .running && parts[part] > longest.time {
                longest = (part.row.object, parts[part])
            }
            return longest.word
        }
        for part in LifetimeParts.Part.allCases where part != .execution && step.waits[part] > longest.time {
            longest = (part.row.object, step.waits[part])
        }
        return longest.word
    }

    static let beingAdded = "being added"
}

extension DelayChain.Reason {
    /// How the step above delayed this one.
    func text(isFirst: Bool) -> String {
        switch self {
        case .added: isFirst ? "" : "added it"
        case .dependency: "was its last dependency"
        case .slot: isFirst ? "" : "had its slot"
        case .slotHeld: "still has its slot"
        case .child: "was its last child"
        case .remoteCause: isFirst ? "" : "caused it, in another process"
        case .blockingWait: "blocked its thread"
        case .programWait: "blocked the program"
        case .neverAdded: "was never added to a queue"
        case .thread: "was before it on its thread"
        case .awaited: "is what it awaited"
        case .resumed: "resumed its continuation"
        case .actorHeld: "had its actor"
        case .finisher: "finished it"
        }
    }
}

extension DelayChain {
    /// The part of the makespan before the first step: `and 99.9 ms of unknown cause before the chain's first
    /// operation was added`. Nil if it is less than 1 % of the run.
    func lead(in analysis: TraceAnalysis, _ names: OperationNames) -> String? {
        guard !steps.isEmpty, let time = leadTime(in: analysis) else { return nil }
        return "and \(time) of unknown cause \(Self.beforeFirst)" + lastFinish(in: analysis, names)
    }

    /// `, 99.9 ms before the chain's first operation was added`; nil if that was less than 1 % of the run.
    func noticeableLead(in analysis: TraceAnalysis) -> String? {
        leadTime(in: analysis).map { ", \($0) \(Self.beforeFirst)" }
    }

    /// Operations that were still being added when the run was nearly over explain its length. Nil if most of
    /// the run passed after the chain began.
    func additions(in analysis: TraceAnalysis, _ name: (Int) -> String) -> String? {
        guard let last = steps.last, length < analysis.makespan / 100 * Self.leastLead else { return nil }
        let time = DurationFormat.text(nanoseconds: analysis.makespan - length)
        let chain =
            steps.count == 1 ? name(last.operation) : "the last \(Prose.grouped(steps.count)) steps"
        return "operations were added until \(time); \(chain) then took "
            + DurationFormat.text(nanoseconds: length)
    }

    private func leadTime(in analysis: TraceAnalysis) -> String? {
        let earlier = analysis.makespan - length
        return earlier > 0 && earlier >= analysis.makespan / 100 * Self.leastLead
            ? DurationFormat.text(nanoseconds: earlier) : nil
    }

    /// A smaller part of the makespan in percent is not mentioned.
    private static let leastLead: Int64 = 1

    /// Hints that the program may wait for one operation before it adds another, which a trace does not show.
    private func lastFinish(in analysis: TraceAnalysis, _ names: OperationNames) -> String {
        guard let start = steps.first?.start else { return "" }
        var last: (index: Int, end: Int64)?
        for (index, operation) in analysis.trace.operations.enumerated() {
            guard operation.finished != nil,
                let end = analysis.timings.transitions.end(of: index), end <= start,
                end > last?.end ?? .min
            else { continue }
            last = (index, end)
        }
        return last.map {
            " (\(names[$0.index]) had finished "
                + "\(DurationFormat.text(nanoseconds: start - $0.end)) before that)"
        } ?? ""
    }

    static let nothing = "no step that took time"

    /// The composition, with a phrase for steps that took no time.
    func compositionInWords(_ name: (Int) -> String) -> String {
        let text = composition(name)
        return text.isEmpty ? Self.nothing : text
    }

    /// What the steps spent their time on.
    enum Portion: CaseIterable, Hashable {
        case part(LifetimeParts.Part)
        /// Of tasks; what is not known of them counts as `part(.unknown)`.
        case task(TaskPart)
        /// Before an operation was added.
        case beforeEnqueue
        /// Waiting for a dependency that was never added.
        case neverAdded

        static let allCases: [Portion] =
            LifetimeParts.Part.allCases.map { .part($0) }
            + TaskPart.allCases.filter { $0 != .unknown }.map { .task($0) }
            + [.beforeEnqueue, .neverAdded]

        /// Of a task.
        init(_ part: TaskPart) { self = part == .unknown ? .part(.unknown) : .task(part) }

        /// As the page names it.
        var key: String {
            switch self {
            case .part(let part): part.name
            case .task(let part): part.row.column
            case .beforeEnqueue: "beforeEnqueue"
            case .neverAdded: "neverAdded"
            }
        }
    }

    /// The order for parts of equal time; `{}` is the dependency that was never added.
    static let words: [(portion: Portion, text: String)] =
        ([.execution] + LifetimeParts.Part.waits).map { (.part($0), $0.row.activity) }
        + TaskPart.allCases.filter { $0 != .unknown }.map { (.task($0), $0.row.phrase) } + [
            (.neverAdded, "waiting for {}, which was never added to a queue"),
            (.beforeEnqueue, "before an operation was added"),
            (.part(.unknown), LifetimeParts.Part.unknown.row.activity),
        ]

    /// `402 ms executing, 310 ms waiting for slots, 12 ms waiting for threads`: the largest part first. Parts
    /// under 1 % are left out.
    ///
    /// - Parameter name: of the operation with that index.
    func composition(_ name: (Int) -> String) -> String {
        var sum = LifetimeParts()
        var sumOfTasks = TaskParts()
        var before: Int64 = 0
        for step in steps {
            if let parts = step.taskParts { sumOfTasks += parts } else { sum += step.waits }
            before = before.saturatingAdd(step.beforeEnqueue)
        }
        let forMissing = neverAdded == nil ? 0 : steps.first?.waits.dependency ?? 0
        sum.dependency -= forMissing
        sum.unknown += sumOfTasks[.unknown]
        let missing = neverAdded.map(name) ?? ""
        let parts = Self.words.map { portion, text -> (text: String, time: Int64) in
            switch portion {
            case .part(let part): (text, sum[part])
            case .task(let part): (text, sumOfTasks[part])
            case .beforeEnqueue: (text, before)
            case .neverAdded: (text.replacing("{}", with: missing), forMissing)
            }
        }
        let shown = parts.filter { $0.time > 0 && $0.time >= length / 100 }.enumerated().sorted {
            ($1.element.time, $0.offset) < ($0.element.time, $1.offset)
        }
        return shown.map { "\(DurationFormat.text(nanoseconds: $0.element.time)) \($0.element.text)" }
            .joined(separator: ", ")
    }
}
