/// Which blocks of its heaps a stopped process can still reach: from its threads, its variables and the
/// kernel, over any word that could be an address within a block, also in other blocks.
///
/// What is called reachable may not be; what is called unreachable is, as long as addresses are kept as such:
/// bits above the 47 of an address and below its alignment may mean anything, and a word need not be aligned
/// to more than four bytes.
final class ReachableMemory {
    let copy: MemoryCopy
    let roots: MemoryRoots
    private let heaps: [Heap]
    /// Of each block: its place, and the address of the word through which it was reached first; 0 for none.
    /// The number of a root's words, for one of these.
    private(set) var blocks: ContiguousArray<GlibcHeap.Block> = []
    private var referrers: ContiguousArray<UInt64>
    let tasks: [SwiftTask]
    /// The addresses of words that lead nowhere.
    private let ignored: Set<UInt64>
    /// Of blocks that contain others, the parts that these are.
    private var holes: [Int: [Range<UInt64>]] = [:]
    private let runtime: SwiftRuntime?
    /// From the first heap to the last.
    private let span: Range<UInt64>

    /// The bits that address a byte in user space.
    static let addressBits: UInt64 = 0x7fff_ffff_ffff

    private final class Heap {
        let range: Range<UInt64>
        /// For each 16 bytes, the number of the block in use, plus 1.
        let owners: UnsafeMutablePointer<UInt32>
        private let count: Int

        init(_ heap: GlibcHeap, firstBlock: Int) {
            range = heap.range
            count = (heap.range.count + 15) / 16
            owners = .allocate(capacity: count)
            owners.initialize(repeating: 0, count: count)
            for (index, block) in heap.blocks.enumerated() {
                let start = Int(block.start - range.lowerBound) / 16
                // The last half of 16 bytes is the next block's.
                let end = min(count, (Int(block.end - range.lowerBound) + 15) / 16)
                for place in start..<end { owners[place] = UInt32(firstBlock + index + 1) }
            }
        }

        /// A range of whole 16 bytes is a block of its own.
        func nest(_ nested: Range<UInt64>, _ number: Int) {
            let start = Int(nested.lowerBound - range.lowerBound) / 16
            for place in start..<start + nested.count / 16 { owners[place] = UInt32(number + 1) }
        }

        /// Nobody uses the block that starts at an address.
        func free(_ start: UInt64) {
            var place = Int(start - range.lowerBound) / 16
            let owner = owners[place]
            while place < count, owners[place] == owner {
                owners[place] = 0
                place += 1
            }
        }

        deinit { owners.deallocate() }
    }

    /// Linear in the memory.
    ///
    /// - Parameters:
    ///   - runtime: nil without tasks.
    ///   - ignored: the addresses of words that lead nowhere.
    init(
        _ copy: MemoryCopy, _ threads: [StoppedThread], kernel: [MemoryRoots.Words], _ runtime: SwiftRuntime?,
        ignoring ignored: Set<UInt64> = []
    ) {
        self.copy = copy
        let found = GlibcHeap.all(in: copy)
        var heaps: [Heap] = []
        for heap in found {
            heaps.append(Heap(heap, firstBlock: blocks.count))
            blocks.append(contentsOf: heap.blocks)
        }
        self.heaps = heaps
        let least = heaps.map(\.range.lowerBound).min() ?? 0
        span = least..<max(least, heaps.map(\.range.upperBound).max() ?? 0)
        self.runtime = runtime
        let hasFirst = threads.contains { $0.number == copy.process }
        roots = MemoryRoots(copy, found, threads, hasFirst: hasFirst, kernel: kernel)
        let unused = FreeBlocks(copy, found, threads) { [blocks] in
            guard let number = Self.block(of: $0, heaps), blocks[number].start == $0 else { return nil }
            return blocks[number]
        }
        let free = unused.found
        for start in free { Self.heap(of: start, heaps)?.free(start) }
        let tasks = blocks.flatMap { block -> [SwiftTask] in
            guard let runtime, !free.contains(block.start),
                let bytes = Self.memory(of: block.start..<block.end, copy)
            else { return [] }
            return SwiftTask.all(in: block, bytes, runtime)
        }
        self.tasks = tasks
        let children = runtime.map { ChildTasks(tasks, copy, $0) }
        self.ignored = ignored.union(children?.notes ?? []).union(unused.names)
        for nested in children?.nested ?? [] {
            guard let outer = Self.block(of: nested.lowerBound, heaps), nested.upperBound <= blocks[outer].end
            else {
                continue
            }
            Self.heap(of: nested.lowerBound, heaps)?.nest(nested, blocks.count)
            holes[outer, default: []].append(nested)
            blocks.append(.init(start: nested.lowerBound, size: nested.count))
        }
        referrers = ContiguousArray(repeating: 0, count: blocks.count)
        mark()
    }

    func isReachable(_ block: Int) -> Bool { referrers[block] != 0 }

    /// The number of the block in use that contains an address; nil for none.
    func block(of address: UInt64) -> Int? { Self.block(of: address, heaps) }

    @inline(__always)
    private static func block(of address: UInt64, _ heaps: [Heap]) -> Int? {
        guard let heap = heap(of: address, heaps) else { return nil }
        let owner = heap.owners[Int(address - heap.range.lowerBound) / 16]
        return owner == 0 ? nil : Int(owner) - 1
    }

    @inline(__always)
    private static func heap(of address: UInt64, _ heaps: [Heap]) -> Heap? {
        for heap in heaps where heap.range.contains(address) { return heap }
        return nil
    }

    /// The words that hold one of some addresses, in what the process can reach: the address of each such
    /// word, or the number of a root's words, plus 1. By the address that they hold, at most `most` of each.
    ///
    /// Linear in the memory.
    func references(to targets: Set<UInt64>, most: Int) -> [UInt64: [UInt64]] {
        guard let least = targets.min(), let greatest = targets.max() else { return [:] }
        var found: [UInt64: [UInt64]] = [:]
        func look(_ word: UInt64, _ referrer: UInt64) {
            let address = word & Self.addressBits & ~7
            guard address >= least, address <= greatest, targets.contains(address),
                found[address]?.count ?? 0 < most, !ignored.contains(referrer)
            else { return }
            found[address, default: []].append(referrer)
        }
        for (number, words) in roots.words.enumerated() {
            for word in words.words { look(word, UInt64(number + 1)) }
        }
        for block in blocks.indices where isReachable(block) { forEachWord(ofBlock: block, look) }
        for stretch in roots.stacks + roots.memory { forEachWord(in: stretch.range, look) }
        return found
    }

    /// Through which word a reachable block was reached first, as in ``references(to:most:)``.
    func referrer(of block: Int) -> UInt64 { referrers[block] }

    /// The root that an address of ``referrer(of:)`` belongs to; nil for one within a block.
    func root(_ referrer: UInt64) -> RootHolder? {
        if referrer <= UInt64(roots.words.count) { return roots.words[Int(referrer) - 1].holder }
        if block(of: referrer) != nil { return nil }
        return (roots.stacks + roots.memory).first { $0.range.contains(referrer) }?.holder
    }

    // MARK: Inside

    private static func memory(of range: Range<UInt64>, _ copy: MemoryCopy) -> UnsafeRawPointer? {
        copy.region(of: range.lowerBound).map {
            UnsafeRawPointer($0.bytes) + Int(range.lowerBound - $0.start)
        }
    }

    /// Calls `body` with each word that is not 0, aligned to four bytes, and its address.
    @inline(__always)
    private func forEachWord(in range: Range<UInt64>, _ body: (UInt64, UInt64) -> Void) {
        guard let memory = Self.memory(of: range, copy) else { return }
        var offset = 0
        let size = range.count
        while offset <= size - 8 {
            let word = memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if word != 0 { body(word, range.lowerBound + UInt64(offset)) }
            offset += 4
        }
    }

    /// Without the parts that are blocks of their own.
    @inline(__always)
    private func forEachWord(ofBlock number: Int, _ body: (UInt64, UInt64) -> Void) {
        let block = blocks[number]
        let end = runtime.map { SwiftTask.usedEnd(block, copy, $0) } ?? block.end
        guard let holes = holes.isEmpty ? nil : holes[number] else {
            return forEachWord(in: block.start..<end, body)
        }
        var start = block.start
        for hole in holes.sorted(by: { $0.lowerBound < $1.lowerBound }) where hole.lowerBound < end {
            forEachWord(in: start..<hole.lowerBound, body)
            start = hole.upperBound
        }
        if start < end { forEachWord(in: start..<end, body) }
    }

    /// Takes the blocks at some addresses as reached, from themselves, and everything that they lead to.
    func reach(_ addresses: [UInt64]) {
        var queue: ContiguousArray<Int32> = []
        for address in addresses {
            guard let block = block(of: address), referrers[block] == 0 else { continue }
            referrers[block] = address
            queue.append(Int32(block))
        }
        follow(&queue)
    }

    private func mark() {
        var queue: ContiguousArray<Int32> = []
        var revived: [Range<UInt64>] = []
        func revive(_ word: UInt64) {
            for (stack, known) in roots.unused where known.contains(word) { revived.append(stack) }
        }
        for (number, words) in roots.words.enumerated() {
            for word in words.words {
                look(word, from: UInt64(number + 1), &queue)
                revive(word)
            }
        }
        for stack in roots.stacks {
            forEachWord(in: stack.range) { word, referrer in
                look(word, from: referrer, &queue)
                revive(word)
            }
        }
        for stretch in roots.memory.map(\.range) + Set(revived) {
            forEachWord(in: stretch) { look($0, from: $1, &queue) }
        }
        follow(&queue)
    }

    /// Everything that the blocks in a queue lead to.
    private func follow(_ queue: inout ContiguousArray<Int32>) {
        var next = 0
        while next < queue.count {
            let block = Int(queue[next])
            next += 1
            forEachWord(ofBlock: block) { look($0, from: $1, &queue) }
        }
    }

    /// Takes one word that may be an address.
    @inline(__always)
    private func look(_ word: UInt64, from referrer: UInt64, _ queue: inout ContiguousArray<Int32>) {
        let address = word & Self.addressBits
        guard span.contains(address) else { return }
        guard let block = Self.block(of: address, heaps), referrers[block] == 0, !ignored.contains(referrer)
        else { return }
        referrers[block] = referrer
        queue.append(Int32(block))
    }
}
