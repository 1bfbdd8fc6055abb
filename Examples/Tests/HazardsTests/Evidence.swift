import Inspector
import Testing

/// What the log of a program that goes wrong holds, and that of the same job done right does not.
struct Evidence: Sendable, CustomTestStringConvertible {
    let id: String
    let claim: String
    let isIn: @Sendable (HazardRun) -> Bool

    init(_ id: String, _ claim: String, isIn: @escaping @Sendable (HazardRun) -> Bool) {
        self.id = id
        self.claim = claim
        self.isIn = isIn
    }

    var testDescription: String { "\(id): \(claim)" }

    /// What no log holds, and what the program says of it: every operation in it does what it should.
    static let inNoTrace = [
        (id: "read-context-not-told", verdict: "saved: new; shown: old"),
        (id: "retain-cycle", verdict: "never freed: 10 of 10"),
        // Only the kernel knows who had the processors: Tests/processor-hazards.sh records these with it.
        (id: "slot-held-while-blocked", verdict: "two pages at once, not 6"),
        (id: "more-slots-than-processors", verdict: "four operations shared a processor"),
        (id: "processors-taken", verdict: "other programs had the processors"),
        (id: "pool-blocked-by-waits", verdict: "urgent waited for the downloads"),
    ]

    static let all = ofOneOperation + ofGroups + ofOrder + ofTasks

    private static let ofOneOperation = [
        Evidence("cancel-calls-finish", "it finishes while another has the only slot") { run in
            let executing = run.trace["upload 1"]
            return run.trace.operations.contains {
                $0.executing == nil && happened(executing?.executing, before: $0.finished)
                    && (executing?.finished == nil || happened($0.finished, before: executing?.finished))
            }
        },
        Evidence("finish-only-if-executing", "it was cancelled and never finishes; the next one never starts")
        {
            run in
            let (first, second) = (run.trace["upload 1"], run.trace["upload 2"])
            return first?.cancelled != nil && first?.finished == nil && second?.executing == nil
        },
        Evidence("main-before-executing", "it has finished, and a thread waits for it to the end") { run in
            run.trace.blockingWaits.contains { wait in
                guard wait.end == nil, case .operation(let target) = wait.target else { return false }
                return run.trace.operations[target].finished != nil
            }
        },
        Evidence(
            "cancel-without-super", "its whole queue was cancelled, it was not, and it starts after that"
        ) {
            run in
            let upload = run.trace["upload"]
            let cancellation = run.log.events.first {
                if case .allCancelled = $0.body { true } else { false }
            }
            return upload?.cancelled == nil
                && happened(cancellation.map { TraceMoment($0.time) }, before: upload?.executing)
        },
        Evidence("start-ignores-cancellation", "it starts to execute after it was cancelled") { run in
            let payment = run.trace["payment"]
            return happened(payment?.cancelled, before: payment?.executing)
        },
        Evidence("finish-called-twice", "it has finished before the second chunk arrives") { run in
            happened(run.trace["download"]?.finished, before: run.trace.mark("second chunk"))
        },
        Evidence("asynchronous-work-in-main", "it has finished before its answer arrives") { run in
            happened(run.trace["download"]?.finished, before: run.trace.mark("the answer arrived"))
        },
        Evidence("ready-without-notification", "it is ready, in a queue with slots, and never starts") {
            run in
            let synchronize = run.trace["synchronize"]
            return synchronize?.ready != nil && synchronize?.executing == nil && synchronize?.finished == nil
        },
        Evidence("state-without-lock", "who looks finds it neither executing nor finished") { run in
            // The first may have come too late: the program looks again then.
            run.trace.marks.contains { mark in
                let torn = TraceMoment(mark.time)
                return mark.text == "neither executing nor finished"
                    && run.trace.operations.contains {
                        happened($0.executing, before: torn) && happened(torn, before: $0.finished)
                    }
            }
        },
    ]

    private static let ofGroups = [
        Evidence("group-starts-in-init", "a step ends before what the group depends on begins") { run in
            run.trace.hasEdge(from: "login", to: "import")
                && happened(run.trace["download"]?.finished, before: run.trace["login"]?.executing)
        },
        Evidence("group-cancelled-queue-not", "a step starts after its group was cancelled") { run in
            run.trace.children(of: "import").contains {
                happened(run.trace["import"]?.cancelled, before: $0.executing)
            }
        },
        Evidence("inner-failure-cancels-finisher", "every step has finished, and the group never does") {
            run in
            let steps = run.trace.children(of: "import")
            return !steps.isEmpty && steps.allSatisfy { $0.finished != nil }
                && run.trace["import"]?.executing != nil && run.trace["import"]?.finished == nil
        },
        Evidence("group-waits-on-own-queue", "groups wait to the end for steps that their queue never starts")
        {
            run in
            run.trace.blockingWaits.contains { wait in
                guard wait.end == nil, case .operation(let step) = wait.target, let group = wait.operation
                else { return false }
                let operations = run.trace.operations
                return operations[step].queue == operations[group].queue && operations[step].executing == nil
            }
        },
    ]

    private static let ofTasks = [
        Evidence("continuation-not-resumed", "a task awaits its continuation to the end") { run in
            run.task("load page")?.last?.awaits == .continuation
        },
        Evidence("tasks-await-each-other", "two tasks await the result of each other to the end") { run in
            run.task("fill")?.last?.awaits == .task && run.task("load")?.last?.awaits == .task
        },
        Evidence("actor-does-everything", "all that runs long has the actor") { run in
            run.stays(longer: 60_000_000).allSatisfy {
                $0.executor >= 0 && run.trace.tasks.executors[Int($0.executor)].kind == .actor
            }
        },
        Evidence("cancelled-task-goes-on", "a task runs for more than a second after it was cancelled") {
            run in
            run.trace.tasks.entries.contains {
                guard let cancelled = $0.cancelled, let finished = $0.finished else { return false }
                return finished - cancelled > 1_000_000_000
            }
        },
        Evidence("task-outlives-its-function", "a task has not finished when the program ends") { run in
            run.trace.tasks.entries.contains { $0.finished == nil }
        },
        Evidence("urgent-behind-background", "the clean-up has the actor for as long as it takes") { run in
            !run.stays(longer: 700_000_000).isEmpty
        },
    ]

    private static let ofOrder = [
        Evidence("result-in-completion-block", "the dependent starts before it is handed anything") { run in
            run.trace.hasEdge(from: "download", to: "parse")
                && happened(run.trace["parse"]?.executing, before: run.trace.mark("handing over"))
        },
        Evidence("runs-after-failed-dependency", "the dependent of a cancelled operation succeeds") { run in
            run.trace.hasEdge(from: "download", to: "save") && run.trace["download"]?.outcome == .cancelled
                && run.trace["save"]?.outcome == .succeeded
        },
        Evidence("dependency-not-declared", "no edge, and what was added first comes last") { run in
            !run.trace.hasEdge(from: "write", to: "count")
                && happened(run.trace["count"]?.executing, before: run.trace["write"]?.finished)
        },
        Evidence("dependency-added-late", "an edge is added to an operation that executes") { run in
            let parse = run.trace["parse"]
            return run.trace.hasEdge(from: "download", to: "parse")
                && run.log.events.contains {
                    guard case .dependencyAdded(parse?.id, _) = $0.body else { return false }
                    return happened(parse?.executing, before: TraceMoment($0.time))
                }
        },
        Evidence("replaced-not-cancelled", "the load of the old image succeeds after that of the new") {
            run in
            let (old, new) = (run.trace["old image"], run.trace["new image"])
            return old?.outcome == .succeeded && happened(new?.finished, before: old?.finished)
        },
    ]
}
