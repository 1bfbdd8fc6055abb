package import EventLog
import InspectorAnalysis

/// Events with all their fields drawn at random, names among them that are hard to carry.
package struct RandomEvents {
    private var generator: SplitMix64
    private var time: Int64 = 0

    package init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    package mutating func next() -> LogEvent {
        time += Int64.random(in: 0...5_000_000, using: &generator)
        let notBefore = Bool.random(using: &generator) ? Int64.random(in: 0...time, using: &generator) : nil
        return LogEvent(
            time: time, notBefore: notBefore, thread: UInt64.random(in: 1...4_194_304, using: &generator),
            body())
    }

    /// An event of few tasks and executors, so that several are about the same one.
    package mutating func nextOfTask() -> LogEvent {
        while true {
            var event = next()
            event.renumber(operation: { $0 >= 1 << 40 ? 1 << 40 + $0 % 5 : $0 }, queue: { $0 % 4 + 1 })
            var fields = EventFields()
            var texts = InternedTexts()
            fields.take(event, &texts)
            if fields.isOfTask { return event }
            if case .executorOpened = event.body { return event }
        }
    }

    private mutating func body() -> LogEvent.Body {
        switch Int.random(in: 0..<41, using: &generator) {
        case 0, 1:
            .enqueued(
                .init(
                    operation: operation(), kind: name(), name: Bool.random(using: &generator) ? name() : nil,
                    queue: queue(), parent: Bool.random(using: &generator) ? operation() : nil,
                    dependencies: (0..<Int.random(in: 0...3, using: &generator)).map { _ in operation() },
                    priority: [-8, -4, 0, 4, 8].randomElement(using: &generator)!,
                    origin: [nil, "/bin/app+0x1f", "ünï\u{1}"].randomElement(using: &generator)!))
        case 2: .sighted(operation(), kind: name(), name: Bool.random(using: &generator) ? name() : nil)
        case 3: .dependencyAdded(operation(), predecessor: operation())
        case 4: .dependencyRemoved(operation(), predecessor: operation())
        case 5: .ready(operation())
        case 6: .executing(operation())
        case 7: .cancelled(operation())
        case 38: .taskCancelled(task(), by: Bool.random(using: &generator) ? operation() : nil)
        case 39:
            .taskSearched(
                .init(
                    task: task(), holder: Bool.random(using: &generator) ? name() : "",
                    unseen: Bool.random(using: &generator) ? "it uses io_uring" : ""))
        case 40:
            .operationSearched(
                .init(
                    operation: operation(), holder: Bool.random(using: &generator) ? name() : "",
                    unseen: Bool.random(using: &generator) ? "it uses io_uring" : ""))
        case 8:
            .finished(
                operation(),
                [Outcome.succeeded, .cancelled, .failed(message: name())].randomElement(using: &generator)!)
        case 9:
            .queueOpened(
                queue(), name: name(), limit: Int.random(in: -1...64, using: &generator),
                isSuspended: Bool.random(using: &generator))
        case 10: .queueRenamed(queue(), name: name())
        case 11: Bool.random(using: &generator) ? .suspended(queue()) : .resumed(queue())
        case 12: .limitChanged(queue(), limit: Int.random(in: -1...64, using: &generator))
        case 13: .bodyBegan(operation())
        case 14: .bodyEnded(operation())
        case 15: .marked(name(), by: Bool.random(using: &generator) ? operation() : nil)
        case 18: .slotFree(operation())
        case 19: .contextSent(operation())
        case 21: .unnotifiedFinish(operation())
        case 20: .contextReceived(Bool.random(using: &generator) ? operation() : nil, traceparent: name())
        case 16:
            .waitBegan(
                Bool.random(using: &generator) ? .operation(operation()) : .queue(queue()),
                by: Bool.random(using: &generator) ? operation() : nil)
        case 17: .waitEnded
        case 23:
            .leftCPU(
                afterNanoseconds: Int64.random(in: 0...(1 << 40), using: &generator),
                [.unknown, .preempted, .blocked].randomElement(using: &generator)!)
        case 24: .waitedForCPU(nanoseconds: Int64.random(in: 0...(1 << 40), using: &generator))
        case 25: .switchesLost(nanoseconds: Int64.random(in: 0...(1 << 40), using: &generator))
        case 26:
            .frame(
                stack: Int64.random(in: 1...40, using: &generator),
                caller: Bool.random(using: &generator) ? Int64.random(in: 1...40, using: &generator) : nil,
                function: name(), module: Bool.random(using: &generator) ? name() : nil)
        case 27:
            .sampled(
                stack: Int64.random(in: 1...40, using: &generator),
                [.executing, .inKernel, .blocked].randomElement(using: &generator)!)
        case 28:
            .sampling(
                perSecond: Int.random(in: 1...10_000, using: &generator),
                lost: Int64.random(in: 0...(1 << 40), using: &generator),
                withoutCallers: Bool.random(using: &generator) ? name() : nil)
        case 29:
            .bodyUsed(
                operation(), onCPU: Int64.random(in: 0...(1 << 40), using: &generator),
                waitedForCPU: Bool.random(using: &generator)
                    ? Int64.random(in: 0...(1 << 40), using: &generator) : nil)
        case 30:
            .taskCreated(
                .init(
                    task: task(), kind: name(), creation: .allCases.randomElement(using: &generator)!,
                    parent: Bool.random(using: &generator) ? taskOrOperation() : nil,
                    priority: Int.random(in: 0...255, using: &generator),
                    isQueued: Bool.random(using: &generator),
                    origin: [nil, "/bin/app+0x1f>/lib.so+0x2", "ünï\u{1}"].randomElement(using: &generator)!
                ))
        case 31:
            .taskEnqueued(
                task(), executor: Bool.random(using: &generator) ? queue() : nil,
                by: Bool.random(using: &generator) ? taskOrOperation() : nil, after: awaited())
        case 32:
            .runBegan(
                task(), executor: Bool.random(using: &generator) ? queue() : nil,
                name: Bool.random(using: &generator) ? name() : nil)
        case 33:
            .runEnded(
                task(),
                .init(
                    awaits: awaited(), task: Bool.random(using: &generator) ? task() : nil,
                    executor: Bool.random(using: &generator) ? nextExecutor() : nil, place: name()))
        case 34:
            .taskResumed(
                task(), by: Bool.random(using: &generator) ? taskOrOperation() : nil, after: awaited())
        case 35: .taskMoved(task(), executor: Bool.random(using: &generator) ? queue() : nil)
        case 36: .executorOpened(queue(), .allCases.randomElement(using: &generator)!, name: name())
        case 37: .finished(task(), .failed(message: name()))
        default: .allCancelled(queue())
        }
    }

    private mutating func task() -> OperationID {
        OperationID((1 << 40) + UInt64.random(in: 0...40, using: &generator))
    }

    private mutating func taskOrOperation() -> OperationID {
        Bool.random(using: &generator) ? task() : operation()
    }

    private mutating func awaited() -> LogEvent.Awaited { .allCases.randomElement(using: &generator)! }

    /// The executor that a run waits for has 24 bits.
    private mutating func nextExecutor() -> QueueID {
        QueueID(UInt64.random(in: 1..<1 << 24, using: &generator))
    }

    private mutating func operation() -> OperationID {
        OperationID(UInt64.random(in: 1...40, using: &generator))
    }

    private mutating func queue() -> QueueID { QueueID(UInt64.random(in: 1..<1 << 28, using: &generator)) }

    private mutating func name() -> String {
        let names = [
            "", "a", "\"", "\\", "\n\r\t\u{0}\u{1f}\u{7f}", "</script>", "🧑‍🚀 é 文", "\u{202e}abc", "\u{2028}",
        ]
        return names.randomElement(using: &generator)! + String(Int.random(in: 0...9, using: &generator))
    }
}
