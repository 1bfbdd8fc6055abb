/// Where a process can begin to reach memory: what its threads, its variables and the kernel hold.
struct MemoryRoots {
    /// A thread's registers, or something that the kernel keeps for the process.
    struct Words {
        let holder: RootHolder
        let words: [UInt64]
    }

    /// Memory that nobody has to reach.
    struct Stretch {
        let holder: RootHolder
        let range: Range<UInt64>
    }

    /// What threads use now: words, and the parts of stacks that are in use.
    private(set) var words: [Words]
    private(set) var stacks: [Stretch] = []
    /// Everything else that belongs neither to a heap nor to a stack.
    private(set) var memory: [Stretch] = []
    /// Stacks of threads that have ended, which the C library keeps for new ones; each with the addresses by
    /// which a thread that creates one would know it.
    private(set) var unused: [(stack: Range<UInt64>, known: Range<UInt64>)] = []

    /// How far below its end a stack can have the description of its thread.
    private static let mostLocal: UInt64 = 1 << 16

    /// - Parameter hasFirst: whether the first thread of the process has not ended.
    init(
        _ copy: MemoryCopy, _ heaps: [GlibcHeap], _ threads: [StoppedThread], hasFirst: Bool, kernel: [Words]
    ) {
        words = threads.map { Words(holder: .registers(thread: $0.number), words: $0.registers) } + kernel
        // Heaps are reached from elsewhere; what the allocator itself knows of them counts for nothing.
        let allocators = (heaps.map(\.range) + heaps.compactMap(\.variables))
            .sorted { $0.lowerBound < $1.lowerBound }
        for region in copy.regions {
            let range = region.start..<region.end
            let isMain = region.mapping.name == "[stack]"
            // The library has what it knows of a thread on its stack. Where it has not, the stack is one of
            // many of the program's own.
            let own = threads.filter {
                range.contains($0.stackPointer) && (isMain || range.contains($0.threadPointer))
            }
            let isStack = isMain || copy.hasGuard(below: region)
            if isMain, !hasFirst { continue }
            if isStack, let lowest = own.map(\.stackStart).min() {
                let used = max(range.lowerBound, lowest)..<range.upperBound
                stacks.append(Stretch(holder: .stack(thread: own[0].number), range: used))
                continue
            }
            if isStack,
                !threads.contains(where: {
                    range.contains($0.threadPointer) || range.contains($0.stackPointer)
                }),
                let known = Self.endedThread(region)
            {
                unused.append((range, known))
                continue
            }
            var start = range.lowerBound
            for own in allocators where range.contains(own.lowerBound) && own.lowerBound >= start {
                append(region, start..<own.lowerBound)
                start = own.upperBound
            }
            if start < range.upperBound { append(region, start..<range.upperBound) }
        }
    }

    private mutating func append(_ region: MemoryCopy.Region, _ range: Range<UInt64>) {
        for used in region.used {
            let used = region.start + UInt64(used.lowerBound)..<region.start + UInt64(used.upperBound)
            let part = used.clamped(to: range)
            if !part.isEmpty {
                memory.append(Stretch(holder: .memory(mapping: region.index), range: part))
            }
        }
    }

    /// Where a thread's description lies at the end of its stack: on x86-64 its first and third word are its
    /// own address.
    private static func endedThread(_ region: MemoryCopy.Region) -> Range<UInt64>? {
        let least = region.end - min(mostLocal, region.end - region.start)
        var address = (region.end - 64) / 64 * 64
        while address >= least, address + 24 <= region.end {
            if region.word(address) == address, region.word(address + 16) == address {
                return address..<region.end
            }
            address -= 64
        }
        return nil
    }
}

/// What holds an address without being held itself.
enum RootHolder: Hashable {
    case registers(thread: Int32)
    case stack(thread: Int32)
    /// Index of a mapping.
    case memory(mapping: Int)
    /// What the kernel keeps, such as `descriptor 7 of epoll`.
    case kernel(String)
}

extension MemoryCopy {
    /// Whether memory that nobody can read ends where a region begins.
    func hasGuard(below region: Region) -> Bool {
        region.mapping.isAnonymous && region.index > 0 && mappings[region.index - 1].isGuard
            && mappings[region.index - 1].end == region.start
    }
}
