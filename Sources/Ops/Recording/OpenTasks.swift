import CRecorder
import EventLog
import Foundation
import WaitDiagnosis

/// The Swift tasks of the process at this moment, read from the log that they are recorded in.
///
/// Not on several threads at once.
final class OpenTasks: FollowedEventConsumer {
    /// The longest time that reading the log may take. 1 s.
    private static let longestReading = Duration.seconds(1)
    /// Between two looks at the threads, in microseconds. 10 ms.
    private static let pause: UInt32 = 10_000

    private let writer: EventLogWriter
    private let descriptor: Int32
    private let follower: LogFollower
    private(set) var tasks = LiveTasks()
    private var waits = LiveWaits()

    /// Nil if its file cannot be read.
    private init?(recordedBy writer: EventLogWriter) {
        let descriptor = open(writer.spool, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        guard let follower = try? LogFollower(following: descriptor) else {
            close(descriptor)
            return nil
        }
        (self.writer, self.descriptor, self.follower) = (writer, descriptor, follower)
    }

    deinit { close(descriptor) }

    func consume(_ event: EventFields) {
        if event.isOfTask {
            tasks.consume(event)
        } else if event.type == .executorOpened {
            tasks.open(event)
        } else {
            waits.consume(event)
        }
    }

    /// Nil unless tasks are recorded in the log of `writer`, and it can be read in the time.
    static func read(from writer: EventLogWriter) -> OpenTasks? {
        guard ObservedTasks.writer === writer, let tasks = OpenTasks(recordedBy: writer),
            tasks.readAll(until: .now + longestReading)
        else { return nil }
        return tasks
    }

    /// The tasks whose threads wait for an operation or a queue. If several run on the thread, it is the
    /// innermost one.
    var blocked: [(task: UInt64, thread: UInt64, target: LiveWaits.Wait.Target)] {
        var running = RunningTasks<UInt64, UInt64>()
        for (id, task) in tasks.tasks where task.part == .running {
            if let run = task.run { running.add(id, on: run.thread, since: run.start) }
        }
        return waits.all.sorted { $0.key < $1.key }.compactMap { thread, waits in
            guard let wait = waits.last, let task = running.blocked(on: thread, since: wait.start) else {
                return nil
            }
            return (task, thread, wait.target)
        }
    }

    /// The operation that created a task, directly or through others. 0 if that is not known.
    func creator(of task: UInt64) -> UInt64 {
        var (creator, seen) = (task, Set<UInt64>())
        while OperationID(creator).isTask {
            guard seen.insert(creator).inserted, let parent = tasks.tasks[creator]?.parent else { return 0 }
            creator = parent
        }
        return creator
    }

    /// Its own name, or that of the function that it was written in.
    func name(of task: LiveTasks.Task) -> String { task.name(text: follower.text, function: function) }

    /// `the main actor`
    func name(ofExecutor executor: UInt64) -> String {
        tasks.executors[executor].map { $0.kind.inProse(QueueSnapshot.printable(follower.text($0.name))) }
            ?? LogEvent.ExecutorKind.unknownInProse
    }

    /// Nil unless tasks are recorded, and every thread of the pool is blocked in a task while other tasks are
    /// ready, at two looks.
    ///
    /// Only if enough threads are blocked in tasks, the log is read, and the second look comes 10 ms later.
    ///
    /// - Parameter read: the tasks as they were read a moment before, if they were: then only what is new is.
    static func standstill(_ read: OpenTasks?) -> PoolStandstill? {
        let system = LiveSystem.real
        guard let writer = ObservedTasks.writer else { return nil }
        let blocked = threads.count { thread in
            ThreadReading(process: getpid(), thread: thread, system).map { !$0.isRunnable } ?? false
        }
        let known = read?.writer === writer ? read : nil
        guard blocked > 0, let tasks = known ?? OpenTasks(recordedBy: writer) else { return nil }
        return tasks.standstill(amongBlocked: blocked, system)
    }

    /// The threads that run tasks.
    static var threads: [UInt64] {
        Array(unsafeUninitializedCapacity: Int(RECORDER_MOST_TASK_THREADS)) { buffer, count in
            count = recorder_task_threads(buffer.baseAddress, buffer.count)
        }
    }

    private func standstill(amongBlocked count: Int, _ system: LiveSystem) -> PoolStandstill? {
        guard let processors = follower.log.processors?.usable, count >= processors else { return nil }
        let end = ContinuousClock.now + Self.longestReading
        var threads = PoolThreads()
        for look in 1...2 {
            guard readAll(until: end) else { return nil }
            threads.look(at: tasks, of: getpid(), system)
            if look == 1 { usleep(Self.pause) }
        }
        let now = recorder_nanoseconds(writer.log.log, writer.now)
        return threads.standstill(
            of: tasks, processors: processors, at: now, text: follower.text, function: function)
    }

    /// False if something is missing: a task may then have gone on unseen.
    private func readAll(until end: ContinuousClock.Instant) -> Bool {
        guard let look = try? follower.look(into: self, while: { ContinuousClock.now < end }) else {
            return false
        }
        return look == .all && follower.log.droppedEvents == 0 && follower.overwrittenRecords == 0
            && follower.missedRecords == 0
    }

    private func function(_ kind: UInt32) -> String {
        let text = follower.text(kind)
        return ClosureCode.names.withLock { names in
            names.learn(CodeNames.codes(ofTask: text))
            return names.kind(ofTask: text) ?? text
        }
    }
}
