// The texts of events, by what they are about.

extension EventSchema {
    /// What a text is about. Every text of an event states it, so that `opviz anonymize` replaces all of
    /// them: it switches over this without `default`.
    package enum TextSort: CaseIterable, Sendable {
        /// The kind of an operation.
        case kind
        /// The function that a task was written in, or the locations of its code.
        case taskKind
        /// The name of an operation, and of a task.
        case operation, task
        case queue, executor
        /// Why an operation failed.
        case message
        case mark
        /// A `traceparent`.
        case context
        case function
        /// The file of a function.
        case module
        /// The locations of code: of a closure, or of a task as in its kind.
        case code
        /// The functions in which a task was suspended, or the locations of their code.
        case place
        /// What could resume a task or finish an operation, and why something else could.
        case holder, obstacle
    }
}

extension EventFields {
    /// Replaces the number of every text in the event.
    package mutating func mapTexts(
        _ replacement: (InternedTexts.Number, EventSchema.TextSort) -> InternedTexts.Number
    ) {
        for member in EventSchema.of(type)?.members ?? [] {
            switch member.value {
            case .text(let sort):
                // Without a failure, the number may be that of an earlier event.
                let isMeant = member.presence != .ofFailure || ending == .failed
                text = isMeant ? replacement(text, sort) : InternedTexts.empty
            case .separate(let record, .text(let sort)):
                self[separate: record] = self[separate: record].map {
                    UInt64(replacement(InternedTexts.Number(truncatingIfNeeded: $0), sort))
                }
            case .separate(_, .operation), .separate(_, .number), .queue, .ending, .flag, .choice, .level,
                .duration, .predecessor, .predecessors:
                break
            }
        }
    }
}

/// Moves the texts of a log's events to other texts, once each.
package struct MovedTexts {
    /// Their new numbers, by the numbers in the log.
    private var numbers = ByText<InternedTexts.Number?>(absent: nil)

    package init() {}

    /// - Parameters:
    ///   - source: the log's texts, always the same.
    ///   - add: returns the new number of a text.
    package mutating func renumber(
        _ event: inout EventFields, _ source: InternedTexts,
        _ add: (UnsafeRawBufferPointer) -> InternedTexts.Number
    ) {
        event.mapTexts { number, _ in
            if let known = numbers[number] { return known }
            let new = source.withBytes(of: number, add)
            numbers[number] = new
            return new
        }
    }
}
