#if os(Linux)
    import CRecorder
    import EventLog
    import Foundation
    import Inspector
    import Ops
    import Testing

    @Suite("A recorder records the tasks of its program", .serialized)
    struct ObservedTasksTests {
        private struct Refused: Error {}

        /// The task of that name in a log, with its runs.
        private struct Task {
            let entry: TraceTasks.Entry
            let runs: [TraceTasks.Run]

            init(_ name: String, in trace: Trace) throws {
                let tasks = trace.tasks
                let index = try #require(
                    tasks.entries.firstIndex { tasks.texts[$0.name] == name }, "no task \(name)")
                entry = tasks.entries[index]
                runs = Array(tasks.runs(of: index))
            }
        }

        private static func record(_ recorder: Recorder, _ body: () async throws -> Void) async throws
            -> Trace
        {
            let path = temporaryPath()
            defer { try? FileManager.default.removeItem(atPath: path) }
            try recorder.start(writingTo: path)
            try await body()
            try recorder.stop()
            return try TraceReader(path: path).read()
        }

        @Test("A task that begins and fails while it records is there with its runs, parent and outcome")
        func whole() async throws {
            let recorder = Recorder()
            let trace = try await Self.record(recorder) {
                #expect(recorder.observeTasks())
                let outer = _Concurrency.Task(name: "outer") {
                    let inner = _Concurrency.Task(name: "inner") { throw Refused() }
                    _ = await inner.result
                }
                await outer.value
            }
            let (outer, inner) = try (Task("outer", in: trace), Task("inner", in: trace))
            #expect(outer.entry.created != nil && outer.entry.outcome == .succeeded)
            #expect(inner.entry.parent == outer.entry.identifier && inner.runs.count == 1)
            guard case .failed(let error)? = inner.entry.outcome else {
                Issue.record("\(inner.entry)")
                return
            }
            #expect(trace.tasks.texts[error].hasSuffix("Refused"))
            #expect(trace.losses.isEmpty, "\(trace.losses)")
        }

        /// Passes a task on when it is opened.
        private actor Gate {
            private var waiting: CheckedContinuation<Void, Never>?

            func pass() async { await withCheckedContinuation { waiting = $0 } }
            /// Whether a task is suspended here: had it not left its thread, it would have the actor.
            var isAwaited: Bool { waiting != nil }
            func open() async {
                while !isAwaited { await _Concurrency.Task.yield() }
                waiting?.resume()
                waiting = nil
            }
        }

        @Test("A task that is older than the log has no creation there, and the runs from then on")
        func older() async throws {
            let gate = Gate()
            let recorder = Recorder()
            #expect(recorder.observeTasks())
            let old = _Concurrency.Task(name: "old") { for _ in 1...3 { await gate.pass() } }
            await gate.open()
            while await !gate.isAwaited { await _Concurrency.Task.yield() }
            let trace = try await Self.record(recorder) {
                for _ in 1...2 { await gate.open() }
                await old.value
            }
            let task = try Task("old", in: trace)
            #expect(task.entry.created == nil && task.entry.outcome == .succeeded)
            #expect(task.runs.count >= 2)
            #expect(trace.losses.isEmpty, "\(trace.losses)")
        }

        @Test("The recorder that asked last has the tasks, in each of its logs")
        func last() async throws {
            let (first, second) = (Recorder(), Recorder())
            #expect(first.observeTasks() && second.observeTasks())
            func run(_ name: String) async { await _Concurrency.Task(name: name) {}.value }
            for round in 1...3 {
                let other = try await Self.record(first) {
                    let trace = try await Self.record(second) { await run("round \(round)") }
                    #expect(try Task("round \(round)", in: trace).entry.outcome == .succeeded)
                    await run("after")
                }
                #expect(other.tasks.isEmpty)
            }
            #expect(first.observeTasks())
            let trace = try await Self.record(first) { await run("again") }
            #expect(try Task("again", in: trace).runs.count == 1)
        }

        @Test("The obstacles have the recorder's numbers")
        func obstacles() {
            #expect(TaskObstacle(rawValue: TASKS_ARE_STATIC.rawValue) == .staticRuntime)
            #expect(TaskObstacle(rawValue: TASKS_ARE_UNKNOWN.rawValue) == .unknownRuntime)
            #expect(TaskObstacle(rawValue: TASKS_ARE_OBSERVED.rawValue) == nil)
        }
    }
#endif
