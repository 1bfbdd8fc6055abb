extension ResumeSearch {
    private static let mostFound = 1 << 17
    /// How often what may run is asked for again, because something was found that can be finished.
    private static let mostRounds = 8

    /// Finds the queues of a process, which thread executes which operation, and whether anything but
    /// Foundation leads to each operation that has started.
    ///
    /// - Parameter memory: where everything counts as leading to something.
    static func queues(
        _ memory: ReachableMemory, _ threads: [StoppedThread], kernel: [MemoryRoots.Words],
        _ runtime: SwiftRuntime?, _ classes: FoundationClasses
    ) -> [FoundQueue] {
        let copy = memory.copy
        let used = memory.blocks.indices.lazy.filter { memory.isReachable($0) }.map { memory.blocks[$0] }
        var search = QueueSearch(copy, classes, used)
        let started = Set(search.started.prefix(mostFound))
        if started.isEmpty { return search.queues.map(\.found) }
        func block(_ address: UInt64) -> GlibcHeap.Block? {
            memory.block(of: address).map { memory.blocks[$0] }
        }
        let stacks = ExecutingThreads(threads, copy)
        let others = ReachableMemory(
            copy, stacks.withoutWaits, kernel: kernel, runtime,
            ignoring: search.ownReferences(block))
        func isReachable(_ address: UInt64) -> Bool {
            others.block(of: address).map(others.isReachable) ?? true
        }
        // What waits may finish others when it runs; but not what waits for these.
        var lost = started
        for round in 0..<mostRounds {
            others.reach(search.runnable(without: round < mostRounds - 1 ? lost : []))
            let left = lost.filter { !isReachable($0) }
            if left.count == lost.count { break }
            lost = left
        }
        lost = lost.filter { !isReachable($0) }
        let types = ObjectTypes(copy, runtime)
        let references = others.references(to: started, most: mostReferences)
        let executing = stacks.executing(started)
        for address in started {
            guard let number = others.block(of: address) else { continue }
            let verdict = Holder.verdict(
                references[address] ?? [], outside: [others.blocks[number].start], others, types)
            search.set(
                address, lost.contains(address) ? .unreachable : verdict, thread: executing[address])
        }
        return search.queues.map(\.found)
    }
}
