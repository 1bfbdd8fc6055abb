internal import EventLog
import InspectorColumns

/// The operations of a page, column by column: everything that its tables, pictures and stories are made
/// from.
///
/// Values that follow from other columns are left out; the page's `data.js` computes them. Indices are
/// positions in the page's operations plus one; 0 means none.
struct PageOperations {
    private enum Flag {
        static let enqueued: Int64 = 1
        static let started: Int64 = 2
        static let finished: Int64 = 4
        static let critical: Int64 = 8
        /// In the chain that delayed the run.
        static let delaying: Int64 = 16
        /// Other operations have the same name.
        static let sharesName: Int64 = 32
        static let ready: Int64 = 64
        /// Its parent waited, or still waits, for it.
        static let waitedFor: Int64 = 128
    }

    /// With the Swift tasks as operations.
    private let analysis: TraceAnalysis
    private let selection: PageSelection
    private let chains: DelayChains
    private let delaying: DelayChain
    private let operationNames: OperationNames
    private let slack: Slack
    /// Of each operation of the page. Of a task without what it awaited.
    private let parts: [LifetimeParts]

    init(
        _ analysis: TraceAnalysis, _ selection: PageSelection, _ chains: DelayChains, _ delaying: DelayChain,
        _ operationNames: OperationNames, _ slack: Slack
    ) {
        self.analysis = analysis
        self.selection = selection
        self.chains = chains
        self.delaying = delaying
        self.operationNames = operationNames
        self.slack = slack
        let tasks = TaskLifetimes(analysis.trace.tasks)
        parts = selection.operations.map { index in
            guard let task = analysis.trace.task(index) else {
                return analysis.waits[index] ?? LifetimeParts()
            }
            let parts = tasks.parts(of: task)
            return [
                .slot: parts[.actor], .dispatch: parts[.executor], .execution: parts[.running],
                .unknown: parts[.unknown],
            ]
        }
    }

    private var causes: StartCauses { chains.causes }

    /// A member for each column, with its name.
    ///
    /// - Parameters:
    ///   - names: receives the messages of failures.
    ///   - standstills: receives why operations have not finished.
    func object(_ names: inout PageTexts, _ standstills: inout PageStandstills) -> JSONObject {
        var object = JSONObject()
        object.add("name", PageColumn.object(names.numbers))
        addIdentities(to: &object)
        addEndings(to: &object, &names)
        addTimes(to: &object)
        addCauses(to: &object)
        add("standstill", to: &object) { standstills.number(of: $0) }
        return object
    }

    private func add(_ name: String, to object: inout JSONObject, _ value: (Int) -> Int64) {
        object.add(name, PageColumn.object(selection.operations.map(value)))
    }

    private func addIdentities(to object: inout JSONObject) {
        let columns = analysis.trace.operations.store.columns
        // A JavaScript number has only 53 bits for an integer.
        add("idHigh", to: &object) { Int64(columns.identifiers[$0] >> 32) }
        add("idLow", to: &object) { Int64(columns.identifiers[$0] & 0xFFFF_FFFF) }
        add("kind", to: &object) { Int64(columns.kinds[$0]) }
        let queues = analysis.trace.queues.count
        add("queue", to: &object) { columns.queues[$0] < queues ? Int64(columns.queues[$0]) + 1 : 0 }
        add("thread", to: &object) { Int64(columns.threads[$0]) + 1 }
        add("parent", to: &object) {
            let parent = Int(columns.parents[$0])
            return parent == $0 ? 0 : place(parent)
        }
    }

    private func addEndings(to object: inout JSONObject, _ names: inout PageTexts) {
        let trace = analysis.trace
        let columns = trace.operations.store.columns
        var isDelaying = [Bool](repeating: false, count: columns.count)
        for step in delaying.steps { isDelaying[step.operation] = true }
        let (childWaits, path) = (ChildWaits(trace), analysis.criticalPath)
        let transitions = analysis.timings.transitions
        add("flags", to: &object) { index in
            var flags: Int64 = 0
            if columns.enqueued.has(index) { flags |= Flag.enqueued }
            if columns.executing.has(index) { flags |= Flag.started }
            if columns.finished.has(index) { flags |= Flag.finished }
            if columns.ready.has(index) { flags |= Flag.ready }
            if path.contains(operation: index) { flags |= Flag.critical }
            if isDelaying[index] { flags |= Flag.delaying }
            if operationNames.isShared(index) { flags |= Flag.sharesName }
            let parent = Int(columns.parents[index])
            if let line = transitions[index], parent != index, transitions.indices.contains(parent),
                let waiting = transitions[parent], childWaits.waited(waiting, parent, for: line)
            {
                flags |= Flag.waitedFor
            }
            return flags
        }
        add("ending", to: &object) { Int64(OperationEnding(columns, $0).rawValue) }
        add("message", to: &object) { index in
            guard columns.outcomes[index] >= OperationColumns.failed,
                case .failed(let message)? = trace.operations[index].outcome
            else { return 0 }
            return Int64(
                names.index(of: MarkupText.visible(TerminalText.shortened(message, toColumns: 120)))) + 1
        }
    }

    private func addTimes(to object: inout JSONObject) {
        let transitions = analysis.timings.transitions
        let columns = analysis.trace.operations.store.columns
        add("enqueued", to: &object) { transitions.enqueued(of: $0) ?? 0 }
        for part in LifetimeParts.Part.allCases {
            object.add(part.name, PageColumn.object(parts.map { $0[part] }))
        }
        // For nearly all operations, the parts give the following values; then 0 is stored.
        object.add(
            "startLater",
            PageColumn.object(
                zip(selection.operations, parts).map { index, waits in
                    guard let line = transitions[index] else { return 0 }
                    return (line.start - line.enqueued) &- (waits.total &- waits.execution)
                }))
        add("startLatitude", to: &object) { index in
            transitions[index]?.executing.map { $0.notAfter - $0.notBefore } ?? 0
        }
        object.add(
            "endLater",
            PageColumn.object(
                zip(selection.operations, parts).map { index, waits in
                    guard let line = transitions[index] else { return 0 }
                    return (line.end - line.enqueued) &- waits.total
                }))
        let own = analysis.ownExecution
        object.add(
            "covered",
            PageColumn.object(
                zip(selection.operations, parts).map { index, waits in
                    // A task does not run while it awaits.
                    analysis.trace.task(index) == nil ? waits.execution - own[index] : 0
                }))
        func moment(_ name: String, _ moments: MomentColumn) {
            add(name, to: &object) { index in
                guard moments.has(index), let line = transitions[index] else { return 0 }
                return max(0, TraceMoment.bounded(moments.notAfter(index)) - line.enqueued) + 1
            }
        }
        moment("bodyBegan", columns.bodyBegan)
        moment("bodyEnded", columns.bodyEnded)
        moment("cancelled", columns.cancelled)
    }

    private func addCauses(to object: inout JSONObject) {
        let transitions = analysis.timings.transitions
        let columns = analysis.trace.operations.store.columns
        add("lastDependency", to: &object) { place(causes.lastDependency(of: $0)) }
        let beginnings = selection.operations.map { chains.beginning(of: $0) }
        func addOfSteps(_ name: String, _ value: (DelayChain.Step, _ next: Int?) -> Int64) {
            object.add(name, PageColumn.object(beginnings.map { $0.map { value($0.step, $0.next) } ?? 0 }))
        }
        addOfSteps("reason") { step, _ in DelayChain.Reason.numbers[step.reason] ?? 0 }
        // 0 for the usual one, 1 for none.
        addOfSteps("next") { step, next in
            let usual: Int? =
                switch step.reason {
                case .added: Int(columns.parents[step.operation])
                case .dependency, .neverAdded: causes.lastDependency(of: step.operation)
                default: nil
                }
            return place(next) == place(usual) ? 0 : place(next) + 1
        }
        addOfSteps("beforeEnqueue") { step, _ in step.beforeEnqueue }
        addOfSteps("causeLater") { step, _ in
            guard let line = transitions[step.operation] else { return 0 }
            let waits = analysis.waits.parts(of: step.operation, line)
            let expected: Int64 =
                switch step.reason {
                case .dependency: waits.dependency
                case .slot: waits.dependency.saturatingAdd(waits.untilSlot)
                case .slotHeld: line.end - line.enqueued
                default: 0
                }
            return (step.start + step.beforeEnqueue - line.enqueued) &- expected
        }
        if analysis.trace.isMerged {
            add("process", to: &object) { Int64(analysis.trace.operations[$0].process) }
            add("remoteCause", to: &object) { place(causes.remoteCause(of: $0)) }
        }
        add("slack", to: &object) { (slack.recorded[$0] ?? -1).saturatingAdd(1) }
        add("slackThroughDependencies", to: &object) {
            (slack.throughDependencies[$0] ?? -1).saturatingAdd(1)
        }
    }

    /// The position of an operation of the trace, plus one.
    private func place(_ operation: Int?) -> Int64 {
        selection.position(of: operation).map { Int64($0) + 1 } ?? 0
    }
}
