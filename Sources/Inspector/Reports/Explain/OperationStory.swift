import InspectorColumns

/// What happened to one operation, from its enqueue to its finish.
struct OperationStory {
    private static let shownHolders = 3

    struct Event: Sendable {
        /// Nanoseconds since the start of the trace.
        let time: Int64
        /// Nanoseconds; 0 for an instant.
        let duration: Int64
        let what: Phrase
    }

    /// Ordered by time.
    let events: [Event]

    /// - Parameter parts: of its execution, if they are known.
    init(
        _ analysis: TraceAnalysis, _ names: OperationNames, _ causes: StartCauses, _ parts: ExecutionParts?,
        of index: Int
    ) {
        let maker = Maker(analysis: analysis, names: names, causes: causes, parts: parts, index: index)
        events = maker.events.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    private struct Maker {
        let analysis: TraceAnalysis
        let names: OperationNames
        let causes: StartCauses
        let parts: ExecutionParts?
        let index: Int

        private var trace: Trace { analysis.trace }
        private var operation: TracedOperation { trace.operations[index] }

        var events: [Event] {
            guard let line = analysis.timings.transitions[index], let waits = analysis.waits[index] else {
                return []
            }
            let added = Phrase(.added, .phrase(queue), .phrase(parent))
            var events = [Event(time: line.enqueued, duration: 0, what: added)]
            var cursor = line.enqueued
            func add(_ duration: Int64, _ what: @autoclosure () -> Phrase) {
                if duration > 0 { events.append(Event(time: cursor, duration: duration, what: what())) }
                cursor = cursor.saturatingAdd(duration)
            }
            add(waits.dependency, dependency)
            add(waits.suspended, Phrase(.suspended))
            add(waits.slot, slot)
            add(waits.dispatch, Phrase(line.executing == nil ? .waitsForStart : .waitedForThread))
            if let executing = line.executing {
                if executing.notBefore > cursor {
                    add(executing.notBefore - cursor, Phrase(.waitedForUnknown))
                }
                let thread = operation.thread.map { Phrase(.onThread, .text("\($0)")) }
                events.append(
                    Event(
                        time: line.start, duration: line.end - line.start,
                        what: parts.flatMap { Phrase($0) }
                            .map { Phrase(.executedParts, .phrase(thread), .phrase($0)) }
                            ?? Phrase(.executed, .phrase(thread))))
                addBody(line, &events)
            }
            if let cancelled = operation.cancelled {
                events.append(Event(time: cancelled.notAfter, duration: 0, what: Phrase(.wasCancelled)))
            }
            for mark in trace.marks where mark.operation == index {
                events.append(
                    Event(time: mark.time, duration: 0, what: Phrase(.said, .text(mark.text))))
            }
            for wait in trace.blockingWaits where wait.operation == index {
                let end = TraceMoment.bounded(wait.end ?? analysis.end)
                events.append(
                    Event(
                        time: wait.start, duration: max(0, end - TraceMoment.bounded(wait.start)),
                        what: Phrase(.blocked, wait.target.argument(in: trace))))
            }
            events.append(Event(time: line.end, duration: 0, what: ending(line)))
            return events
        }

        /// Adds the begin and the end of the body, if they are noticeably after the start or before the end
        /// of the operation. A body begins late if the operation first waits for a key or a condition.
        private func addBody(_ line: OrderedTransitions, _ events: inout [Event]) {
            let noticeable = max(1_000_000, (line.end - line.start) / 100)
            if let began = operation.bodyBegan?.notAfter, began > line.start,
                began - line.start >= noticeable
            {
                events.append(Event(time: began, duration: 0, what: Phrase(.bodyBegan)))
            }
            if let ended = operation.bodyEnded?.notAfter, ended < line.end, line.end - ended >= noticeable,
                ended > line.start, ended - line.start >= noticeable
            {
                events.append(Event(time: ended, duration: 0, what: Phrase(.bodyReturned)))
            }
        }

        private var queue: Phrase? {
            guard let queue = operation.queue, trace.queues.indices.contains(queue) else { return nil }
            return trace.queues[queue].phrase(.toQueue, nameless: .toNamelessQueue)
        }

        private var parent: Phrase? {
            guard let parent = operation.parent, trace.operations.indices.contains(parent) else {
                return causes.remoteCause(of: index).map { Phrase(.causedEarlier, .phrase(remote($0))) }
            }
            return trace.isAcrossProcesses(parent, index)
                ? remote(parent) : Phrase(.byParent, .operation(parent))
        }

        private func remote(_ cause: Int) -> Phrase {
            names.isShared(cause)
                ? Phrase(.causedBy, .operation(cause))
                : Phrase(.causedByIn, .operation(cause), .text(names.process(of: cause)))
        }

        private var dependency: Phrase {
            guard let last = causes.lastDependency(of: index) else {
                return Phrase(operation.ready == nil ? .neverReady : .becameReady)
            }
            if trace.operations[last].finished == nil {
                let isAdded = trace.operations[last].enqueued != nil
                return Phrase(isAdded ? .waits : .waitsForMissing, .operation(last))
            }
            let count = trace.edges.reduce(0) { $0 + ($1.successor == index ? 1 : 0) }
            return count == 1
                ? Phrase(.waited, .operation(last))
                : Phrase(.waitedForLast, .operation(last), .number(count))
        }

        private var slot: Phrase {
            let holders = SlotHolders(analysis, during: index).holders
            var list: Phrase?
            for holder in holders.prefix(OperationStory.shownHolders) {
                let (operation, time) = (
                    Phrase.Argument.operation(holder.operation), Phrase.Argument.time(holder.duration)
                )
                list =
                    list.map { Phrase(.nextHolder, .phrase($0), operation, time) }
                    ?? Phrase(.holder, operation, time)
            }
            if holders.count > OperationStory.shownHolders {
                list = Phrase(
                    .moreHolders, .phrase(list), .number(holders.count - OperationStory.shownHolders))
            }
            return Phrase(.waitedForSlot, .phrase(limit), .phrase(list.map { Phrase(.takenBy, .phrase($0)) }))
        }

        private var limit: Phrase {
            guard let queue = operation.queue, trace.queues.indices.contains(queue),
                let limit = QueueLimits(analysis).fixed(queue), limit > 0
            else { return Phrase(.aSlot) }
            return limit == 1 ? Phrase(.onlySlot) : Phrase(.oneOfSlots, .number(limit))
        }

        private func ending(_ line: OrderedTransitions) -> Phrase {
            guard line.isFinished else {
                return Phrase(line.executing == nil ? .neverStarted : .stillExecuted)
            }
            return switch operation.outcome {
            case .failed(let message): Phrase(.failed, .text(message))
            case .cancelled: Phrase(.finishedCancelled)
            case .succeeded, nil: Phrase(.finished)
            }
        }
    }
}

extension BlockingWait.Target {
    /// What a thread was blocked for, as a phrase.
    func argument(in trace: Trace) -> Phrase.Argument {
        switch self {
        case .operation(let index):
            trace.operations.indices.contains(index) ? .operation(index) : .phrase(Phrase(.anOperation))
        case .queue(let queue):
            .phrase(
                trace.queues.indices.contains(queue)
                    ? trace.queues[queue].phrase(.allOfQueue, nameless: .allOfNamelessQueue)
                    : Phrase(.aQueue))
        }
    }
}

extension TracedQueue {
    /// With the queue's name, or with `queue 0x5`, which has the word already.
    fileprivate func phrase(_ named: Phrase.Template, nameless: Phrase.Template) -> Phrase {
        Phrase(name.isEmpty ? nameless : named, .name(displayName))
    }
}
