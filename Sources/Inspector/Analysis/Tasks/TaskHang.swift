import EventLog
import InspectorTraces
import WaitDiagnosis

/// Whether nothing goes on at the end of a trace because Swift tasks wait for what can never come.
enum TaskHang {
    /// Proven are tasks that wait for each other, and continuations that nobody can resume. Without a proof,
    /// a program hangs that was killed while all of its tasks had waited for one continuation for long.
    /// Otherwise what they wait for may still come, as in a server without requests.
    ///
    /// Cost: linear in tasks and runs if a task has not finished.
    static func isHang(_ trace: Trace, _ blockers: Blockers) -> Bool {
        let tasks = trace.tasks
        // Lost events may be what they wait for.
        guard trace.header.droppedEvents == 0, tasks.entries.contains(where: { $0.finished == nil }) else {
            return false
        }
        let graph = TaskWaitGraph(tasks)
        if graph.open.contains(where: { graph.atEnd.state($0).state == .running }) { return false }
        return tasks.searches.keys.contains { tasks.isProvenLost(Int($0)) }
            || !graph.circles(besides: blockers).isEmpty
            || !trace.header.isClosed && haveWaitedForLong(graph, trace, blockers)
    }

    /// Whether tasks are alike and have awaited their continuations for long, for the first time there.
    private static func haveWaitedForLong(
        _ graph: TaskWaitGraph, _ trace: Trace, _ blockers: Blockers
    ) -> Bool {
        let tasks = trace.tasks
        guard let first = graph.origins.first,
            graph.origins.allSatisfy({ tasks.entries[$0].kind == tasks.entries[first].kind })
        else { return false }
        let standstills = TaskStandstills(trace, blockers, graph)
        guard let only = standstills.all.first, standstills.all.count == 1 else { return false }
        return only.state == .awaiting(.continuation) && !standstills.isLoop(only.tasks[0])
            && tasks.end - only.since >= UnfinishedReport.longExecution
    }
}
