import InspectorColumns

/// Which tasks run on which threads, while a log is read. A task that another one starts on its own thread
/// (`Task.immediate`) runs within that one's run.
struct RunningTasks {
    /// The tasks of each thread, the innermost last.
    private var stacks: [[Int32]] = []
    private var places: [ProcessThread: Int] = [:]
    /// Most events are of the thread of the event before.
    private var recent: (thread: ProcessThread, place: Int)?

    /// The task that runs on the thread, as an index; the innermost one.
    func innermost(on thread: ProcessThread) -> Int32? {
        if let recent, recent.thread == thread { return stacks[recent.place].last }
        return places[thread].flatMap { stacks[$0].last }
    }

    mutating func begin(_ task: Int, on thread: ProcessThread) {
        stacks[place(of: thread)].append(Int32(truncatingIfNeeded: task))
    }

    /// Has no effect if the task does not run there, as in damaged logs.
    mutating func end(_ task: Int, on thread: ProcessThread) {
        let place = place(of: thread)
        if let last = stacks[place].lastIndex(of: Int32(truncatingIfNeeded: task)) {
            stacks[place].remove(at: last)
        }
    }

    private mutating func place(of thread: ProcessThread) -> Int {
        if let recent, recent.thread == thread { return recent.place }
        let place = places[thread] ?? stacks.count
        if place == stacks.count {
            stacks.append([])
            places[thread] = place
        }
        recent = (thread, place)
        return place
    }
}
