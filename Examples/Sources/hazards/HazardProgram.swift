/// One way in which operations go wrong, and the same job done right.
struct HazardProgram: Sendable {
    let id: String
    /// What goes wrong, in a few words.
    let summary: String
    /// With operations written by hand, as they are found.
    let wrong: @Sendable () -> Verdict
    /// With the operations of `Ops`.
    let right: @Sendable () -> Verdict

    static let all = [
        cancelCallsFinish, finishOnlyIfExecuting, mainBeforeExecuting, cancelWithoutSuper,
        startIgnoresCancellation, finishCalledTwice, asynchronousWorkInMain, resultInCompletionBlock,
        groupStartsInInit, groupCancelledQueueNot, innerFailureCancelsFinisher, groupWaitsOnOwnQueue,
        runsAfterFailedDependency, dependencyNotDeclared, dependencyAddedLate, readyWithoutNotification,
        stateWithoutLock, readContextNotTold, replacedNotCancelled, retainCycle,
        slotHeldWhileBlocked, moreSlotsThanProcessors, processorsTaken,
    ]
}

/// What a program saw of itself, in one line.
enum Verdict: Sendable {
    case didItsJob(String)
    case wentWrong(String)

    init(_ isRight: Bool, _ sentence: String) { self = isRight ? .didItsJob(sentence) : .wentWrong(sentence) }
}
