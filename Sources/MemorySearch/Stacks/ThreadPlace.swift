import EventLog

/// Where a thread is, as its program's author would say it: from what the program called last, without what
/// that does inside Swift and the system, out to where the thread's work began.
package struct ThreadPlace: Hashable, Sendable {
    package enum Work: Hashable, Sendable {
        case task, operation, other
    }

    /// What the functions run for.
    package let work: Work
    /// What the innermost of the functions called, of Swift or the system; nil for nothing.
    package let called: String?
    /// Those of the program, with what is between them; the innermost first. Empty if the thread is in none,
    /// such as one of a pool that waits for work.
    package let own: [String]

    /// The innermost first.
    package var functions: [String] { (called.map { [$0] } ?? []) + own }

    package init(_ frames: [StackFrame]) {
        let frames = frames.filter { !Self.isOfRecorder($0.module) }
        let inner = frames.prefix { !Self.isEntry($0) }
        work = frames.lazy.compactMap { Self.entries[Self.plain($0.function ?? "")] }.first ?? .other
        guard let first = inner.firstIndex(where: { !Self.isSystem($0) }),
            let last = inner.lastIndex(where: { !Self.isSystem($0) })
        else {
            (called, own) = (nil, [])
            return
        }
        called = first > 0 ? Self.name(of: frames[first - 1]) : nil
        let names = frames[first...last].map(Self.name(of:)).filter { $0 != "thunk" }
        own = AwaitStack.telling(names)
    }

    /// The recorder may stand between a function and what it calls.
    static func isOfRecorder(_ module: String) -> Bool { FilePath.name(module).hasPrefix("libopviz") }

    /// The functions of Swift and the system that call the program's, and what for.
    private static let entries: [String: Work] = [
        "swift_job_run": .task, "swift::runJobInEstablishedExecutorContext": .task,
        "OperationQueue._execute": .operation, "Operation.start": .operation,
        "OperationQueue._schedule": .operation,
        "BlockOperation.main": .operation, "Thread.main": .other, "NSThreadStart": .other,
        "__libc_start_main": .other,
    ]
    /// How functions of libdispatch, of Swift's runtime and of the C library begin, which may be part of a
    /// program's own file.
    private static let systemPrefixes = [
        "_dispatch_", "__DISPATCH_", "swift_", "swift::", "__libc_", "start_thread", "clone3", "thunk",
    ]
    /// What Swift calls them.
    private static let swiftNames = [
        "_dispatch_semaphore_wait_slow": "DispatchSemaphore.wait()",
        "_dispatch_group_wait_slow": "DispatchGroup.wait()",
        "__DISPATCH_WAIT_FOR_QUEUE__": "DispatchQueue.sync(execute:)",
        "_dispatch_sync_f_slow": "DispatchQueue.sync(execute:)",
    ]

    private static func plain(_ function: String) -> String { String(function.prefix { $0 != "(" }) }

    static func startsOperations(_ frame: StackFrame) -> Bool {
        frame.function.map { entries[plain($0)] == .operation } ?? false
    }

    private static func isEntry(_ frame: StackFrame) -> Bool {
        frame.function.map { entries[plain($0)] != nil } ?? false
    }

    private static func isSystem(_ frame: StackFrame) -> Bool {
        switch CodeOwner(module: FilePath.name(frame.module)) {
        case .swift, .system: true
        case .program, .library:
            frame.function.map { name in
                name == "_start" || systemPrefixes.contains(where: name.hasPrefix)
            } ?? false
        }
    }

    private static func name(of frame: StackFrame) -> String {
        guard let function = frame.function else { return String(FilePath.name(frame.module)) }
        return swiftNames[function] ?? function
    }
}
