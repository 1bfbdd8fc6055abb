import EventLog
package import InspectorAnalysis

/// A log of up to 6 operations on up to three queues: with dependencies, parents, failures, cancellations,
/// suspended queues, operations that never finished, and operations that only edges name.
///
/// - Parameter process: the program's name. The log refers to the processes before it as causes.
package func randomLog(
    _ process: String, pid: Int32, after others: [MadeUpLog] = [], _ generator: inout SplitMix64
) -> MadeUpLog {
    var log = MadeUpLog(process, pid: pid, start: Int64.random(in: 0...5_000, using: &generator))
    log.header.isClosed = Int.random(in: 0..<4, using: &generator) > 0
    let queues = (1...Int.random(in: 1...3, using: &generator)).map { QueueID(UInt64($0)) }
    for queue in queues {
        log.add(
            0,
            .queueOpened(
                queue, name: ["", "pages", "store"][Int(queue.rawValue) - 1],
                limit: [-1, 1, 1, 2, 3].randomElement(using: &generator) ?? 1,
                isSuspended: Int.random(in: 0..<8, using: &generator) == 0))
    }
    // The program is not measured in every run.
    let isMeasured = Bool.random(using: &generator)
    for id in 1...UInt64.random(in: 1...6, using: &generator) {
        addOperation(id, to: &log, queues, isMeasured: isMeasured, &generator)
    }
    if let cause = others.randomElement(using: &generator) {
        let time = Int64.random(in: 6_000...20_000, using: &generator)
        log.receive(cause.traceparent(1), for: 1, at: time)
    }
    return log
}

private func addOperation(
    _ number: UInt64, to log: inout MadeUpLog, _ queues: [QueueID], isMeasured: Bool,
    _ generator: inout SplitMix64
) {
    func chance(_ parts: Int) -> Bool { Int.random(in: 0..<parts, using: &generator) == 0 }
    func duration(_ most: Int64) -> Int64 { Int64.random(in: 0...most, using: &generator) }
    let operation = OperationID(number)
    let thread = UInt64.random(in: 20...23, using: &generator)
    func add(_ time: Int64, _ body: LogEvent.Body) {
        log.events.append(LogEvent(time: time, thread: thread, body))
    }
    // Number 90 is never added to a queue.
    let candidates = (1..<max(2, number)).filter { $0 != number } + [90]
    let dependencies = candidates.filter { _ in chance(4) }.prefix(2)
    var time = duration(9_000)
    add(
        time,
        .enqueued(
            .init(
                operation: operation, kind: ["Page", "Parse", "Store"][Int(number % 3)],
                name: chance(3) ? nil : "step \(number)", queue: queues[Int(number) % queues.count],
                parent: number > 1 && chance(3) ? OperationID(number - 1) : nil,
                dependencies: dependencies.map { OperationID($0) },
                priority: [-4, 0, 0, 8].randomElement(using: &generator) ?? 0)))
    if chance(12) { return }
    time += duration(6_000)
    add(time, .ready(operation))
    if chance(8) { add(time, .cancelled(operation)) }
    if chance(10) { return }
    time += duration(9_000)
    if !chance(12) { add(time, .executing(operation)) }
    if chance(10) { return }
    let start = time
    time += duration(30_000)
    if isMeasured, time > start {
        add(time, .leftCPU(afterNanoseconds: duration(time - start), chance(2) ? .preempted : .blocked))
    }
    let outcomes: [Outcome] = [.succeeded, .succeeded, .succeeded, .failed(message: "no"), .cancelled]
    // Of few operations, the log has times that contradict each other.
    add(chance(30) ? start - 2_000 : time, .finished(operation, outcomes.randomElement(using: &generator)!))
}
