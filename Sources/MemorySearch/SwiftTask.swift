/// A Swift task in the memory of a process. Its parts are those of `task_layout` in `Sources/CRecorder/task_runtime.h`,
/// which the recorder has checked in the process.
struct SwiftTask {
    let address: UInt64
    /// The lower half of its number.
    let number: UInt32

    private static let flags = 0x20
    private static let numberOffset = 0x24
    private static let resume: UInt64 = 0x38
    private static let context: UInt64 = 0x40
    private static let size = 0x60
    private static let kindBits: UInt32 = 0xff

    private static let dependency = 0xa0
    private static let dependencyKind: UInt64 = 0x20
    private static let continuation: UInt32 = 2

    /// All tasks in the blocks that are in use.
    static func all(in memory: ReachableMemory, _ runtime: SwiftRuntime) -> [SwiftTask] {
        var found: [SwiftTask] = []
        memory.forEachBlock { block, bytes in
            // A child task of `async let` lies within its parent's memory.
            for offset in stride(from: 0, through: block.size - size, by: 16) {
                guard bytes.load(fromByteOffset: offset, as: UInt64.self) == runtime.task,
                    bytes.load(fromByteOffset: offset + flags, as: UInt32.self) & kindBits == 0
                else { continue }
                found.append(
                    SwiftTask(
                        address: block.start + UInt64(offset),
                        number: bytes.load(fromByteOffset: offset + numberOffset, as: UInt32.self)))
            }
        }
        return found
    }

    /// Whether it awaits a continuation.
    func awaitsContinuation(_ copy: MemoryCopy) -> Bool {
        guard let record = copy.word(address + UInt64(Self.dependency)), record != 0,
            let kind = copy.word(record &+ Self.dependencyKind)
        else { return false }
        return UInt32(truncatingIfNeeded: kind) == Self.continuation
    }

    /// Where the blocks begin that belong to the task alone: its own, and the pieces of its stack.
    func ownBlocks(_ memory: ReachableMemory, _ runtime: SwiftRuntime) -> Set<UInt64> {
        var own: Set<UInt64> = []
        if let block = memory.block(of: address) { own.insert(memory.blocks[block].start) }
        for offset in stride(from: UInt64(Self.size), to: 0x100, by: 8) {
            var piece = memory.copy.word(address + offset) ?? 0
            while piece != 0, memory.copy.word(piece) == runtime.piece, own.insert(piece).inserted {
                piece = memory.copy.word(piece + 8) ?? 0
            }
        }
        return own
    }

    /// Where the part of a block ends that its task can have written to. What lies above it was left by others: in a
    /// piece of a stack, above what is used; in a task that has not begun, above the first two words of its frame.
    static func usedEnd(_ block: GlibcHeap.Block, _ copy: MemoryCopy, _ runtime: SwiftRuntime) -> UInt64 {
        guard block.size >= size, let type = copy.word(block.start) else { return block.end }
        if type == runtime.piece, runtime.piece != 0 {
            let (header, capacityAndUse): (UInt64, UInt64) = (32, 16)
            let used = (copy.word(block.start + capacityAndUse) ?? .max) >> 32
            return min(block.end, block.start + header + used)
        }
        if type == runtime.task, runtime.beginnings.contains(copy.word(block.start + resume) ?? 0),
            let frame = copy.word(block.start + context), frame >= block.start, frame < block.end
        {
            return min(block.end, frame + 16)
        }
        return block.end
    }
}
