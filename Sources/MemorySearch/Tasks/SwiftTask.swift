/// A Swift task in the memory of a process. Its parts are those of `task_layout` in
/// `Sources/CRecorder/task_runtime.h`, which the recorder has checked in the process.
struct SwiftTask {
    let address: UInt64
    /// The lower half of its number.
    let number: UInt32
    let isChild: Bool
    let isAsyncLet: Bool

    enum Part {
        static let flags: UInt64 = 0x20
        static let number: UInt64 = 0x24
        static let resume: UInt64 = 0x38
        static let context: UInt64 = 0x40
        static let records: UInt64 = 0x68
        static let firstPiece: UInt64 = 0x78
        static let dependency: UInt64 = 0xa0
        static let nextChild: UInt64 = 0xd8
        static let size: UInt64 = 0xe0
    }

    /// A piece of a task's stack: `Slab` in `StackAllocator.h` of the runtime. How many bytes follow its
    /// header, and how many of them are used, in a half of a word each.
    enum Piece {
        static let next: UInt64 = 8
        static let sizes: UInt64 = 16
        static let header: UInt64 = 32
    }

    private enum Flag {
        static let kind: UInt32 = 0xff
        static let child: UInt32 = 1 << 24
        static let asyncLet: UInt32 = 1 << 28
    }

    enum DependencyRecord {
        static let object: UInt64 = 0x10
        static let kind: UInt64 = 0x20
    }

    /// The kinds of `DependencyRecord`.
    enum Dependency {
        static let task: UInt32 = 1
        static let continuation: UInt32 = 2
        static let group: UInt32 = 3
        static let executor: UInt32 = 4
    }

    /// Those within a block.
    static func all(in block: GlibcHeap.Block, _ bytes: UnsafeRawPointer, _ runtime: SwiftRuntime)
        -> [SwiftTask]
    {
        var found: [SwiftTask] = []
        // A child task of `async let` lies within its parent's memory.
        for offset in stride(from: 0, through: block.size - Int(Part.size), by: 16)
        where bytes.load(fromByteOffset: offset, as: UInt64.self) == runtime.task {
            let flags = bytes.load(fromByteOffset: offset + Int(Part.flags), as: UInt32.self)
            guard flags & Flag.kind == 0 else { continue }
            found.append(
                SwiftTask(
                    address: block.start + UInt64(offset),
                    number: bytes.load(fromByteOffset: offset + Int(Part.number), as: UInt32.self),
                    isChild: flags & Flag.child != 0, isAsyncLet: flags & Flag.asyncLet != 0))
        }
        return found
    }

    /// Whether it awaits a continuation.
    func awaitsContinuation(_ copy: MemoryCopy) -> Bool {
        dependency(copy)?.kind == Dependency.continuation
    }

    /// The first of its status records; 0 for none.
    func innermostRecord(_ copy: MemoryCopy) -> UInt64 { copy.word(address + Part.records) ?? 0 }

    /// Whether it has no status record but that of what it awaits.
    func isPassive(_ copy: MemoryCopy) -> Bool {
        let record = innermostRecord(copy)
        return record != 0 && record == copy.word(address + Part.dependency)
            && copy.word(record &+ 8) == 0
    }

    /// Where a child has the address of the next child of the same parent.
    var nextChild: UInt64 { address + Part.nextChild }

    func firstPiece(_ copy: MemoryCopy) -> UInt64? { copy.word(address + Part.firstPiece) }

    /// Where the blocks begin that belong to the task alone: its own, and the pieces of its stack.
    func ownBlocks(_ memory: ReachableMemory, _ runtime: SwiftRuntime) -> Set<UInt64> {
        var own: Set<UInt64> = []
        if let block = memory.block(of: address) { own.insert(memory.blocks[block].start) }
        var piece = firstPiece(memory.copy) ?? 0
        while piece != 0, memory.copy.word(piece) == runtime.piece, own.insert(piece).inserted {
            piece = memory.copy.word(piece + Piece.next) ?? 0
        }
        return own
    }

    /// Where the part of a block ends that its task can have written to. What lies above it was left by
    /// others: in a piece of a stack, above what is used; in a task, above what is used of the first piece,
    /// which follows it; in a task that has not begun, above the first two words of its frame.
    static func usedEnd(_ block: GlibcHeap.Block, _ copy: MemoryCopy, _ runtime: SwiftRuntime) -> UInt64 {
        guard block.size >= Part.size, let type = copy.word(block.start), type != 0 else { return block.end }
        let within = block.start..<block.end
        func usedEnd(ofPiece start: UInt64) -> UInt64 {
            let used = (copy.word(start + Piece.sizes) ?? .max) >> 32
            return min(block.end, start + Piece.header + used)
        }
        if type == runtime.piece { return usedEnd(ofPiece: block.start) }
        guard type == runtime.task else { return block.end }
        if runtime.beginnings.contains(copy.word(block.start + Part.resume) ?? 0),
            let frame = copy.word(block.start + Part.context), within.contains(frame)
        {
            return min(block.end, frame + 16)
        }
        if let first = copy.word(block.start + Part.firstPiece), within.contains(first),
            copy.word(first) == runtime.piece
        {
            return usedEnd(ofPiece: first)
        }
        return block.end
    }
}
