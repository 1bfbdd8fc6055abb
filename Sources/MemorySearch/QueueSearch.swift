/// The operation queues in a copied process, with the operations that they have.
struct QueueSearch {
    /// An operation in memory.
    struct Operation {
        let address: UInt64
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

    private let memory: ProcessWords
    private let classes: FoundationClasses
    private let types: ObjectTypes

    private static let mostOperations = 1 << 20
    private static let mostDependencies: UInt64 = 1 << 16
    /// Cases of `__NSOperationState` of swift-corelibs-foundation, by their numbers in memory.
    private enum State {
        static let dispatching: UInt8 = 3
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

    private func queue(_ address: UInt64) -> Queue? {
        let fields = classes.queueFields
        guard let limit = memory.word(address &+ fields.limit),
            let suspended = memory.byte(address &+ fields.isSuspended)
        else { return nil }
        var operations: [Operation] = []
        var next = memory.word(address &+ fields.first) ?? 0
        while next != 0, operations.count < Self.mostOperations, let operation = operation(next) {
            operations.append(operation)
            next = memory.word(next &+ classes.operationFields.next) ?? 0
        }
        if operations.isEmpty { return nil }
        let most = Int(truncatingIfNeeded: limit)
        let name = memory.string(address &+ fields.name) ?? ""
        return Queue(
            // Foundation names a queue after its address.
            address: address, name: name.hasPrefix("NSOperationQueue 0x") ? "" : name,
            limit: most >= 0 ? most : nil, isSuspended: suspended & 1 != 0, operations: operations)
    }

    private func isOperation(_ address: UInt64) -> Bool {
        address & 7 == 0 && memory.word(address).map { classes.isKind($0, of: classes.operation) } ?? false
    }

    private func state(_ address: UInt64) -> FoundOperation.State? {
        memory.byte(address &+ classes.operationFields.state).map { state in
            state >= State.finishing ? .finished : state >= State.dispatching ? .started : .waiting
        }
    }

    private func operation(_ address: UInt64) -> Operation? {
        let fields = classes.operationFields
        guard isOperation(address), let state = state(address),
            let cancelled = memory.byte(address &+ fields.isCancelled)
        else { return nil }
        return Operation(
            address: address,
            found: FoundOperation(
                name: memory.string(address &+ fields.name) ?? "", kind: kind(address), state: state,
                isCancelled: cancelled & 1 != 0,
                dependencies: state == .waiting ? open(dependencies(of: address)) : []))
    }

    private func kind(_ address: UInt64) -> String {
        memory.word(address).flatMap { types.name(ofClass: $0) } ?? "Operation"
    }

    /// The addresses of the words in an array of operations; an array is the address of its storage, which
    /// has its count in the third word and its elements from the fifth on.
    func elements(ofArrayAt place: UInt64) -> [UInt64] {
        guard let storage = memory.word(place), let count = memory.word(storage &+ 16),
            count <= Self.mostDependencies
        else { return [] }
        return (0..<count).map { storage &+ 32 &+ $0 * 8 }
    }

    private func dependencies(of address: UInt64) -> [UInt64] {
        elements(ofArrayAt: address &+ classes.operationFields.dependencies)
            .compactMap(memory.word).filter(isOperation)
    }

    private func open(_ dependencies: [UInt64]) -> [FoundOperation.Dependency] {
        dependencies.filter { state($0) != .finished }.map { address in
            let name = memory.string(address &+ classes.operationFields.name) ?? ""
            return FoundOperation.Dependency(
                name: name.isEmpty ? kind(address) : name,
                isNeverAdded: memory.word(address &+ classes.operationFields.queue) == 0)
        }
    }

    // MARK: What holds them

    /// The addresses of the operations that have started.
    var started: [UInt64] {
        queues.flatMap(\.operations).filter { $0.found.state == .started }.map(\.address)
    }

    mutating func set(_ address: UInt64, _ verdict: ResumeSearch.Verdict, threads: [Int32]) {
        for queue in queues.indices {
            for index in queues[queue].operations.indices
            where queues[queue].operations[index].address == address {
                queues[queue].operations[index].found.verdict = verdict
                queues[queue].operations[index].found.threads = threads
            }
        }
    }

    /// The addresses of all words by which Foundation itself leads to operations that have started: in
    /// queues, from one operation to the next, to and from dependencies, and to what has started it.
    func ownReferences(_ blocks: (UInt64) -> GlibcHeap.Block?) -> Set<UInt64> {
        var own: Set<UInt64> = []
        let fields = classes.operationFields
        func addAll(in block: GlibcHeap.Block) {
            own.formUnion(stride(from: block.start, to: block.end, by: 8))
        }
        for queue in queues {
            blocks(queue.address).map(addAll)
            for operation in queue.operations {
                var places = [fields.next, fields.previous, fields.nextOfPriority]
                if operation.found.state == .started { places.append(fields.schedule) }
                own.formUnion(places.map { operation.address &+ $0 })
                own.formUnion(elements(ofArrayAt: operation.address &+ fields.dependencies))
                // A set is the address of its storage.
                memory.word(operation.address &+ fields.dependents).flatMap(blocks).map(addAll)
            }
        }
        return own
    }
}
