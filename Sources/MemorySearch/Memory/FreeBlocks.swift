/// Blocks that the heap calls in use, but whose contents nobody can use: those that a thread, the allocator
/// or libdispatch keeps for the next one who asks. They are full of old addresses.
struct FreeBlocks {
    private let copy: MemoryCopy
    private let block: (UInt64) -> GlibcHeap.Block?
    /// The starts of the blocks that were found.
    private(set) var found: Set<UInt64> = []
    /// The addresses of words that name an object that is gone, though another one lies there now.
    private(set) var names: Set<UInt64> = []

    /// Linear in the blocks.
    ///
    /// - Parameter block: returns the block that starts at an address.
    init(
        _ copy: MemoryCopy, _ heaps: [GlibcHeap], _ threads: [StoppedThread],
        block: @escaping (UInt64) -> GlibcHeap.Block?
    ) {
        (self.copy, self.block) = (copy, block)
        for heap in heaps {
            for block in heap.blocks {
                if block.isMade(for: ThreadCache.size) { findThreadCache(block) }
                if block.isMade(for: SideTable.size) { findSideTable(block) }
            }
            findFastBins(heap)
        }
        findContinuations(threads)
    }

    private func word(_ address: UInt64) -> UInt64 { copy.word(address) ?? 0 }

    /// The next free block of a list, from `malloc/malloc.c`: addresses are mixed with where they are kept.
    private func next(of free: UInt64) -> UInt64 { word(free) ^ (free >> 12) }

    // MARK: The caches of threads

    /// `tcache_perthread_struct` of glibc 2.30 to 2.41: how many blocks of each size it keeps, and the first
    /// of them.
    private enum ThreadCache {
        static let classes: UInt64 = 64
        static let size = 0x288
        static func blockSize(_ number: UInt64) -> Int { Int(24 + 16 * number) }
    }

    private mutating func findThreadCache(_ cache: GlibcHeap.Block) {
        var kept: [UInt64] = []
        for number in 0..<ThreadCache.classes {
            let counts = word(cache.start + number / 4 * 8)
            var rest = Int(counts >> (number % 4 * 16) & 0xffff)
            var free = word(cache.start + ThreadCache.classes * 2 + number * 8)
            guard (rest == 0) == (free == 0) else { return }
            while rest > 0 {
                guard let block = block(free), block.size == ThreadCache.blockSize(number) else { return }
                kept.append(free)
                rest -= 1
                free = next(of: free)
            }
        }
        // Without blocks, anything else could look like it.
        if kept.isEmpty { return }
        found.insert(cache.start)
        found.formUnion(kept)
    }

    // MARK: The allocator's lists of small blocks

    private mutating func findFastBins(_ heap: GlibcHeap) {
        guard let arena = heap.arena else { return }
        for number in 0..<GlibcHeap.fastBins {
            // The list has blocks with their headers.
            var free = word(arena + GlibcHeap.firstFastBin + UInt64(number) * 8)
            while free != 0, let block = block(free &+ 16), block.size == 24 + 16 * number,
                found.insert(block.start).inserted
            {
                free = next(of: block.start)
            }
        }
    }

    // MARK: The caches of libdispatch

    /// `dispatch_tsd` and `dispatch_continuation_s` of libdispatch. Among a thread's own variables are its
    /// number and, after two others, the last block that it has kept. Each block has the one before it, and
    /// how many there are with it.
    private enum Continuation {
        static let size = 72
        static let count: UInt64 = 8
        static let next: UInt64 = 16
        static let kept: UInt64 = 24
        /// How far from the thread pointer its variables can be.
        static let mostDistance: UInt64 = 1 << 13
    }

    /// Where the variables are from the thread pointer is the same for all threads, so what is found of one
    /// thread only is something else.
    private mutating func findContinuations(_ threads: [StoppedThread]) {
        var chains: [UInt64: [[UInt64]]] = [:]
        for thread in threads {
            guard let region = copy.region(of: thread.threadPointer) else { continue }
            let own =
                region.start == copy.region(of: thread.stackPointer)?.start ? thread.stackStart : region.start
            let least = max(own, thread.threadPointer - Continuation.mostDistance)
            let most = min(
                region.end - Continuation.kept - 8, thread.threadPointer + Continuation.mostDistance)
            guard least < most else { continue }
            for address in stride(from: (least + 7) / 8 * 8, through: most, by: 8)
            where UInt32(truncatingIfNeeded: region.word(address)) == UInt32(thread.number) {
                chains[address &- thread.threadPointer, default: []]
                    .append(chain(from: region.word(address + Continuation.kept)))
            }
        }
        for (_, ofThreads) in chains where ofThreads.count > 1 {
            for chain in ofThreads { found.formUnion(chain) }
        }
    }

    /// The blocks of a list that has as many as it says; none otherwise.
    private func chain(from first: UInt64) -> [UInt64] {
        var (start, chain): (UInt64, [UInt64]) = (first, [])
        var count = UInt32(truncatingIfNeeded: word(start &+ Continuation.count))
        while count > 0, block(start)?.isMade(for: Continuation.size) == true,
            UInt32(truncatingIfNeeded: word(start + Continuation.count)) == count
        {
            chain.append(start)
            count -= 1
            start = word(start + Continuation.next)
        }
        return count == 0 && start == 0 ? chain : []
    }

    // MARK: What weak references leave

    /// `HeapObjectSideTableEntry` of Swift. Of an object that was destroyed, it has only how many weak
    /// references there are, and where the object was.
    private enum SideTable {
        static let size = 40
        static let counts: UInt64 = 16
        static let weakCount: UInt64 = 24
        static let isDestroyed: UInt64 = 0x1_0000_0001
        /// In an object's own counts: they are in a table instead.
        static let isElsewhere: UInt64 = 1 << 63
    }

    private mutating func findSideTable(_ table: GlibcHeap.Block) {
        guard word(table.start + SideTable.counts) == SideTable.isDestroyed,
            1..<(1 << 20) ~= word(table.start + SideTable.weakCount),
            // Another object of Swift, whose counts do not lead back to the table.
            let object = block(word(table.start)), copy.mapping(of: word(object.start)) != nil,
            word(object.start + 8) & SideTable.isElsewhere == 0
        else { return }
        names.insert(table.start)
    }
}
