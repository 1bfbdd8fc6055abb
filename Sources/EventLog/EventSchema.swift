import CLogFormat

/// The definition of events for every form of a log, one row per type. Encoders and decoders are driven by
/// these rows, and tests compare them with the tables of Documentation/TraceFormat.md. A new field of an
/// event needs a member here, the number of its record in CLogFormat.h, and its place in ``LogEvent``.
package struct EventSchema: Sendable {
    /// What an event is about: the subject of its record.
    package enum Subject: Sendable {
        case none, operation, queue
        /// 0 means the process.
        case operationOrProcess
        /// A time that has passed, in nanoseconds; the number of a stack; or a count.
        case number
    }

    /// `cat` in JSON. `process` is for operations' events that are about the process instead.
    package enum Category: Sendable {
        case op, queue, mark, wait, process, cpu, sample

        package var word: StaticString {
            switch self {
            case .op: "op"
            case .queue: "queue"
            case .mark: "mark"
            case .wait: "wait"
            case .process: "process"
            case .cpu: "cpu"
            case .sample: "sample"
            }
        }
    }

    /// What an event tells those that need only some events. They switch over it without `default`, so that
    /// an event with a new meaning is not forgotten.
    package enum Meaning: Sendable {
        /// The operation reached a step of its lifetime.
        case step(Step)
        /// The operation waits for a predecessor from now on, or not any more.
        case edgeAdded, edgeRemoved
        /// The operation sent its context to another process, or it or the process received one.
        case contextSent, contextReceived
        /// More about an operation.
        case operationDetail
        /// The queue has this name from now on.
        case queueNamed
        /// More about a queue.
        case queueDetail
        case mark
        /// The thread began to wait, or ended the wait that it began last.
        case waitBegan, waitEnded
        /// When a thread was on a processor.
        case threadTime
        /// What a thread executed.
        case sample
        /// A task is new.
        case taskCreated
        /// More about a task, and its runs.
        case taskDetail
        /// An executor of tasks is new.
        case executorOpened
    }

    /// A step of an operation's lifetime. A log that has one twice contradicts itself.
    package enum Step: UInt8, Sendable {
        case enqueued, ready, executing, cancelled, bodyBegan, bodyEnded, finished
    }

    /// A value of an event, as in ``EventFields``.
    package enum Value: Hashable, Sendable {
        case queue, ending
        case text(TextSort)
        /// True or false.
        case flag
        /// One of a few words.
        case choice(EventChoice)
        /// A small number.
        case level
        /// Nanoseconds.
        case duration
        /// The value of a separate record before the event's record.
        case separate(RecordType, Form)
        case predecessor
        /// Any number of predecessors.
        case predecessors

        static let origin = separate(.code, .text(.code))
        static let parent = separate(.parent, .operation)
        static let number = separate(.number, .number)
        static func name(_ sort: TextSort) -> Value { separate(.name, .text(sort)) }

        /// The record before the event that holds the value, if the argument does not.
        package var record: RecordType? {
            switch self {
            case .separate(let record, _): record
            case .predecessor, .predecessors: .dependency
            case .queue, .text, .ending, .flag, .choice, .level, .duration: nil
            }
        }
    }

    /// How a record before an event stores its value.
    package enum Form: Hashable, Sendable {
        /// The number of a text, in its argument.
        case text(TextSort)
        /// An identifier, in its subject.
        case operation
        /// Signed, in its subject.
        case number

        var isText: Bool { if case .text = self { true } else { false } }
    }

    package enum Presence: Sendable {
        case required, optional
        /// For a number: written unless it is 0.
        case unlessZero
        /// Written for an operation that failed.
        case ofFailure
    }

    package struct Member: Sendable {
        package let value: Value
        /// The key in `args` of JSON; nil for an operation's kind, which is the name of the JSON event.
        package let key: StaticString?
        package let presence: Presence
        /// The bits of the argument that hold it; nil if it has a separate record.
        package let bits: Range<UInt64>?

        /// Whether an existing value is written.
        func isWritten(_ value: UInt64) -> Bool { value != 0 || presence != .unlessZero }

        fileprivate init(
            _ value: Value, _ key: StaticString?, _ presence: Presence, bits: Range<UInt64>? = nil
        ) {
            self.value = value
            self.key = key
            self.presence = presence
            self.bits = bits
        }
    }

    package let type: RecordType
    package let category: Category
    package let meaning: Meaning
    /// The event's name: `args.event` of JSON.
    package let word: StaticString
    package let subject: Subject
    /// The key in `args` of JSON; nil if the subject is an operation whose events have it as `id2.local`.
    package let subjectKey: StaticString?
    /// In the order of the JSON.
    package let members: [Member]

    /// Nil if the type is not an event.
    package static func of(_ type: RecordType) -> EventSchema? { byNumber[Int(type.rawValue)] }

    package func category(ofSubject subject: UInt64) -> Category {
        self.subject == .operationOrProcess && subject == 0 ? .process : category
    }

    /// How many bits of an argument hold a queue, if it also holds a kind.
    package static let queueBits = UInt64(LOG_QUEUE_BITS)

    // Where the parts of arguments begin that are about tasks.
    private static let priorityStart = UInt64(LOG_TASK_PRIORITY_BIT)
    private static let kindStart = UInt64(LOG_TASK_KIND_BIT)
    private static let queuedStart = UInt64(LOG_TASK_QUEUED_BIT)
    private static let placeStart = UInt64(LOG_RUN_PLACE_BIT)
    private static let executorStart = UInt64(LOG_RUN_EXECUTOR_BIT)
    private static let nameStart = UInt64(LOG_EXECUTOR_NAME_BIT)

    /// What a search of a process's memory found.
    private static let search = [
        Member(.text(.holder), "holder", .optional, bits: 0..<56),
        Member(.name(.obstacle), "unseen", .optional),
    ]

    /// The most frequent first.
    package static let all: [EventSchema] = [
        ofOperation(.ready, "ready", .step(.ready)),
        ofOperation(.executing, "executing", .step(.executing)),
        ofOperation(
            .finished, "finished", .step(.finished),
            [
                Member(.ending, "outcome", .required, bits: 0..<2),
                Member(.text(.message), "message", .ofFailure, bits: 2..<56),
            ]),
        ofOperation(
            .enqueued, "enqueued", .step(.enqueued),
            [
                Member(.text(.kind), nil, .required, bits: queueBits..<56),
                Member(.name(.operation), "name", .optional),
                Member(.queue, "queue", .required, bits: 0..<queueBits),
                Member(.parent, "parent", .optional),
                Member(.predecessors, "dependencies", .optional),
                Member(.number, "priority", .unlessZero),
                Member(.origin, "origin", .optional),
            ]),
        ofOperation(.bodyBegan, "bodyBegan", .step(.bodyBegan)),
        ofOperation(.bodyEnded, "bodyEnded", .step(.bodyEnded)),
        ofOperation(
            .bodyUsed, "bodyUsed", .operationDetail,
            [whole(.duration, "onCPU"), Member(.number, "waitedForCPU", .optional)]),
        ofOperation(
            .dependencyAdded, "dependency", .edgeAdded, [Member(.predecessor, "predecessor", .required)]),
        ofOperation(
            .dependencyRemoved, "dependencyRemoved", .edgeRemoved,
            [Member(.predecessor, "predecessor", .required)]),
        ofOperation(.cancelled, "cancelled", .step(.cancelled)),
        ofOperation(.slotFree, "slotFree", .operationDetail),
        ofOperation(.contextSent, "contextSent", .contextSent),
        EventSchema(
            .contextReceived, .op, "contextReceived", .contextReceived, .operationOrProcess, nil,
            [whole(.text(.context), "traceparent")]),
        ofOperation(.unnotifiedFinish, "unnotifiedFinish", .operationDetail),
        ofOperation(.operationSearched, "operationSearched", .operationDetail, search),
        ofOperation(
            .sighted, "sighted", .operationDetail,
            [whole(.text(.kind), nil), Member(.name(.operation), "name", .optional)]),
        ofOperation(
            .taskCreated, "taskCreated", .taskCreated,
            [
                Member(.text(.taskKind), nil, .required, bits: 0..<priorityStart),
                Member(.parent, "parent", .optional),
                Member(.choice(.creation), "creation", .required, bits: kindStart..<queuedStart),
                Member(.level, "priority", .unlessZero, bits: priorityStart..<kindStart),
                Member(.flag, "queued", .required, bits: queuedStart..<queuedStart + 1),
                Member(.origin, "origin", .optional),
            ]),
        ofOperation(
            .runBegan, "runBegan", .taskDetail,
            [executor(0..<queueBits), Member(.name(.task), "name", .optional)]),
        ofOperation(
            .runEnded, "runEnded", .taskDetail,
            [
                Member(.choice(.awaited), "awaits", .required, bits: 0..<placeStart),
                Member(.predecessor, "task", .optional),
                executor(executorStart..<56),
                Member(.text(.place), "place", .optional, bits: placeStart..<executorStart),
            ]),
        ofOperation(
            .taskEnqueued, "taskEnqueued", .taskDetail,
            [
                executor(0..<queueBits), Member(.parent, "by", .optional),
                Member(.choice(.awaited), "after", .required, bits: queueBits..<queueBits + 4),
            ]),
        ofOperation(
            .taskResumed, "taskResumed", .taskDetail,
            [
                Member(.parent, "by", .optional), Member(.choice(.awaited), "after", .required, bits: 0..<4),
            ]),
        ofOperation(.taskCancelled, "taskCancelled", .taskDetail, [Member(.parent, "by", .optional)]),
        ofOperation(.taskSearched, "taskSearched", .taskDetail, search),
        ofOperation(.taskMoved, "taskMoved", .taskDetail, [executor(0..<queueBits)]),
        EventSchema(
            .executorOpened, .queue, "executorOpened", .executorOpened, .queue, "executor",
            [
                Member(.choice(.executorKind), "kind", .required, bits: 0..<nameStart),
                Member(.text(.executor), "name", .optional, bits: nameStart..<56),
            ]),
        ofQueue(
            .queueOpened, "opened", .queueNamed,
            [
                Member(.text(.queue), "name", .optional, bits: 1..<56),
                Member(.number, "limit", .required),
                Member(.flag, "suspended", .required, bits: 0..<1),
            ]),
        ofQueue(
            .queueRenamed, "renamed", .queueNamed,
            [Member(.text(.queue), "name", .optional, bits: 0..<56)]),
        ofQueue(.suspended, "suspended", .queueDetail),
        ofQueue(.resumed, "resumed", .queueDetail),
        ofQueue(.limitChanged, "limit", .queueDetail, [Member(.number, "limit", .required)]),
        ofQueue(.allCancelled, "allCancelled", .queueDetail),
        EventSchema(
            .mark, .mark, "mark", .mark, .none, nil,
            [whole(.text(.mark), "text"), Member(.parent, "operation", .optional)]),
        EventSchema(
            .waitForOperation, .wait, "waitBegan", .waitBegan, .operation, "on",
            [Member(.parent, "operation", .optional)]),
        EventSchema(
            .waitForQueue, .wait, "waitBegan", .waitBegan, .queue, "queue",
            [Member(.parent, "operation", .optional)]),
        EventSchema(.waitEnded, .wait, "waitEnded", .waitEnded, .none, nil, []),
        ofThread(.preempted, "preempted"),
        ofThread(.blocked, "blocked"),
        ofThread(.leftCPU, "left"),
        ofThread(.waitedForCPU, "waitedForCPU"),
        ofThread(.switchesLost, "switchesLost"),
        ofSample(.sampled, "sampled"),
        ofSample(.sampledInKernel, "sampledInKernel"),
        ofSample(.sampledBlocked, "sampledBlocked"),
        ofSample(
            .frame, "frame",
            [
                whole(.text(.function), "function"),
                Member(.name(.module), "module", .optional),
                Member(.number, "caller", .unlessZero),
            ]),
        EventSchema(
            .sampling, .sample, "sampling", .sample, .number, "lost",
            [Member(.number, "perSecond", .required), Member(.name(.module), "withoutCallers", .optional)]),
    ]

    private static let byNumber: [EventSchema?] = (0...Int(UInt8.max)).map { number in
        all.first { Int($0.type.rawValue) == number }
    }

    private init(
        _ type: RecordType, _ category: Category, _ word: StaticString, _ meaning: Meaning,
        _ subject: Subject, _ subjectKey: StaticString?, _ members: [Member]
    ) {
        self.type = type
        self.category = category
        self.meaning = meaning
        self.word = word
        self.subject = subject
        self.subjectKey = subjectKey
        self.members = members
    }

    private static func ofOperation(
        _ type: RecordType, _ word: StaticString, _ meaning: Meaning, _ members: [Member] = []
    ) -> EventSchema {
        EventSchema(type, .op, word, meaning, .operation, nil, members)
    }

    private static func ofQueue(
        _ type: RecordType, _ word: StaticString, _ meaning: Meaning, _ members: [Member] = []
    ) -> EventSchema {
        EventSchema(type, .queue, word, meaning, .queue, "queue", members)
    }

    private static func ofThread(_ type: RecordType, _ word: StaticString) -> EventSchema {
        EventSchema(type, .cpu, word, .threadTime, .number, "nanoseconds", [])
    }

    private static func ofSample(
        _ type: RecordType, _ word: StaticString, _ members: [Member] = []
    ) -> EventSchema {
        EventSchema(type, .sample, word, .sample, .number, "stack", members)
    }

    /// The executor of a task; left out if it is the global one, or unknown.
    private static func executor(_ bits: Range<UInt64>) -> Member {
        Member(.queue, "executor", .unlessZero, bits: bits)
    }

    /// A member that takes the whole argument.
    private static func whole(_ value: Value, _ key: StaticString?) -> Member {
        Member(value, key, .required, bits: 0..<56)
    }
}
