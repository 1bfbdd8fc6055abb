extension ResumeSearch {
    private static let mostFound = 1 << 17

    /// Finds the queues of a process, and whether anything but Foundation leads to each operation that has
    /// started.
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
        let others = ReachableMemory(
            copy, WaitingThreads.asTheirCallers(threads, copy), kernel: kernel, runtime,
            ignoring: search.ownReferences(block))
        let types = ObjectTypes(copy, runtime)
        let references = others.references(to: started, most: mostReferences)
        for address in started {
            guard let number = others.block(of: address) else { continue }
            let found = references[address] ?? []
            let holders = Set(
                found.compactMap { others.root($0) }.compactMap { root -> Int32? in
                    switch root {
                    case .stack(let thread), .registers(let thread): thread
                    case .memory, .kernel: nil
                    }
                })
            let own: Set = [others.blocks[number].start]
            let holder = Holder.best(found, outside: own, others, types)?.text ?? something
            search.set(
                address, others.isReachable(number) ? .held(by: holder) : .unreachable,
                threads: holders.sorted())
        }
        return search.queues.map(\.found)
    }
}

/// Threads that wait in Foundation for the end of operations: they have their addresses, but do nothing with
/// them but wait.
enum WaitingThreads {
    private static let waits: Set = [
        "Operation.waitUntilFinished()", "OperationQueue.waitUntilAllOperationsAreFinished()",
        "OperationQueue.addOperations(_:waitUntilFinished:)",
    ]

    /// Each such thread as if the call in which it waits had returned.
    static func asTheirCallers(_ threads: [StoppedThread], _ copy: MemoryCopy) -> [StoppedThread] {
        let code = ProcessCode(copy.process, copy.mappings)
        let frames = threads.map { StackWalk(code, copy.word).frames($0) }
        let functions = code.functions(at: Set(frames.joined().map(\.place)))
        return zip(threads, frames).map { thread, frames in
            let names = frames.map { functions[$0.place]?.function ?? "" }
            guard let first = names.firstIndex(where: waits.contains) else { return thread }
            // What is called inside of these is Foundation's, too; and the recorder may stand before them.
            let caller =
                frames.indices.dropFirst(first).first { index in
                    let module = functions[frames[index].place]?.module ?? ""
                    return !waits.contains(names[index]) && !ThreadPlace.isOfRecorder(module)
                } ?? frames.count
            guard caller < frames.count, let stackPointer = frames[caller].stackPointer else { return thread }
            return StoppedThread(
                number: thread.number, stackPointer: stackPointer, threadPointer: thread.threadPointer,
                stackStart: stackPointer, registers: frames[caller].values)
        }
    }
}
