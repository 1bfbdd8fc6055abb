/// One way in which operations or Swift tasks go wrong, and the same job done right.
struct HazardProgram: Sendable {
    let id: String
    /// What goes wrong, in a few words.
    let summary: String
    /// With operations or tasks written by hand, as they are found.
    let wrong: @Sendable () -> Verdict
    /// With the operations of `Ops`, or with other tasks.
    let right: @Sendable () -> Verdict

    static let all = [
        cancelCallsFinish, finishOnlyIfExecuting, mainBeforeExecuting, cancelWithoutSuper,
        startIgnoresCancellation, finishCalledTwice, asynchronousWorkInMain, resultInCompletionBlock,
        groupStartsInInit, groupCancelledQueueNot, innerFailureCancelsFinisher, groupWaitsOnOwnQueue,
        runsAfterFailedDependency, dependencyNotDeclared, dependencyAddedLate, readyWithoutNotification,
        stateWithoutLock, readContextNotTold, replacedNotCancelled, retainCycle,
        slotHeldWhileBlocked, moreSlotsThanProcessors, processorsTaken, continuationNotResumed,
        tasksAwaitEachOther, poolBlockedByWaits, actorDoesEverything, cancelledTaskGoesOn,
        taskOutlivesItsFunction, urgentBehindBackground,
    ]
}

/// What a program saw of itself, in one line.
enum Verdict: Sendable {
    case didItsJob(String)
    case wentWrong(String)

    init(_ isRight: Bool, _ sentence: String) { self = isRight ? .didItsJob(sentence) : .wentWrong(sentence) }
}
