#if os(Linux)
    import Foundation
    import Inspector
    import Ops
    import OpsTesting
    import Testing

    /// Not serialized: recordings of tasks wait for each other.
    @Suite("recorded(tasks: true): a run of Swift tasks")
    struct RecordedTasksTests {
        private actor Cache {
            private(set) var count = 0
            func add() { count += 1 }
        }

        /// Tasks wait until it is opened.
        private actor Gate {
            private var waiting: [CheckedContinuation<Void, Never>] = []
            private var isOpen = false

            func pass() async {
                if !isOpen { await withCheckedContinuation { waiting.append($0) } }
            }

            func open() {
                isOpen = true
                for task in waiting { task.resume() }
            }
        }

        @Test(
            "recorded(tasks: true) has the tasks of the body and of its operations, and none of other tests",
            arguments: 0..<4)
        func own(round: Int) async throws {
            let isOver = Gate()
            let foreign = Task.detached(name: "foreign") {
                for _ in 0..<200 { await Task(name: "foreign child") { await Task.yield() }.value }
                await isOver.pass()
            }
            let cache = Cache()
            let run = try await recorded(tasks: true) { queue in
                await withTaskGroup { group in
                    for number in 1...10 { group.addTask(name: "child \(number)") { await cache.add() } }
                }
                queue.addOperation(TaskOperation(name: "operation") { await Task(name: "inner") {}.value })
            }
            await isOver.open()
            await foreign.value
            let names = run.trace.tasks.entries.map { run.trace.tasks.texts[$0.name] }
            let expected = ["inner"] + (1...10).map { "child \($0)" }
            #expect(Set(expected).subtracting(names) == [])
            #expect(!names.contains { $0.hasPrefix("foreign") })
            #expect(run.trace.losses == [])
            run.expectConcurrency(atMost: 1, executor: "Cache")
            run.expectWithinBudget("[{executor: Cache, count: at least 10}, {count: exactly 1}]")
            run.expectNoTaskOutlives()
        }

        @Test("a task that outlives the run fails the test, with what it awaits")
        func outlives() async throws {
            let gate = Gate()
            let begins = Gate()
            let run = try await recorded(tasks: true, named: "import") { _ in
                Task(name: "forgotten") {
                    await begins.open()
                    await gate.pass()
                }
                await begins.pass()
            }
            let sentences = failures { run.expectNoTaskOutlives() }
            await gate.open()
            let sentence = try #require(sentences.first)
            #expect(sentence.hasPrefix("1 task outlives import; the first: forgotten ("), "\(sentence)")
            #expect(sentence.contains("has not finished after"), "\(sentence)")
            if let folder = sentence.split(separator: ": ").last, folder.hasPrefix("/") {
                try FileManager.default.removeItem(atPath: String(folder))
            }
        }

        @Test("recorded(tasks: true) within another such recording is an error, not a wait for ever")
        func nested() async throws {
            let error = await #expect(throws: UnobservableTasks.self) {
                try await recorded(tasks: true) { _ in _ = try await recorded(tasks: true) { _ in } }
            }
            #expect(error?.description.hasPrefix("tasks are being recorded already") == true)
            // The turn was given back.
            _ = try await recorded(tasks: true) { _ in }
        }
    }
#endif
