import EventLog

/// Which Swift tasks in a log belong to a test. Other tests run at the same time, in the same process, and
/// their tasks are in the log, too.
struct OwnTasks {
    private var tasks: Set<OperationID>

    /// - Parameter body: the task of the test itself.
    init(of body: OperationID, in events: [LogEvent]) {
        tasks = [body]
        // A task is created before its children.
        for case .taskCreated(let task) in events.lazy.map(\.body) {
            // Every operation of the log is the test's.
            guard let parent = task.parent, !parent.isTask || tasks.contains(parent) else { continue }
            tasks.insert(task.task)
        }
    }

    /// The log without events of tasks that do not belong to the test.
    func only(_ contents: EventLogContents) -> EventLogContents {
        var own = contents
        own.events.removeAll { event in event.body.task.map { !tasks.contains($0) } ?? false }
        return own
    }
}

extension LogEvent.Body {
    /// The task that did something; nil if it was not a task.
    fileprivate var task: OperationID? {
        switch self {
        case .taskCreated(let task): task.task
        case .taskSearched(let search): search.task
        case .taskEnqueued(let task, _, _, _), .runBegan(let task, _, _), .runEnded(let task, _),
            .taskResumed(let task, _, _), .taskMoved(let task, _), .taskCancelled(let task, _):
            task
        case .finished(let operation, _): operation.isTask ? operation : nil
        default: nil
        }
    }
}
