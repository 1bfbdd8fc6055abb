/// What the threads of a stopped process do with operations: which they execute, and which they wait for.
struct ExecutingThreads {
    private let threads: [StoppedThread]
    private let copy: MemoryCopy
    private let frames: [[StackWalk.Frame]]
    private let functions: [UInt64: StackFrame]

    private static let waits: Set = [
        "Operation.waitUntilFinished()", "OperationQueue.waitUntilAllOperationsAreFinished()",
        "OperationQueue.addOperations(_:waitUntilFinished:)",
    ]

    init(_ threads: [StoppedThread], _ copy: MemoryCopy) {
        (self.threads, self.copy) = (threads, copy)
        let code = ProcessCode(copy.process, copy.mappings)
        frames = threads.map { StackWalk(code, copy.word).frames($0) }
        functions = code.functions(at: Set(frames.joined().map(\.place)))
    }

    /// The threads; each that waits in Foundation for the end of operations as if the call had returned: it
    /// has their addresses, but does nothing with them but wait.
    var withoutWaits: [StoppedThread] {
        zip(threads, frames).map { thread, frames in
            let names = frames.map { functions[$0.place]?.function ?? "" }
            guard let first = names.firstIndex(where: Self.waits.contains) else { return thread }
            // What is called inside of these is Foundation's, too; and the recorder may stand before them.
            let caller = frames.indices.dropFirst(first).first { index in
                let module = functions[frames[index].place]?.module ?? ""
                return !Self.waits.contains(names[index]) && !ThreadPlace.isOfRecorder(module)
            }
            guard let caller, let stackPointer = frames[caller].stackPointer else { return thread }
            return StoppedThread(
                number: thread.number, stackPointer: stackPointer, threadPointer: thread.threadPointer,
                stackStart: stackPointer, registers: frames[caller].values)
        }
    }

    /// The thread that executes each of some operations: which one a thread executes, the innermost of
    /// Foundation's functions that start operations have on their part of the stack.
    func executing(_ started: Set<UInt64>) -> [UInt64: Int32] {
        var found: [UInt64: Int32] = [:]
        for (thread, frames) in zip(threads, frames) {
            func isEntry(_ frame: StackWalk.Frame) -> Bool {
                functions[frame.place].map(ThreadPlace.startsOperations) ?? false
            }
            guard let first = frames.firstIndex(where: isEntry), var word = frames[first].stackPointer,
                let last = frames[first...].firstIndex(where: { !isEntry($0) }),
                let end = frames[last].stackPointer
            else { continue }
            // What the innermost of them had in a register, those that it calls have saved below.
            if let address = frames[first..<last].lazy.flatMap(\.values).first(where: started.contains) {
                found[address] = thread.number
                continue
            }
            while word < end {
                if let address = copy.word(word), started.contains(address) {
                    found[address] = thread.number
                    break
                }
                word += 8
            }
        }
        return found
    }
}
