import Foundation
import MemorySearch
import Testing

@testable import opviz

@Suite("A process that writes no log")
struct OutsideViewTests {
    static func view(unseen: String? = nil, unsearched: String? = nil) -> OutsideView {
        OutsideView(
            process: 4711, program: "server", threads: threads, tasks: tasks, queues: queues, unseen: unseen,
            unsearched: unsearched)
    }

    static func json(unseen: String?, unsearched: String?) -> Data {
        Data(view(unseen: unseen, unsearched: unsearched).json)
    }

    private static let threads = [
        thread(
            4711,
            [
                "pthread_cond_wait@libc.so.6",
                "OperationQueue.waitUntilAllOperationsAreFinished()@libFoundation.so", "main",
            ]),
        thread(4713, ["_dispatch_semaphore_wait_slow@libdispatch.so", "Config.load()", "swift_job_run"]),
        thread(4714, ["_dispatch_semaphore_wait_slow@libdispatch.so", "Config.load()", "swift_job_run"]),
        thread(4715, ["Upload.main()", "OperationQueue._execute(_:)@libFoundation.so"], isRunnable: true),
        thread(4716, ["@libc.so.6", "_dispatch_worker_thread@libdispatch.so"]),
    ]
    private static let queues = [
        FoundQueue(
            name: "uploads", limit: 7, isSuspended: false,
            operations: [
                FoundOperation(
                    name: "first", kind: "Upload", state: .started, verdict: .heldByThread("thread 4715"),
                    thread: 4715),
                FoundOperation(name: "next", kind: "Upload", state: .dispatched),
                FoundOperation(name: "lost", kind: "Fetch", state: .started, verdict: .unreachable),
                FoundOperation(
                    name: "", kind: "Fetch", state: .started, verdict: .held(by: "an object of type Cache")),
                FoundOperation(
                    name: "store", kind: "BlockOperation", state: .waiting, isCancelled: true,
                    dependencies: [
                        .init(name: "lost", isNeverAdded: false), .init(name: "x", isNeverAdded: true),
                    ], moreDependencies: 2),
                FoundOperation(
                    name: "after", kind: "BlockOperation", state: .waiting,
                    dependencies: [.init(name: "never", isNeverAdded: true)]),
            ] + (1...5).map { FoundOperation(name: "page \($0)", kind: "Page", state: .waiting) }
                + (1...3).map { _ in FoundOperation(name: "", kind: "Fetch", state: .started) }),
        FoundQueue(
            name: "", limit: nil, isSuspended: true,
            operations: [FoundOperation(name: "", kind: "Page", state: .waiting)]),
        FoundQueue(
            name: "free", limit: nil, isSuspended: false,
            operations: [FoundOperation(name: "", kind: "Page", state: .waiting)]),
    ]
    private static let tasks = [
        SuspendedTask(number: 3, reason: .task(9), functions: ["page(_:)"], verdict: .unknown),
        SuspendedTask(number: 4, reason: .task(8), functions: ["other(_:)"], verdict: .unknown),
        SuspendedTask(number: 5, reason: .task(9), functions: ["other(_:)"], verdict: .unknown),
        SuspendedTask(
            number: 9, reason: .continuation, functions: ["fetch(_:)", "page(_:)"], verdict: .unreachable),
        SuspendedTask(
            number: 8, reason: .continuation, functions: ["Cache.value()"],
            verdict: .held(by: "an object of type Connection")),
        SuspendedTask(number: 10, reason: .group, functions: [], verdict: .unknown),
        SuspendedTask(number: 11, reason: .sleep, functions: ["poll()"], verdict: .unknown),
        SuspendedTask(number: 12, reason: .executor, functions: ["Cache.put(_:)"], verdict: .unknown),
    ]

    private static func thread(
        _ number: Int32, _ frames: [String], isRunnable: Bool = false
    ) -> ThreadStacks.Thread {
        ThreadStacks.Thread(
            number: number, name: "server", isRunnable: isRunnable,
            frames: frames.map { frame in
                let parts = frame.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
                return StackFrame(
                    function: parts[0].isEmpty ? nil : parts[0],
                    module: parts.count > 1 ? "/lib/" + parts[1] : "/app/server")
            })
    }

    @Test("the text has each place once, and the tasks that nothing can resume first")
    func text() {
        #expect(
            Self.view().text(width: 80) == """
                server (pid 4711), not recorded

                Threads
                  main thread, blocked
                      in OperationQueue.waitUntilAllOperationsAreFinished() ← main
                  2 threads, blocked in tasks
                      in DispatchSemaphore.wait() ← Config.load()
                  thread 4715, on a CPU in an operation
                      in Upload.main()
                  1 more thread waits for work

                Queues
                  uploads: limit 7, 6 started, 1 waiting for a thread, 7 waiting
                      lost (Fetch) has started, and no thread is in it; nothing in the process
                        can finish it: only its queue leads to it
                      first (Upload) is executing, on thread 4715
                      Fetch has started, and no thread is in it; an object of type Cache may
                        finish it
                      3 × Fetch has started, and no thread is in it
                      next (Upload) has a slot, and no thread has begun it
                      store (BlockOperation) is cancelled, and waits for lost and 3 more
                        dependencies
                      after (BlockOperation) waits for never, which is in no queue
                      page 1 (Page) waits for a slot
                      page 2 (Page) waits for a slot
                      page 3 (Page) waits for a slot
                      and 2 more
                  queue without a name: no limit, suspended, 0 started, 1 waiting
                      Page waits: the queue is suspended
                  free: no limit, 0 started, 1 waiting
                      Page waits until it is ready

                Suspended tasks
                  task 9 awaits its continuation; nothing in the process can resume it: its
                    continuation is lost
                      in fetch(_:) ← page(_:)
                  task 8 awaits its continuation; nothing has resumed it; an object of type
                    Connection may hold its continuation
                      in Cache.value()
                  task 12 waits for a thread or an actor
                      in Cache.put(_:)
                  2 tasks await other tasks
                      in other(_:)
                  task 3 awaits task 9
                      in page(_:)
                  task 10 awaits its task group
                  task 11 sleeps
                      in poll()

                """)
    }

    @Test("names from a process cannot control the terminal")
    func escaped() {
        let view = OutsideView(
            process: 1, program: "a\u{1b}[2J",
            threads: [Self.thread(1, ["f\u{1b}[31m()"])],
            tasks: [
                SuspendedTask(
                    number: 1, reason: .continuation, functions: ["g\u{7}()"],
                    verdict: .held(by: "an object of type \u{1b}]0;x"))
            ],
            queues: [
                FoundQueue(
                    name: "q\u{1b}[1m", limit: nil, isSuspended: false,
                    operations: [
                        FoundOperation(
                            name: "n\u{1b}[2m", kind: "K\u{1b}[3m", state: .started,
                            verdict: .held(by: "an object of type \u{7}")),
                        FoundOperation(
                            name: "m\u{7}", kind: "K", state: .waiting,
                            dependencies: [.init(name: "d\u{1b}[4m", isNeverAdded: true)]),
                    ])
            ])
        #expect(!view.text(width: 80).contains { $0 == "\u{1b}" || $0 == "\u{7}" })
    }

    @Test(
        "opviz watch prints where the threads of a running program are, and the program goes on",
        .enabled(if: TracePermission.obstacle == nil, "needs permission to trace processes"))
    func watch() throws {
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/bin/cat")
        let (input, output) = (Pipe(), Pipe())
        (program.standardInput, program.standardOutput) = (input, output)
        try program.run()
        defer { kill(program.processIdentifier, SIGKILL) }
        input.fileHandleForWriting.write(Data("a".utf8))
        #expect(output.fileHandleForReading.availableData == Data("a".utf8))
        let process = "\(program.processIdentifier)"
        let folder = try Folder()
        let run = try CommandRun("watch", process, in: folder)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.text.hasPrefix("cat (pid \(process)), not recorded"))
        #expect(run.text.contains("main thread, blocked"))
        #expect(run.error.contains("also shows its operation queues and its suspended"))
        let proven = try CommandRun("watch", "--prove", "-f", "json", process, in: folder)
        #expect(proven.status == 69 && proven.text.contains("opviz-process"))
        #expect(
            proven.error.contains("nothing is proven: the memory of process \(process) was not searched: "))
        #expect(proven.error.contains("its Swift runtime does not say"))
        input.fileHandleForWriting.write(Data("b".utf8))
        #expect(output.fileHandleForReading.availableData == Data("b".utf8))
    }
}
