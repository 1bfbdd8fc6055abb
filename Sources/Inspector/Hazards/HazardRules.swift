/// All rules, the most severe first.
enum HazardRules {
    static let all: [any HazardRule.Type] =
        ofWhatNeverEnds + [
            FinishedBeforeStart.self, StartedAfterFinish.self, DoubleStart.self,
            DoubleFinish.self, RanWhileCancelled.self, CancelNotPropagated.self, SlowToCancel.self,
            WorkBeforeStart.self, RanAfterFailedDependency.self, StartedEarly.self, LateEdge.self,
            ThreadStarvation.self, BlockedPool.self, PriorityInversion.self, PriorityStarvation.self,
            BehindLongOperations.self, CrowdedQueue.self, ActorBottleneck.self, OutlivesScope.self,
            OverSerialized.self, DeadAir.self, BlockedSlot.self, MoreSlotsThanProcessors.self,
            BusyMachine.self,
        ]

    /// They take about as long as all others together, and share little with these: what the context computes
    /// for both is computed twice.
    static let throughTime: [any HazardRule.Type] = [CrowdedQueue.self, DeadAir.self]

    /// In this order, because `never-finished` reports what the others leave.
    static let ofWhatNeverEnds: [any HazardRule.Type] = [
        SelfWaitDeadlock.self, DependencyCycle.self, LostFinisher.self, Limbo.self, ReadyNotStarted.self,
        NeverFinished.self, AwaitCircle.self, LostContinuation.self, UnfinishedTask.self,
    ]
}
