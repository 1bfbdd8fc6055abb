import EventLog

/// A Swift task that a search found suspended, in a process that need not be recorded.
package struct SuspendedTask: Sendable {
    /// What it waits for.
    package enum Reason: Hashable, Sendable {
        /// Another task, with its number; nil if that was not found.
        case task(UInt32?)
        case continuation
        case sleep
        case group
        /// A thread, or an actor.
        case executor
    }

    /// The lower half of the runtime's number.
    package let number: UInt32
    package let reason: Reason
    /// The functions in which it awaits that, the innermost first.
    package let functions: [String]
    /// Whether anything can resume it; `unknown` unless it awaits a continuation.
    package let verdict: ResumeSearch.Verdict

    package init(number: UInt32, reason: Reason, functions: [String], verdict: ResumeSearch.Verdict) {
        (self.number, self.reason, self.functions, self.verdict) = (number, reason, functions, verdict)
    }
}

extension SwiftTask {
    private static let mostContexts = 256

    /// What it waits for: the kind of the runtime's `TaskDependencyStatusRecord`, and the object. Nil if it
    /// is not suspended.
    func dependency(_ copy: MemoryCopy) -> (kind: UInt32, object: UInt64)? {
        guard let record = copy.word(address + Part.dependency), record != 0,
            let object = copy.word(record &+ DependencyRecord.object),
            let kind = copy.word(record &+ DependencyRecord.kind)
        else { return nil }
        return (UInt32(truncatingIfNeeded: kind), object)
    }

    /// Where each function goes on that awaits the one before it: a context begins with that of the function
    /// that awaits it, and where that goes on. As `frames_of` in `Sources/CRecorder/await_stacks.c`.
    func resumptions(_ copy: MemoryCopy) -> [UInt64] {
        var found: [UInt64] = []
        var (resume, context) = (copy.word(address + Part.resume), copy.word(address + Part.context) ?? 0)
        while context != 0, found.count < Self.mostContexts {
            if let resume, resume != 0 { found.append(resume) }
            resume = copy.word(context &+ 8)
            context = copy.word(context) ?? 0
        }
        return found
    }
}

extension ThreadPlace {
    /// Whether a task with these functions sleeps.
    var isAsleep: Bool { called.map { $0.hasPrefix("Task.sleep(") || $0.contains("Clock.sleep(") } ?? false }
}
