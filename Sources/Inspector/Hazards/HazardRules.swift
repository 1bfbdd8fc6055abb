/// All rules, those whose findings are the worst first.
enum HazardRules {
    static let all: [any HazardRule.Type] = [
        NeverFinished.self, SelfWaitDeadlock.self, DependencyCycle.self, LostFinisher.self, Limbo.self,
        ReadyNotStarted.self, FinishedBeforeStart.self, StartedAfterFinish.self, DoubleStart.self,
        DoubleFinish.self, RanWhileCancelled.self, CancelNotPropagated.self, SlowToCancel.self,
        WorkBeforeStart.self, RanAfterFailedDependency.self, StartedEarly.self, LateEdge.self,
        HandoffRace.self,
        ThreadStarvation.self, PriorityInversion.self, CrowdedQueue.self, OverSerialized.self, DeadAir.self,
    ]
}
