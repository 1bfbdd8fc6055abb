import EventLog
package import InspectorColumns

/// What is known of the operations of a trace, a column for each thing. An operation is an index; what
/// analyses loop over is here, and `TracedOperation` is how all else looks at it.
///
/// About 70 bytes an operation, and 16 for each of the rarer transitions, whatever their names.
package struct OperationColumns: Sendable {
    /// What stands for no index and no number.
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
    /// Until when it waited for a slot, where the file states that.
    package var slotFree = MomentColumn()
    package var executing = MomentColumn()
    package var bodyBegan = MomentColumn()
    package var bodyEnded = MomentColumn()
    package var cancelled = MomentColumn()
    package var finished = MomentColumn()
    package var unnotifiedFinish = MomentColumn()
    /// 0 for none, `succeeded`, `cancelled`; from `failed` on for a failure, the text of its message more
    /// than that.
    package var outcomes = Column<UInt32>(absent: 0)
    /// Indices into `threadNumbers`.
    package var threads = Column<Int32>(absent: none)

    /// Each kind once, in the order in which the log names them. The first is that of operations whose kind
    /// is not known.
    package private(set) var kindTexts: [InternedTexts.Number] = []
    /// Each thread that an operation started on once, as the operating system numbers them, and the process
    /// that it is of.
    package private(set) var threadNumbers: [UInt64] = []
    package private(set) var threadProcesses: [Int32] = []
    /// By the number of a text, and by the text: a log may have given several numbers to one.
    private var kindOfText = Column<Int32>(absent: none)
    private var kindOfName: [String: Int32] = [:]
    private var indexOfThread: [ProcessThread: Int32] = [:]
    private var lastThread: (thread: ProcessThread, index: Int32) = (
        ProcessThread(process: 0, number: 0), none
    )

    package init() {
        kindTexts.append(InternedTexts.unknown)
        kindOfText[Int(InternedTexts.unknown)] = 0
        kindOfName["?"] = 0
    }

    package var count: Int { identifiers.count }

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
        if lastThread.index != Self.none, lastThread.thread == thread { return lastThread.index }
        let index = indexOfThread[thread] ?? Int32(threadNumbers.count)
        if index == threadNumbers.count {
            threadNumbers.append(thread.number)
            threadProcesses.append(thread.process)
            indexOfThread[thread] = index
        }
        lastThread = (thread, index)
        return index
    }
}

/// A thread. Machines number theirs alike, so it takes the process as well to tell two apart.
package struct ProcessThread: Hashable {
    /// Index into the trace's processes.
    package var process: Int32
    package var number: UInt64

    package init(process: Int32, number: UInt64) {
        self.process = process
        self.number = number
    }
}

/// The columns of a trace that is made, and the texts that they name. Shared by all that look at them.
package final class OperationStore: Sendable {
    package let columns: OperationColumns
    package let texts: InternedTexts

    package init(_ columns: OperationColumns, _ texts: InternedTexts) {
        self.columns = columns
        self.texts = texts
    }
}
