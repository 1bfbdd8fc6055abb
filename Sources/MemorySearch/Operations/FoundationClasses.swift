/// Where Foundation keeps what it knows of operations and queues, in the memory of a process: by the names of
/// the fields in the descriptions of its classes, as `field_of` in `Sources/CRecorder/foundation.c`.
struct FoundationClasses {
    /// Offsets in objects, in bytes.
    struct OperationFields {
        let next, previous, nextOfPriority, queue, dependencies, dependents, name, state, isCancelled: UInt64
        /// What starts it.
        let schedule: UInt64
    }

    struct QueueFields {
        let first, last, firstOfPriority, lastOfPriority, name, limit, isSuspended: UInt64
    }

    /// The addresses of the metadata of the classes.
    let operation, queue: UInt64
    let operationFields: OperationFields
    let queueFields: QueueFields

    private let memory: ProcessWords

    private static let variables = ["$s10Foundation9OperationCN", "$s10Foundation14OperationQueueCN"]

    /// Where the classes are in a process; nil if it has no Foundation, or does not say.
    static func places(_ process: Int32, _ mappings: [MemoryMapping]) -> [UInt64?]? {
        MemoryMapping.addresses(ofVariables: variables, inLibrary: "libFoundation.so", of: process, mappings)
    }

    /// Nil if the classes are laid out in a way that is not known.
    init?(_ copy: MemoryCopy, _ places: [UInt64?]) {
        guard places.count == 2, let operation = places[0], let queue = places[1] else { return nil }
        let memory = ProcessWords(copy)
        func fields(_ metadata: UInt64, _ names: [String]) -> [UInt64]? {
            let found = Self.fields(metadata, memory)
            let offsets = names.compactMap { found[$0] }
            return offsets.count == names.count ? offsets : nil
        }
        guard
            let own = fields(
                operation,
                [
                    "__nextOperation", "__previousOperation", "__nextPriorityOperation", "__queue",
                    "__dependencies", "__downDependencies", "__name", "__state", "__isCancelled",
                    "__schedule",
                ]),
            let queues = fields(
                queue,
                [
                    "__firstOperation", "__lastOperation", "__firstPriorityOperation",
                    "__lastPriorityOperation", "__name", "__maxNumOps", "__suspended",
                ])
        else { return nil }
        (self.operation, self.queue, self.memory) = (operation, queue, memory)
        operationFields = OperationFields(
            next: own[0], previous: own[1], nextOfPriority: own[2], queue: own[3], dependencies: own[4],
            dependents: own[5], name: own[6], state: own[7], isCancelled: own[8], schedule: own[9])
        queueFields = QueueFields(
            first: queues[0], last: queues[1], firstOfPriority: queues[2],
            lastOfPriority: queues[3], name: queues[4], limit: queues[5], isSuspended: queues[6])
    }

    /// From `TargetClassDescriptor` and `FieldDescriptor` of the runtime.
    private enum Part {
        static let descriptor: UInt64 = 40
        static let fields: UInt64 = 16
        static let offsets: UInt64 = 40
        static let recordSize: UInt64 = 8
        static let count: UInt64 = 12
        static let records: UInt64 = 16
        static let name: UInt64 = 8
    }

    private static let mostFields: UInt32 = 256

    private static func fields(_ metadata: UInt64, _ memory: ProcessWords) -> [String: UInt64] {
        guard let descriptor = memory.word(metadata &+ Part.descriptor),
            let fields = memory.relative(descriptor &+ Part.fields),
            let offsets = memory.half(descriptor &+ Part.offsets),
            let size = memory.half(fields &+ Part.recordSize), size >> 16 == 12,
            let count = memory.half(fields &+ Part.count), count <= mostFields
        else { return [:] }
        var found: [String: UInt64] = [:]
        for index in 0..<UInt64(count) {
            let record = fields &+ Part.records &+ index * 12
            guard let name = memory.text(memory.relative(record &+ Part.name)),
                let offset = memory.word(metadata &+ (UInt64(offsets) + index) * 8)
            else { continue }
            found[name] = offset
        }
        return found
    }

    private static let mostAncestors = 64

    /// Whether a class is one of two, or derives from it.
    ///
    /// - Parameter type: the address of its metadata, or any word.
    func isKind(_ type: UInt64, of ancestor: UInt64) -> Bool {
        var type = type
        for _ in 0..<Self.mostAncestors {
            if type == ancestor { return true }
            // The superclass is the second word.
            guard type & 7 == 0, type != 0, let next = memory.word(type &+ 8) else { return false }
            type = next
        }
        return false
    }
}
