import Dispatch
package import EventLog

/// Whether anything in a process can still resume its suspended Swift tasks.
///
/// A continuation is its task's address. A task that no thread, no variable, no reachable object and nothing
/// that the kernel keeps leads to cannot be resumed by anybody in the process, nor be cancelled.
package struct ResumeSearch: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Nothing leads to it.
        case unreachable
        /// Something leads to it: what that is, such as `an object of type Cache`. Not safe for a terminal.
        case held(by: String)
        /// Only a thread leads to it, such as `thread 7`, which may be executing it.
        case heldByThread(String)
        /// It does not await a continuation, or is not in the memory that was searched.
        case unknown

        /// What leads to it; empty for nothing, nil if that is not known.
        package var holder: String? {
            switch self {
            case .unreachable: ""
            case .held(let holder), .heldByThread(let holder): holder
            case .unknown: nil
            }
        }
    }

    /// For more tasks, what holds them is not looked up.
    private static let mostHeld = 4_096
    static let mostReferences = 64
    private static let usualMemory = 4 << 30
    static let something = "something in its memory"

    /// How long the process stood still, in nanoseconds.
    package private(set) var standstill: Int64 = 0
    /// How much memory was searched, in bytes.
    package private(set) var size = 0
    /// What the search could not see, so that `unreachable` is not proven: a clause such as `it uses
    /// io_uring`. Nil if it saw everything.
    package private(set) var unseen: String?
    /// Every suspended task, if that was asked for; nil if the process has not set up its tasks.
    package private(set) var tasks: [SuspendedTask]?
    /// Every queue with operations, if that was asked for.
    package private(set) var queues: [FoundQueue] = []
    private var verdicts: [UInt32: Verdict] = [:]

    /// Stops the process, copies its memory, and lets it go on; then searches the copy. Needs less than twice
    /// as much memory as the process uses.
    ///
    /// Linear in the memory. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - available: how much memory there is, in bytes; nil if that is not known.
    ///   - findsQueues: whether to find the operation queues.
    ///   - listsTasks: whether to list what each task waits for, and in which functions.
    /// - Throws: `SearchRefusal`.
    package init(
        process: Int32, available: Int?, findsQueues: Bool = false, listsTasks: Bool = false
    ) throws {
        self = try OwnThread.run {
            try ResumeSearch(
                stopping: process, most: (available ?? Self.usualMemory) / 2, findsQueues: findsQueues,
                listsTasks: listsTasks)
        }
    }

    private init(stopping process: Int32, most: Int, findsQueues: Bool, listsTasks: Bool) throws {
        guard let mappings = MemoryMapping.all(of: process) else { throw SearchRefusal("it has ended") }
        let places = SwiftRuntime.places(process, mappings)
        let classes = findsQueues ? FoundationClasses.places(process, mappings) : nil
        guard places != nil || classes != nil else {
            throw SearchRefusal("its Swift runtime does not say what a task looks like")
        }
        let stopped = try StoppedThreads.during(process) { threads in
            let start = DispatchTime.now().uptimeNanoseconds
            let copy = try MemoryCopy(process, most: most)
            let kernel = KernelHolders(process, copy.mappings)
            return (copy, threads, kernel, DispatchTime.now().uptimeNanoseconds - start)
        }
        let (copy, threads, kernel, time) = stopped
        (standstill, size) = (Int64(time), copy.size)
        unseen = copy.unseen ?? kernel.unseen
        let runtime = places.flatMap { SwiftRuntime(copy, $0) }
        let foundation = classes.flatMap { FoundationClasses(copy, $0) }
        guard runtime != nil || foundation != nil else { return }
        let memory = ReachableMemory(copy, threads, kernel: kernel.words, runtime)
        if let foundation {
            queues = Self.queues(memory, threads, kernel: kernel.words, runtime, foundation)
        }
        if findsQueues, memory.blocks.isEmpty { throw SearchRefusal("its heap is not that of glibc") }
        if let runtime {
            judge(memory, runtime)
            if listsTasks { list(memory.tasks, copy) }
        }
    }

    /// Whether anything leads to each task that awaits its continuation, and what.
    private mutating func judge(_ memory: ReachableMemory, _ runtime: SwiftRuntime) {
        let copy = memory.copy
        var held: [SwiftTask] = []
        for task in memory.tasks where task.awaitsContinuation(copy) {
            guard let block = memory.block(of: task.address) else { continue }
            verdicts[task.number] = memory.isReachable(block) ? .held(by: Self.something) : .unreachable
            if memory.isReachable(block), held.count < Self.mostHeld { held.append(task) }
        }
        let types = ObjectTypes(copy, runtime)
        let references = memory.references(
            to: Set(held.map(\.address)), most: Self.mostReferences)
        for task in held {
            let own = task.ownBlocks(memory, runtime)
            verdicts[task.number] = Holder.verdict(
                references[task.address] ?? [], outside: own, memory, types)
        }
    }

    private mutating func list(_ found: [SwiftTask], _ copy: MemoryCopy) {
        let suspended = found.compactMap { task in
            task.dependency(copy).map { (task, $0, task.resumptions(copy)) }
        }
        let code = ProcessCode(copy.process, copy.mappings)
        let functions = code.functions(at: Set(suspended.flatMap(\.2)))
        let numbers = Dictionary(found.map { ($0.address, $0.number) }, uniquingKeysWith: { $1 })
        tasks = suspended.compactMap { task, dependency, resumptions in
            let place = ThreadPlace(resumptions.compactMap { functions[$0] })
            let reason: SuspendedTask.Reason
            switch dependency.kind {
            case SwiftTask.Dependency.task: reason = .task(numbers[dependency.object])
            // Sleeping is made of continuations.
            case SwiftTask.Dependency.continuation: reason = place.isAsleep ? .sleep : .continuation
            case SwiftTask.Dependency.group: reason = .group
            case SwiftTask.Dependency.executor: reason = .executor
            default: return nil
            }
            return SuspendedTask(
                number: task.number, reason: reason, functions: place.own,
                verdict: reason == .continuation ? verdicts[task.number] ?? .unknown : .unknown)
        }
    }

    /// - Parameter task: a task of the process's log.
    package func verdict(of task: OperationID) -> Verdict {
        // The lower half of the runtime's number is in the task.
        verdicts[UInt32(truncatingIfNeeded: task.rawValue)] ?? .unknown
    }

    /// What the log says of tasks; nothing if a task does not await a continuation, or was not found.
    package func searches(of tasks: [OperationID]) -> [LogEvent.TaskSearch] {
        tasks.compactMap { task in
            verdict(of: task).holder.map {
                .init(task: task, holder: $0, unseen: $0.isEmpty ? unseen ?? "" : "")
            }
        }
    }
}
