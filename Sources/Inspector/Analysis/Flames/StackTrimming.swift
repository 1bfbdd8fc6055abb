import EventLog

/// Which frames of a stack belong to an operation's body, and which only lead to it: the start of the thread,
/// libdispatch, Foundation, and the recorder.
package struct StackTrimming: Sendable {
    /// Where a stack is after some frame, seen from the start of the thread.
    enum Place: Sendable {
        /// Before Foundation and libdispatch.
        case thread
        /// In Foundation or libdispatch, before an operation's `start` or `main`.
        case queue
        /// In the program, before any operation's `start`: the body, unless one follows.
        case caller
        /// In an operation's `start` or `main`, before anything of the program.
        case entry
        case body

        /// Whether the frame belongs to the body, as far as the stack is known.
        var isBody: Bool { self == .body || self == .caller }
    }

    private enum Role: Sendable { case threadStart, queue, recorder, entry, foundation, other }

    private let roles: [Role]

    init(_ frames: [StackSamples.Frame]) { roles = frames.map(Self.role) }

    /// Whether the frame is the recorder's: it is left out wherever it is.
    func isOfRecorder(_ frame: Int32) -> Bool { roles[Int(frame)] == .recorder }

    /// The place after a frame.
    ///
    /// - Parameters:
    ///   - place: the place before it.
    ///   - isNested: whether the stack is inside the body of an operation that another one started in its own
    ///     body: then the innermost `start` counts.
    func place(after place: Place, frame: Int32, isNested: Bool) -> Place {
        switch (place, roles[Int(frame)]) {
        case (.body, .entry): return isNested ? .entry : .body
        case (.body, _): return .body
        case (_, .entry): return .entry
        case (.caller, _): return .caller
        case (.thread, .threadStart): return .thread
        case (.entry, .recorder): return .entry
        case (.thread, .recorder), (.queue, .recorder): return .queue
        case (.thread, .queue), (.thread, .foundation), (.queue, .queue), (.queue, .foundation): return .queue
        case (.entry, .queue): return .entry
        case (.entry, _): return .body
        case (.thread, _), (.queue, _): return .caller
        }
    }

    private static let threadModules = ["libc.so", "libpthread", "ld-linux", "ld-musl", "libc-"]
    private static let threadFunctions: Set<String> = [
        "start_thread", "clone", "clone3", "__clone", "__clone3", "_start", "__libc_start_main",
        "__libc_start_call_main",
    ]
    /// Of Foundation, and of the library Ops, which may be a part of the program.
    private static let entries: Set<String> = [
        "Operation.start()", "Operation.main()", "BlockOperation.main()", "SynchronousOperation.main()",
        "AsynchronousOperation.start()", "GroupOperation.main()", "TaskOperation.main()",
    ]
    /// Of the recorder, which may be a part of the program.
    private static let recorderFunctions: Set<String> = [
        "observed_start", "observed_run_body", "call_void", "observed_add_dependency", "observed_cancel",
        "observed_destroy", "observed_is_executing_now", "observed_is_finished", "observed_is_ready_now",
        "observed_remove_dependency", "observed_wait_for", "recorder_append", "recorder_append_at",
        "recorder_append_enqueue", "recorder_append_now", "recorder_append_soon", "recorder_append_success",
        "recorder_begin_body", "recorder_begin_closure", "recorder_begin_enqueue",
        "recorder_begin_queue_wait", "recorder_begin_wait", "recorder_end_body", "recorder_end_enqueue",
        "recorder_end_queue_wait", "recorder_end_wait", "recorder_enqueue_closure",
        "recorder_enqueue_plain",
    ]

    /// The functions that it recognizes by their names alone.
    package static let knownFunctions = entries.union(threadFunctions).union(recorderFunctions)

    private static func role(_ frame: StackSamples.Frame) -> Role {
        let module = frame.libraryName
        // A closure in such a function has a number behind its name.
        let function = frame.function.split(separator: " #").first ?? ""
        if entries.contains(String(function)) { return .entry }
        if threadFunctions.contains(frame.function) || threadModules.contains(where: module.hasPrefix) {
            return .threadStart
        }
        if module.hasPrefix("libopviz") || recorderFunctions.contains(frame.function) { return .recorder }
        let isQueue =
            module.hasPrefix("libdispatch") || module.hasPrefix("libBlocksRuntime")
            || frame.function.hasPrefix("_dispatch_") || frame.function.contains("OperationQueue._")
            || frame.function.hasPrefix("thunk")
        if isQueue { return .queue }
        return module.hasPrefix("libFoundation") ? .foundation : .other
    }
}

extension StackSamples.Frame {
    /// The file name of the module, without its folder.
    package var libraryName: Substring {
        module.map(FilePath.name) ?? ""
    }
}
