/// A heap of the C library glibc in a copied process: where each block begins and ends, and which ones are in
/// use.
///
/// From `malloc/malloc.c` and `malloc/arena.c` of glibc 2.26 to 2.42. A heap whose blocks do not lie one
/// after the other without a gap, from its first byte to its last, is not taken for one.
struct GlibcHeap {
    /// A block, as the program got it.
    struct Block {
        let start: UInt64
        let size: Int
        var end: UInt64 { start + UInt64(size) }

        /// Whether a program that asks for so much can get it: with 16 bytes more if those were too few for
        /// another block.
        ///
        /// - Parameter size: as the allocator rounds it: 24, 40, 56 and so on.
        func isMade(for size: Int) -> Bool { self.size == size || self.size == size + 16 }
    }

    /// The addresses that belong to the heap, with the allocator's own bookkeeping.
    let range: Range<UInt64>
    /// Those in use, by their addresses.
    private(set) var blocks: [Block] = []
    /// Where the allocator keeps what it knows of this heap; nil if that is not found, or known from the heap
    /// that continues this one.
    private(set) var arena: UInt64?
    /// Whether it is not one of threads.
    private let isFirst: Bool

    /// The kernel's name for the first heap.
    private static let firstName = "[heap]"
    /// What a heap of threads other than the first one is aligned to.
    private static let alignment: UInt64 = 1 << 26
    /// Of a block: the bits of its size that say something else, and the bytes before what the program gets.
    private static let flags: UInt64 = 7
    private static let header: UInt64 = 16
    private static let isPreviousInUse: UInt64 = 1
    /// Of an arena: its size, and where its last block is noted.
    private static let arenaSize: UInt64 = 0x898
    private static let lastBlock: UInt64 = 0x60

    /// Lists of small blocks that are free, though the blocks after them do not say so.
    static let fastBins = 10
    static let firstFastBin: UInt64 = 0x10

    /// What the allocator keeps outside of all heaps; nil for a heap of threads, which one of these contains.
    var variables: Range<UInt64>? { isFirst ? arena.map { $0..<$0 + Self.arenaSize } : nil }

    /// The arena of the first heap is a variable of the library. Two lists follow the last block there.
    private static func firstArena(_ last: UInt64, _ range: Range<UInt64>, _ copy: MemoryCopy) -> UInt64? {
        for region in copy.regions where region.mapping.name.contains("/libc") && region.mapping.isWritable {
            for address in stride(from: region.start, through: region.end - arenaSize, by: 8)
            where region.word(address + lastBlock) == last {
                let unsorted = region.word(address + lastBlock + 16)
                if unsorted == address + lastBlock || range.contains(unsorted) { return address }
            }
        }
        return nil
    }

    /// All of a process.
    static func all(in copy: MemoryCopy) -> [GlibcHeap] {
        copy.regions.flatMap { region -> [GlibcHeap] in
            if region.mapping.name == firstName {
                return [GlibcHeap(region, region.start..<region.end, first: region.start, copy)]
                    .compactMap(\.self)
            }
            guard region.mapping.isAnonymous, region.mapping.isWritable, !region.mapping.isShared else {
                return []
            }
            let first = (region.start + alignment - 1) / alignment * alignment
            return stride(from: first, to: region.end, by: Int(alignment)).compactMap {
                ofThreads(at: $0, region, copy)
            }
        }
    }

    /// A heap that begins with a description of itself: its arena, the heap before it, and its size.
    private static func ofThreads(
        at start: UInt64, _ region: MemoryCopy.Region, _ copy: MemoryCopy
    ) -> GlibcHeap? {
        guard region.end - start >= 0x1000 else { return nil }
        let (arena, size) = (region.word(start), region.word(start + 16))
        let description = arena & (alignment - 1)
        guard description == 0x20 || description == 0x30, size >= 0x1000, size % 0x1000 == 0,
            size <= region.end - start, let last = copy.word(arena &+ lastBlock), last % 16 == 0
        else { return nil }
        var first = start + description
        if arena == first { first += arenaSize }
        // What the program gets is aligned to 16 bytes.
        first = (first + 15) / 16 * 16
        return GlibcHeap(region, start..<start + size, first: first, copy)
    }

    private init?(
        _ region: MemoryCopy.Region, _ range: Range<UInt64>, first: UInt64, _ copy: MemoryCopy
    ) {
        self.range = range
        isFirst = region.mapping.name == Self.firstName
        blocks.reserveCapacity(range.count / 128)
        var block = first
        while block < range.upperBound {
            guard range.upperBound - block >= Self.header else { return nil }
            let size = region.word(block + 8) & ~Self.flags
            let next = block + size
            // The last block, which is free.
            if next == range.upperBound {
                arena =
                    isFirst ? Self.firstArena(block, range, copy) : region.word(range.lowerBound)
                return
            }
            // A heap that another one continues ends with a block that is too small for anything.
            if size <= Self.header, range.upperBound - block <= 2 * Self.header { return }
            guard size >= 2 * Self.header, size % 16 == 0, size <= range.upperBound - block,
                range.upperBound - next >= Self.header
            else { return nil }
            if region.word(next + 8) & Self.isPreviousInUse != 0 {
                // Its last word is the next block's first one.
                blocks.append(Block(start: block + Self.header, size: Int(size - Self.header / 2)))
            }
            block = next
        }
        return nil
    }
}
