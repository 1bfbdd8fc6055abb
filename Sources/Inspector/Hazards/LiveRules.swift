/// The rules that apply to a program while it runs, by name.
package enum LiveRules {
    /// All other rules are about a run as a whole.
    package static let all: Set<String> = [
        SelfWaitDeadlock.name, DependencyCycle.name, LostFinisher.name, Limbo.name, ReadyNotStarted.name,
        AwaitCircle.name, LostContinuation.name, UnfinishedTask.name,
        FinishedBeforeStart.name, StartedAfterFinish.name, DoubleStart.name, DoubleFinish.name,
        RanWhileCancelled.name, CancelNotPropagated.name, SlowToCancel.name, WorkBeforeStart.name,
        RanAfterFailedDependency.name, StartedEarly.name, LateEdge.name, ThreadStarvation.name,
        PriorityInversion.name, PriorityStarvation.name,
    ]
    /// Rules about operations and tasks that could still go on.
    package static let patient: Set<String> = [
        LostFinisher.name, Limbo.name, ReadyNotStarted.name, LostContinuation.name, UnfinishedTask.name,
    ]
    package static let deadlocks: Set<String> = [
        SelfWaitDeadlock.name, DependencyCycle.name, AwaitCircle.name,
    ]
    /// Rules about what has not finished, and is not proven to be stuck.
    package static let standstills: Set<String> = [
        NeverFinished.name, LostContinuation.name, UnfinishedTask.name,
    ]
    package static let blockedPool = BlockedPool.name
    package static let neverFinished = NeverFinished.name
    /// After this time, in nanoseconds, an operation that could still go on is stuck.
    package static let leastTime = NeverFinished.longExecution
}
