/// The operation queues in a copied process, with the operations that they have.
struct QueueSearch {
    /// An operation in memory.
    struct Operation {
        let address: UInt64
        /// The addresses of the dependencies that have not finished.
        let open: [UInt64]
        var found: FoundOperation
    }

    struct Queue {
        let address: UInt64
        let name: String
        let limit: Int?
        let isSuspended: Bool
        var operations: [Operation]

        var found: FoundQueue {
            FoundQueue(
                name: name, limit: limit, isSuspended: isSuspended, operations: operations.map(\.found))
        }
    }

    /// Those with operations.
    private(set) var queues: [Queue] = []
    /// The queue and the place in it of each operation, by its address.
    private var places: [UInt64: (queue: Int, place: Int)] = [:]

    private let memory: ProcessWords
    private let classes: FoundationClasses
    private let types: ObjectTypes
    /// The names of classes, by their metadata.
    private var kinds: [UInt64: String] = [:]
    private var isOperation: [UInt64: Bool] = [:]

    /// Of all queues together.
    private static let mostOperations = 1 << 20
    /// Of one operation, and of all together. Those beyond count as finished.
    private static let mostDependencies: UInt64 = 1 << 16
    private var dependenciesLeft = 1 << 22
    /// The dependencies of an operation that are named.
    private static let mostNamed = 8
    /// Cases of `__NSOperationState` of swift-corelibs-foundation, by their numbers in memory.
    private enum State {
        static let dispatching: UInt8 = 3
        static let starting: UInt8 = 4
        static let finishing: UInt8 = 6
    }

    init(_ copy: MemoryCopy, _ classes: FoundationClasses, _ blocks: some Sequence<GlibcHeap.Block>) {
        (memory, self.classes, types) = (ProcessWords(copy), classes, ObjectTypes(copy, nil))
        var isQueue: [UInt64: Bool] = [:]
        for block in blocks {
            guard block.size >= 64, let type = copy.word(block.start), type & 7 == 0, type != 0 else {
                continue
            }
            let known =
                isQueue[type] ?? (copy.mapping(of: type) != nil && classes.isKind(type, of: classes.queue))
            isQueue[type] = known
            if known, let queue = queue(block.start) { queues.append(queue) }
        }
    }

    private mutating func queue(_ address: UInt64) -> Queue? {
        let fields = classes.queueFields
        guard let limit = memory.word(address &+ fields.limit),
            let suspended = memory.byte(address &+ fields.isSuspended)
        else { return nil }
        var operations: [Operation] = []
        var next = memory.word(address &+ fields.first) ?? 0
        // A list that leads back into itself was overwritten.
        while next != 0, places.count < Self.mostOperations, places[next] == nil,
            let operation = operation(next)
        {
            places[next] = (queues.count, operations.count)
            operations.append(operation)
            next = memory.word(next &+ classes.operationFields.next) ?? 0
        }
        if operations.isEmpty { return nil }
        let most = Int(truncatingIfNeeded: limit)
        return Queue(
            address: address, name: Self.shown(memory.string(address &+ fields.name) ?? ""),
            limit: most >= 0 ? most : nil, isSuspended: suspended & 1 != 0, operations: operations)
    }

    /// Foundation names queues itself.
    private static func shown(_ name: String) -> String {
        name.hasPrefix("NSOperationQueue 0x")
            ? "" : name == "NSOperationQueue Main Queue" ? "main queue" : name
    }

    private mutating func isOperation(_ address: UInt64) -> Bool {
        guard address & 7 == 0, let type = memory.word(address) else { return false }
        if let known = isOperation[type] { return known }
        let known = classes.isKind(type, of: classes.operation)
        isOperation[type] = known
        return known
    }

    private func state(_ address: UInt64) -> FoundOperation.State? {
        memory.byte(address &+ classes.operationFields.state).map { state in
            switch state {
            case State.finishing...: .finished
            case State.starting...: .started
            case State.dispatching: .dispatched
            default: .waiting
            }
        }
    }

    private mutating func operation(_ address: UInt64) -> Operation? {
        let fields = classes.operationFields
        guard isOperation(address), let state = state(address),
            let cancelled = memory.byte(address &+ fields.isCancelled)
        else { return nil }
        let open = state == .waiting ? openDependencies(of: address) : []
        let named = open.prefix(Self.mostNamed).map { dependency in
            let name = memory.string(dependency &+ fields.name) ?? ""
            return FoundOperation.Dependency(
                name: name.isEmpty ? kind(dependency) : name,
                isNeverAdded: memory.word(dependency &+ fields.queue) == 0)
        }
        return Operation(
            address: address, open: open,
            found: FoundOperation(
                name: memory.string(address &+ fields.name) ?? "", kind: kind(address), state: state,
                isCancelled: cancelled & 1 != 0, dependencies: named,
                moreDependencies: open.count - named.count))
    }

    private mutating func kind(_ address: UInt64) -> String {
        guard let type = memory.word(address) else { return "Operation" }
        if let known = kinds[type] { return known }
        let name = types.name(ofClass: type) ?? "Operation"
        kinds[type] = name == "_BarrierOperation" ? "barrier" : name
        return kinds[type] ?? name
    }

    /// The addresses of the words in an array of operations; an array is the address of its storage, which
    /// has its count in the third word and its elements from the fifth on.
    private func elements(ofArrayAt place: UInt64) -> [UInt64] {
        guard let storage = memory.word(place), let count = memory.word(storage &+ 16),
            count <= UInt64(Self.mostOperations)
        else { return [] }
        return (0..<min(count, Self.mostDependencies)).map { storage &+ 32 &+ $0 * 8 }
    }

    private mutating func openDependencies(of address: UInt64) -> [UInt64] {
        var open: [UInt64] = []
        for place in elements(ofArrayAt: address &+ classes.operationFields.dependencies) {
            guard dependenciesLeft > 0 else { break }
            dependenciesLeft -= 1
            if let dependency = memory.word(place), isOperation(dependency), state(dependency) != .finished {
                open.append(dependency)
            }
        }
        return open
    }

    // MARK: What has started

    /// The addresses of the operations that have started.
    var started: [UInt64] {
        queues.flatMap(\.operations).filter { $0.found.state == .started }.map(\.address)
    }

    mutating func set(_ address: UInt64, _ verdict: ResumeSearch.Verdict, thread: Int32?) {
        guard let (queue, place) = places[address] else { return }
        queues[queue].operations[place].found.verdict = verdict
        queues[queue].operations[place].found.thread = thread
    }

    /// The addresses of all words by which Foundation itself leads to the operations: in queues, from one
    /// operation to the next, to and from dependencies, and from what has started it.
    func ownReferences(_ block: (UInt64) -> GlibcHeap.Block?) -> Set<UInt64> {
        var own: Set<UInt64> = []
        let (fields, queueFields) = (classes.operationFields, classes.queueFields)
        func note(_ place: UInt64) {
            if let word = memory.word(place), places[word] != nil { own.insert(place) }
        }
        /// How many lists there are by priority.
        let priorities: UInt64 = 6
        for queue in queues {
            note(queue.address &+ queueFields.first)
            note(queue.address &+ queueFields.last)
            for list in 0..<priorities {
                note(queue.address &+ queueFields.firstOfPriority &+ list * 8)
                note(queue.address &+ queueFields.lastOfPriority &+ list * 8)
            }
            for operation in queue.operations {
                for field in [fields.next, fields.previous, fields.nextOfPriority] {
                    note(operation.address &+ field)
                }
                elements(ofArrayAt: operation.address &+ fields.dependencies).forEach(note)
                // A set is the address of its storage.
                if let set = memory.word(operation.address &+ fields.dependents).flatMap(block) {
                    stride(from: set.start, to: set.end, by: 8).forEach(note)
                }
                if operation.found.state == .started {
                    own.insert(operation.address &+ fields.schedule)
                    if let place = place(inClosureOf: operation, of: queue, block) { own.insert(place) }
                }
            }
        }
        return own
    }

    /// How libdispatch and Swift keep a work item: as an object with a block, which has the data of
    /// `dispatch_block_private_data_s`, among these the block that it was made of; that one has what the
    /// closure has captured.
    private enum WorkItem {
        static let block: UInt64 = 16
        static let magic: (place: UInt64, value: UInt64) = (32, 0xd159_b10c)
        /// How often it has returned.
        static let performed: UInt64 = 52
        static let inner: UInt64 = 72
        static let captured: UInt64 = 40
    }

    /// The address of the word that leads to the operation in the closure of the work item that started it,
    /// once that has returned: the closure captured the queue and the operation, and runs once. A word that
    /// leads to the closure then, such as one that the allocator or the frame of a task kept, cannot finish
    /// the operation.
    private func place(
        inClosureOf operation: Operation, of queue: Queue, _ block: (UInt64) -> GlibcHeap.Block?
    ) -> UInt64? {
        guard let item = memory.word(operation.address &+ classes.operationFields.schedule), item != 0,
            let outer = memory.word(item &+ WorkItem.block),
            memory.word(outer &+ WorkItem.magic.place) == WorkItem.magic.value,
            // An operation that only says that it executes may still be started by it.
            let performed = memory.half(outer &+ WorkItem.performed), performed != 0,
            let inner = memory.word(outer &+ WorkItem.inner),
            let captured = memory.word(inner &+ WorkItem.captured),
            let closure = block(captured), closure.start == captured, closure.isMade(for: 40),
            memory.word(captured + 16) == queue.address, memory.word(captured + 24) == operation.address
        else { return nil }
        return captured + 24
    }

    /// The operations that may still run although none of some others ever finishes: all that do not wait for
    /// one of these.
    func runnable(without lost: Set<UInt64>) -> [UInt64] {
        var dependents: [UInt64: [UInt64]] = [:]
        let open = queues.flatMap(\.operations).filter { $0.found.state != .started }
        for operation in open {
            for one in operation.open { dependents[one, default: []].append(operation.address) }
        }
        var blocked: Set<UInt64> = []
        var rest = Array(lost)
        while let one = rest.popLast() {
            for dependent in dependents[one] ?? [] where blocked.insert(dependent).inserted {
                rest.append(dependent)
            }
        }
        return open.map(\.address).filter { !blocked.contains($0) }
    }
}
