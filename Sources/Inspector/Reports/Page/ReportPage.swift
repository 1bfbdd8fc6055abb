/// A whole run as one web page: its figures, its findings, its graph and its timeline, and the story of each
/// operation.
///
/// A single file that needs no network and no other file. All data of the trace is in one block of JSON,
/// which browsers do not parse as markup, and reaches the page as text. The page's policy lets the browser
/// run, apply and load only what is in the file. The same trace gives the same bytes.
public struct ReportPage: Sendable {
    private static let mostMarks = 20_000

    /// Of the operations.
    private let analysis: TraceAnalysis
    /// Of operations and Swift tasks.
    private let whole: TraceAnalysis
    private let findings: PageFindings
    private let chains: DelayChains
    let selection: PageSelection

    /// Cost: O(n log n) in operations and edges.
    public init(_ analysis: TraceAnalysis) {
        self.init(analysis, mostOperations: PageSelection.mostOperations)
    }

    init(_ analysis: TraceAnalysis, mostOperations: Int) {
        self.analysis = analysis
        whole = analysis.withTasks.asDrawn
        findings = PageFindings(report: HazardReport(analysis))
        chains = DelayChains(whole)
        selection = PageSelection(
            whole,
            first: findings.operations + chains.ofRun.steps.map(\.operation)
                + whole.criticalPath.operations,
            most: mostOperations)
    }

    /// The page's own note about what it leaves out; `nil` if it is complete.
    public var omission: String? { selection.omission }

    /// UTF-8. Cost: O(n log n) in operations and edges, and some replays of the run.
    public var html: [UInt8] {
        PageDocument.html(title: analysis.trace.header.process, [("trace", data)])
    }

    /// The page's data. Cost: that of the page.
    var data: JSONObject {
        let delaying = chains.ofRun
        let tables = PageTables(analysis: analysis, whole: whole)
        let kinds = tables.kinds
        let tasks = PageTasks(whole, selection)
        let taskKinds = tables.taskKinds(tasks?.kinds ?? [], besides: kinds.numbers)
        var names = PageTexts(namesOf: selection.operations, in: whole.trace)
        let unfinished = UnfinishedReport(analysis)
        let ofWhole = whole.trace.tasks.isEmpty ? unfinished : UnfinishedReport(whole)
        var standstills = PageStandstills(ofWhole)
        let cost = RunCost(whole, chains, delaying)
        let (marks, blockingWaits) = (shownMarks, shownWaits)
        let operationNames = OperationNames(whole.trace)
        var object = JSONObject()
        object.add("count", selection.operations.count)
        PageSummary(
            analysis: analysis, whole: whole, unfinished: unfinished,
            stillSince: ofWhole.stillSince,
            why: WhyReport(
                analysis, whole, findings.report, unfinished, WhyReport.delays(delaying, in: whole),
                predictions: tables.whatIfReport?.predictions, tables.predictions),
            delaying: delaying
        ).add(to: &object)
        object.add("omission", selection.omission)
        object.add(
            "operations",
            PageOperations(whole, selection, chains, delaying, operationNames, cost.slack)
                .object(&names, &standstills))
        object.add(
            "stories",
            PageStories(
                StoryMaker(
                    whole, operationNames, chains.causes, ofWhole.reasons, cost: cost, marks: marks,
                    blockingWaits: blockingWaits), selection
            ).object)
        let lanes = PageLanes(whole, selection)
        object.add("lanes", lanes.sections)
        object.add("laneRows", PageColumn.object(lanes.rows))
        object.add("waits", PageWaits(analysis: whole, selection: selection, chains: chains).object)
        object.add("tasks", tasks?.object)
        object.add("standstills", standstills.sentences)
        object.add("executions", PageExecutions(whole, selection)?.object)
        if analysis.trace.isMerged {
            let processes = ProcessNames(analysis.trace).names
            object.add(
                "processNames",
                processes.map {
                    MarkupText.visible(TerminalText.shortened($0, toColumns: OperationNames.usualLength))
                })
        }
        object.add("names", names.texts)
        object.add("nameWidth", names.width)
        object.add("kinds", tables.kindNames(of: selection.operations))
        // Plus one; 0 for no colour of its own.
        object.add("kindColors", KindColors(whole).numbers.map { ($0 ?? -1) + 1 })
        object.add("glossary", PageGlossary.object)
        object.add("threads", tables.threads)
        object.add("phrases", PagePhrases.object)
        object.add("endings", OperationEnding.allCases.map(\.label))
        object.add(
            "graph",
            PageGraph(
                analysis: whole, selection: selection, kinds: kinds.numbers + taskKinds.map(\.number)
            ).object)
        object.add("criticalPath", PageColumn.object(places(whole.criticalPath.operations)))
        object.add("criticalPathCount", whole.criticalPath.operations.count)
        object.add("delaying", PageColumn.object(places(delaying.steps.map(\.operation))))
        object.add("delayingTimes", PageColumn.object(delaying.steps.map { $0.end - $0.start }))
        object.add("delayingCount", delaying.steps.count)
        object.add("marks", objects(of: marks))
        object.add("blockingWaits", objects(of: blockingWaits))
        object.add("findings", findings.object(selection))
        object.add("kindTable", tables.kindObjects(kinds))
        object.add("taskKinds", taskKinds.map(\.object))
        object.add("queueTable", tables.queueObjects)
        object.add("laterQueues", tables.laterQueues)
        if let whatIf = tables.whatIf { object.add("whatIf", whatIf) }
        for (name, isBlocked) in [("flame", false), ("blockedFlame", true)] {
            object.add(
                name, PageFlame(analysis: analysis, selection: selection, isBlocked: isBlocked).object)
        }
        object.add("light", PageTheme.object(.light))
        object.add("dark", PageTheme.object(.dark))
        return object
    }

    /// Positions plus one, as in all columns; 0 for operations that are left out.
    private func places(_ operations: [Int]) -> [Int64] {
        operations.map { selection.position(of: $0).map { Int64($0) + 1 } ?? 0 }
    }

    private var shownMarks: [TraceMark] {
        Array(
            analysis.trace.marks.lazy.filter { selection.position(of: $0.operation) != nil }
                .prefix(Self.mostMarks))
    }

    private func objects(of marks: [TraceMark]) -> [JSONObject] {
        marks.map { mark in
            var object = JSONObject()
            object.add("operation", selection.position(of: mark.operation))
            object.add("time", TraceMoment.bounded(mark.time))
            object.add("text", PageTables.shown(mark.text))
            return object
        }
    }

    private var shownWaits: [BlockingWait] { Array(analysis.trace.blockingWaits.prefix(Self.mostMarks)) }

    private func objects(of waits: [BlockingWait]) -> [JSONObject] {
        waits.map { wait in
            var object = JSONObject()
            object.add("operation", selection.position(of: wait.operation))
            switch wait.target {
            case .operation(let index): object.add("target", selection.position(of: index))
            case .queue(let queue): object.add("queue", queue + 1)
            }
            object.add("start", TraceMoment.bounded(wait.start))
            object.add("end", TraceMoment.bounded(wait.end ?? analysis.end))
            if wait.end == nil { object.add("isOpen", 1) }
            return object
        }
    }
}

extension ReportPage: Writable {
    package static var renderers: [Renderer<ReportPage>] {
        [
            Renderer(
                .html, making: \.self, notes: { [$0.omission].compactMap(\.self) },
                write: { page, emit in emit(page.html) })
        ]
    }
}
