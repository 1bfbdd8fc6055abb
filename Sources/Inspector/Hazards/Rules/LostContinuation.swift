import WaitDiagnosis

/// A Swift task that awaits its continuation at the end of the log, and nothing has resumed it.
///
/// It is an error if the memory of the process was searched, and nothing there could have resumed it.
/// Otherwise whether something could is not in the log: a task that waits for whatever comes next, in a loop,
/// is a note then, and so is one that no other task waits for.
enum LostContinuation: HazardRule {
    static let name = "lost-continuation"
    static let meaning = "a Swift task awaited its continuation when the log ended; nothing resumed it"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        UnfinishedTask.check(context, &findings) {
            $0.state == .awaiting(.continuation)
        } advice: { _ in
            "resume the continuation on every path, also on failure and cancellation, and exactly once; "
                + "hand it to something that lives as long as the task waits"
        }
    }
}
