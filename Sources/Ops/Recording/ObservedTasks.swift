import CRecorder
import EventLog

/// The Swift tasks of the process, which one recorder records: the last one that asked for it.
enum ObservedTasks {
    /// What became of the first attempt, and who records tasks.
    private struct State {
        var isObserving: Bool?
        weak var recorder: Recorder?
    }

    private static let state = Locked(State())

    /// Records tasks with `recorder` from its next `begin` on, and no longer with another. False if that is
    /// not possible, which is said once.
    static func observe(by recorder: Recorder) -> Bool {
        state.withLock { state in
            let isObserving = state.isObserving ?? begin()
            state.isObserving = isObserving
            guard isObserving else { return false }
            if state.recorder !== recorder { recorder_record_tasks(nil) }
            state.recorder = recorder
            return true
        }
    }

    /// `recorder` begins to write `log`.
    static func begin(_ log: LogReference, of recorder: Recorder) {
        state.withLock { if $0.recorder === recorder { recorder_record_tasks(log.log) } }
    }

    /// `recorder` is about to close its log.
    static func end(of recorder: Recorder) {
        state.withLock { if $0.recorder === recorder { recorder_record_tasks(nil) } }
    }

    /// The log that tasks are recorded in now.
    static var writer: EventLogWriter? { state.withLock { $0.recorder }?.writer }

    /// The task that calls this; nil outside of tasks, and before `observe` returned true.
    static var current: OperationID? {
        guard state.withLock({ $0.isObserving == true }) else { return nil }
        let number = recorder_current_task()
        return number == 0 ? nil : OperationID(number)
    }

    private static func begin() -> Bool {
        let tasks = recorder_observe_tasks(nil)
        if let obstacle = TaskObstacle(rawValue: tasks.rawValue) {
            Complaint.say("the tasks of this program are not recorded: \(obstacle.reason)")
        }
        return tasks == TASKS_ARE_OBSERVED
    }
}
