public import Foundation
public import Ops

/// Records the operations that `body` adds to a queue, and waits until everything has finished.
///
/// - Parameters:
///   - tasks: records Swift tasks, too: the ones that `body`, its operations or their tasks create. Linux
///     only. Other recordings with tasks wait until this one has ended.
///   - name: the name of the run in messages and files.
///   - timeLimit: after this time, a stuck queue fails the test instead of hanging it.
///   - body: adds operations to the queue, which is new and records.
/// - Throws: errors of `body`; `StuckRun` if the operations did not finish in time, with the trace so far;
///   `UnobservableTasks` if tasks are wanted and cannot be recorded.
public func recorded(
    tasks: Bool = false, named name: String? = nil, timeLimit: Duration = .seconds(60),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: (InstrumentedQueue) async throws -> Void
) async throws -> RecordedRun {
    let recorder = Recorder()
    let queue = InstrumentedQueue(recorder: recorder)
    return try await recorded(
        by: recorder, waitingFor: [queue], tasks: tasks, named: name, timeLimit: timeLimit, fileID: fileID,
        filePath: filePath,
        line: line, column: column
    ) { try await body(queue) }
}

/// Records an existing queue while `body` uses it, and waits until the queue is empty.
///
/// An `InstrumentedQueue` records to its own recorder, which must be off. Any other queue is observed, on
/// Linux.
///
/// - Throws: as `recorded`; `UnobservableQueue` if queues of that class cannot be observed.
public func recorded(
    on queue: OperationQueue, tasks: Bool = false, named name: String? = nil,
    timeLimit: Duration = .seconds(60),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ body: () async throws -> Void
) async throws -> RecordedRun {
    let recorder = (queue as? InstrumentedQueue)?.recorder ?? Recorder()
    guard recorder.observe(queue) else { throw UnobservableQueue() }
    return try await recorded(
        by: recorder, waitingFor: [queue], tasks: tasks, named: name, timeLimit: timeLimit, fileID: fileID,
        filePath: filePath,
        line: line, column: column, body)
}

/// Records with a recorder that queues already have, while `body` runs. Use `Recorder.shared` for queues deep
/// inside a program.
///
/// - Parameter queues: the queues that must be empty before the recording ends. Without any, `body` itself
///   waits for what it starts.
/// - Throws: as `recorded`; `RecorderError` if the recorder is already recording.
public func recorded(
    by recorder: Recorder, waitingFor queues: [OperationQueue] = [], tasks: Bool = false,
    named name: String? = nil, timeLimit: Duration = .seconds(60), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () async throws -> Void
) async throws -> RecordedRun {
    let place = CallSite(fileID, filePath, line, column)
    guard tasks else {
        return try await record(by: recorder, queues, false, name, timeLimit, place, body)
    }
    if TaskTurns.isRecording { throw UnobservableTasks.isNested }
    await TaskTurns.shared.take()
    let result: Result<RecordedRun, any Error>
    do {
        result = .success(
            try await TaskTurns.$isRecording.withValue(true) {
                try await record(by: recorder, queues, true, name, timeLimit, place, body)
            })
    } catch {
        result = .failure(error)
    }
    await TaskTurns.shared.leave()
    return try result.get()
}

private func record(
    by recorder: Recorder, _ queues: [OperationQueue], _ tasks: Bool, _ name: String?, _ timeLimit: Duration,
    _ place: CallSite, _ body: () async throws -> Void
) async throws -> RecordedRun {
    let session = try RecordingSession(recorder, named: name, tasks: tasks)
    do {
        try await body()
    } catch {
        session.discard()
        throw error
    }
    let isDrained = await RecordingSession.drained(queues, within: timeLimit)
    return try session.finish(isDrained: isDrained, timeLimit: timeLimit, at: place)
}

/// Queues of classes other than `InstrumentedQueue` can be observed on Linux only, and not with
/// `OPVIZ_OBSERVE=passive`.
public struct UnobservableQueue: Error, CustomStringConvertible {
    public var description: String {
        "the queue cannot be observed here: make it an InstrumentedQueue"
    }
}
