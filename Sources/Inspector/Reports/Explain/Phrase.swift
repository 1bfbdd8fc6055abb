/// A sentence about operations, or a part of one, as values. The wording is in ``Template``, once. It is
/// filled in here for terminals and JSON, and in the browser for pages.
struct Phrase: Sendable {
    indirect enum Argument: Sendable {
        /// An index into the trace's operations.
        case operation(Int)
        /// Nanoseconds.
        case time(Int64)
        case number(Int)
        /// Text of the program, shortened when it is shown.
        case text(String)
        /// Like `text`, for a queue or a kind; shorter.
        case name(String)
        /// A sentence that this package wrote.
        case sentence(String)
        /// Nil writes nothing.
        case phrase(Phrase?)
        /// Of a pattern: what each operation fills in itself.
        case ofStory(StoryTime)
        case value(StoryValue)
    }

    static let longestText = 1_000
    static let longestName = 200

    let template: Template
    let arguments: [Argument]

    init(_ template: Template, _ arguments: Argument...) { self.init(template, arguments) }

    private init(_ template: Template, _ arguments: [Argument]) {
        self.template = template
        self.arguments = arguments
    }

    /// A pattern with its times and values.
    func filled(time: (StoryTime) -> Int64, value: (StoryValue) -> Argument) -> Phrase {
        Phrase(
            template,
            arguments.map { argument in
                switch argument {
                case .ofStory(let name): .time(time(name))
                case .value(let name): value(name)
                case .phrase(let phrase): .phrase(phrase?.filled(time: time, value: value))
                default: argument
                }
            })
    }

    /// Safe for a terminal.
    func text(_ names: OperationNames) -> String {
        var pieces = template.rawValue.split(separator: "{}", omittingEmptySubsequences: false)[...]
        var text = String(pieces.removeFirst())
        for (argument, piece) in zip(arguments, pieces) { text += Self.text(argument, names) + piece }
        return text
    }

    private static func text(_ argument: Argument, _ names: OperationNames) -> String {
        switch argument {
        case .operation(let index): names[index]
        case .time(let nanoseconds): DurationFormat.text(nanoseconds: nanoseconds)
        case .number(let number): Prose.grouped(number)
        case .text(let text): TerminalText.shortened(text, toColumns: longestText)
        case .name(let name): TerminalText.shortened(name, toColumns: longestName)
        case .sentence(let sentence): sentence
        case .phrase(let phrase): phrase?.text(names) ?? ""
        // A pattern is filled in before it is shown.
        case .ofStory, .value: ""
        }
    }

    /// The operations that it names.
    var operations: [Int] {
        arguments.flatMap { argument -> [Int] in
            switch argument {
            case .operation(let index): [index]
            case .phrase(let phrase): phrase?.operations ?? []
            case .time, .number, .text, .name, .sentence, .ofStory, .value: []
            }
        }
    }
}

extension Phrase {
    /// The wording, with `{}` for each argument. The page refers to templates by their names.
    enum Template: String, CaseIterable, Sendable {
        // How long it took, and what most of that was for. The first arguments: the operation, its other
        // name, the time, the reason, the ending.
        case neverAdded = "{} was never added to a queue; the trace names it only as a dependency{}."
        case onlyNamed = "{} is a task of which the trace has nothing but the name."
        case ofDependent = " of {}"
        case ofDependents = " of {} and {} more"
        case took = "{}{} took {}{}{}."
        case unfinished = "{}{} has not finished after {}{}{}."
        case because = ": {}"
        case standstill = " {}."
        case aside = " ({})"
        case asides = " ({}, {})"
        case andFailed = "; it failed"
        case andCancelled = "; it was cancelled"

        // The reason.
        case untilReady = "{} of it until it became ready"
        case forLastDependency = "{} of it waiting for {}, its last dependency"
        case forOpenDependency = "{} of it waiting for {}, which has not finished"
        case forMissingDependency = "{} of it waiting for {}, which was never added to a queue"
        case inSuspendedQueue = "{} of it in a suspended queue"
        case forSlot = "{} of it waiting for a slot"
        case forSlotOf = "{} of it waiting for a slot; {} held one for {} of that"
        case forSlotOfSeveral = "{} of it waiting for a slot; of {} holders, {} held one longest, {}"
        case forThread = "{} of it waiting for a thread, with a free slot"
        case notStarted = "{} of it ready and not started, with a free slot"
        case forUnknown = "{} of it waiting, for an unknown reason"
        case executing = "{} of it executing"
        case executingParts = "{} of it executing ({})"
        case beforeBody = "{} of it between its start and its body{}"
        case whereItSaid = ", where it said: {}"
        case blocking = "{} of it blocking its thread until the end of {}"
        case duringChild = "{} of it while its child was working{}"
        case duringChildren = "{} of it while its {} children were working{}"
        case byItself = ", {} by itself"

        // The parts of a task.
        case andTaskPart = "{}; {}"
        case taskRunning = "{} running in {} runs"
        case severalTaskParts = "{} {} ({} times; the longest, {}, {})"
        case running = "running"
        case sleeping = "sleeping"
        case unknownPart = "unknown"
        case awaiting = "awaiting {}"
        case awaitingTask = "awaiting a task"
        case awaitingGroup = "awaiting its task group{}"
        case untilFinished = ", until {} finished"
        case awaitingContinuation = "awaiting its continuation{}"
        case resumedBy = ", which {} resumed"
        case heldBy = ", which {} may hold"
        case resumedByNothing = ", which nothing in its process could resume"
        case possiblyResumedByNothing = ", which possibly nothing in its process could resume"
        case waitingForExecutor = "waiting for its executor{}"
        case waitingForPool = "waiting for a thread of the global executor"
        case waitingForMainActor = "waiting for the main actor{}"
        case waitingForActor = "waiting for actor {}{}"
        case waitingForNamed = "waiting for {}{}"
        case hadBy = ", which {} had"

        // The events of a task.
        case created = "created{}"
        case createdAsyncLet = "created{} with async let"
        case createdGroupChild = "created{} in a task group"
        case createdImmediate = "created{} and begun at once"
        case createdEarlier = "had been created before the log began"
        case ranOn = "ran{}, on thread {}"
        case onExecutor = " on {}"
        case taskUnfinished = "had not finished when the trace ended"

        // Headings and notes for what is shown below.
        case events = "What happened to it (times since the start of the trace)"
        case moreEvents = "{} more events"
        case chain = "What delayed it, back to the start: {}"
        case moreSteps = "{} more steps"
        case circularChain = "What delayed it: a circle of waits that never resolved"
        case circle = "A circle of waits that never resolved: {} (each waits for the next)."
        case noFollowers = "Nothing waited for it."
        case oneFollower = "One operation waited for it"
        case followers = "{} operations waited for it"
        case oneTask = "One task waited for it"
        case tasks = "{} tasks waited for it"
        case operationsAndTasks = "{} operations and tasks waited for it"
        case moreFollowers = "{} more"

        // Where to look next.
        case longestStep = " Of the steps below, {} took longest: {} {}."
        case longestStepPart = " Of the steps below, {} took longest: {}, {} of it {}."
        case stepExecuting = "executing"
        case stepUnknown = "for an unknown reason"
        case stepWaiting = "waiting for {}"
        case stepWaitingFor = "waiting for {}, which was never added to a queue"

        // Events.
        case added = "added{}{}"
        case toQueue = " to queue {}"
        case toNamelessQueue = " to {}"
        case byParent = " by {}"
        case causedBy = ", caused by {}"
        case causedByIn = ", caused by {} in {}"
        case causedEarlier = "{}, which had finished"
        case becameReady = "became ready"
        case neverReady = "was never ready, for an unknown reason"
        case waits = "waits for {}, which has not finished"
        case waitsForMissing = "waits for {}, which was never added to a queue"
        case waited = "waited for {}"
        case waitedForLast = "waited for {}, the last of its {} dependencies"
        case suspended = "its queue was suspended"
        case waitedForSlot = "waited for {}{}"
        case aSlot = "a slot"
        case onlySlot = "the queue's only slot"
        case oneOfSlots = "one of {} slots"
        case takenBy = ", taken by {}"
        case holder = "{} ({})"
        case nextHolder = "{}, {} ({})"
        case moreHolders = "{} and {} more"
        case waitedForThread = "had a slot; waited for a thread"
        case waitsForStart = "ready and not started, with a free slot"
        case waitedForUnknown = "waited, for an unknown reason"
        case executed = "executed{}"
        case onThread = ", started on thread {}"
        case executedParts = "executed{}: {}"
        case ofPart = "{} {}"
        case nothingMeasured = "unmeasured"
        case about = "about {}"
        case andPart = "{}, {}"
        case bodyBegan = "its body began"
        case bodyReturned = "its body returned"
        case wasCancelled = "was cancelled"
        case said = "said: {}"
        case blocked = "blocked its thread until the end of {}"
        case allOfQueue = "every operation in queue {}"
        case allOfNamelessQueue = "every operation in {}"
        case aQueue = "a queue"
        case anOperation = "an operation"
        case finished = "finished"
        case finishedCancelled = "finished, cancelled"
        case failed = "failed: {}"
        case stillExecuted = "was still executing when the trace ended"
        case neverStarted = "had not started when the trace ended"

        // The cost.
        case unknownCost = "What it cost the run is unknown, because it never finished."
        case offTheChain =
            "What it cost the run: nothing directly; it is not on the chain of {} that delayed the end."
        case onTheChain =
            """
            What it cost the run: {} of the {} that delayed the end ({} %).
            """
        case noShorter =
            "If it had taken no time, the run would not have been shorter (by replay)."
        case shorter = "If it had taken no time, the run would have been {} shorter (by replay)."
        case noSlack = "If it had finished later, the run would have ended later."
        case noSlackButThroughDependencies =
            """
            If it had finished later, the run would have ended later; if only dependencies counted, it could \
            have finished {} later.
            """
        case slack = "It could have finished {} later without moving the end of the run."
        case slackThroughDependencies =
            """
            It could have finished {} later without moving the end of the run; if only dependencies counted, \
            {} later.
            """
    }
}
