import EventLog
package import InspectorColumns

/// The operations of a trace, one column for each property. An operation is an index. Analyses loop over
/// these columns; everything else uses `TracedOperation`.
///
/// Takes about 70 bytes an operation, and 16 for each of the rarer transitions, plus the names.
package struct OperationColumns: Sendable {
    /// Means no index or no number.
    package static var none: Int32 { -1 }
    package static var succeeded: UInt32 { 1 }
    package static var cancelled: UInt32 { 2 }
    package static var failed: UInt32 { 3 }

    package var identifiers: [UInt64] = []
    /// Indices into `kindTexts`.
    package var kinds: [Int32] = []
    package var names = Column<InternedTexts.Number>(absent: .max)
    /// Indices into the trace's queues, and into these columns.
    package var queues = Column<Int32>(absent: none)
    package var parents = Column<Int32>(absent: none)
    /// Indices into the trace's processes: takes room in merged traces only.
    package var processes = Column<Int32>(absent: 0)
    package var priorities = Column<Int32>(absent: 0)
    /// Whether it is a closure: of Foundation's `BlockOperation`, whatever its kind is called.
    package var closures = Column<Bool>(absent: false)
    package var enqueued = MomentColumn()
    package var ready = MomentColumn()
    /// Until when it waited for a slot, if the file says so.
    package var slotFree = MomentColumn()
    package var executing = MomentColumn()
    package var bodyBegan = MomentColumn()
    package var bodyEnded = MomentColumn()
    package var cancelled = MomentColumn()
    package var finished = MomentColumn()
    package var unnotifiedFinish = MomentColumn()
    /// 0 for none, `succeeded`, `cancelled`. Larger values mean a failure: `failed` plus the number of its
    /// message.
    package var outcomes = Column<UInt32>(absent: 0)
    /// Indices into `threadNumbers`.
    package var threads = Column<Int32>(absent: none)

    /// Each kind once, in the order in which the log names them. The first one is for operations of unknown
    /// kind.
    package private(set) var kindTexts: [InternedTexts.Number] = []
    /// Each thread that an operation started on, once: the operating system's number and the thread's
    /// process.
    package private(set) var threadNumbers: [UInt64] = []
    package private(set) var threadProcesses: [Int32] = []
    /// By the number of a text, and by the text: a log may have assigned several numbers to the same text.
    private var kindOfText = Column<Int32>(absent: none)
    private var kindOfName: [String: Int32] = [:]
    private var indexOfThread: [ProcessThread: Int32] = [:]
    /// Threads that were looked up last, at the position for the end of their number: a dictionary takes
    /// longer than the rest of an event.
    private var recentThreads = [(thread: ProcessThread, index: Int32)](
        repeating: (ProcessThread(process: 0, number: 0), none), count: 64)

    package init() {
        kindTexts.append(InternedTexts.unknown)
        kindOfText[Int(InternedTexts.unknown)] = 0
        kindOfName["?"] = 0
    }

    package var count: Int { identifiers.count }

    /// Makes room in the columns that all operations of a finished log are in: growing them copies them.
    mutating func reserve(_ count: Int) {
        identifiers.reserveCapacity(count)
        kinds.reserveCapacity(count)
        names.reserve(count)
        queues.reserve(count)
        enqueued.reserve(count)
        ready.reserve(count)
        executing.reserve(count)
        finished.reserve(count)
        outcomes.reserve(count)
        threads.reserve(count)
    }

    package mutating func append(_ identifier: UInt64) {
        identifiers.append(identifier)
        kinds.append(0)
    }

    package mutating func kind(_ text: InternedTexts.Number, _ texts: InternedTexts) -> Int32 {
        let known = kindOfText[Int(text)]
        if known != Self.none { return known }
        let name = texts[text]
        let kind = kindOfName[name] ?? Int32(kindTexts.count)
        if kind == kindTexts.count {
            kindTexts.append(text)
            kindOfName[name] = kind
        }
        kindOfText[Int(text)] = kind
        return kind
    }

    package mutating func thread(_ thread: ProcessThread) -> Int32 {
        let place = Int(thread.number % 64)
        let recent = recentThreads[place]
        if recent.index != Self.none, recent.thread == thread { return recent.index }
        let index = indexOfThread[thread] ?? Int32(threadNumbers.count)
        if index == threadNumbers.count {
            threadNumbers.append(thread.number)
            threadProcesses.append(thread.process)
            indexOfThread[thread] = index
        }
        recentThreads[place] = (thread, index)
        return index
    }
}

/// A thread. Processes on different machines may have equal thread numbers, so the process is part of it.
package struct ProcessThread: Hashable {
    /// Index into the trace's processes.
    package var process: Int32
    package var number: UInt64

    package init(process: Int32, number: UInt64) {
        self.process = process
        self.number = number
    }
}

/// The columns of a finished trace, and the texts that they refer to. Shared by all views of them.
package final class OperationStore: Sendable {
    package let columns: OperationColumns
    package let texts: InternedTexts

    package init(_ columns: OperationColumns, _ texts: InternedTexts) {
        self.columns = columns
        self.texts = texts
    }
}
