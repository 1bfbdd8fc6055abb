#if os(Linux)
    import Foundation
    import Testing

    @Suite("A snapshot of operations and Swift tasks that wait for each other", .whereClassesAreObserved)
    struct SnapshotTasksTests {
        /// What `Circles` prints.
        private static func snapshot(_ mode: String) throws -> String {
            let path = temporaryPath() + ".optrace"
            defer { try? FileManager.default.removeItem(atPath: path) }
            return try CrashTests.output(of: "RecordingVictim", ["circle", mode, path])
        }

        @Test("a snapshot says what an operation's task waits for, and that this may be a deadlock")
        func created() throws {
            #expect(
                try Self.snapshot("created") == """
                    queue "pages": 1 executing, 1 ready, 0 waiting; 1 slot
                    outer is still executing; it created task helper, helper awaits waiter, waiter blocks \
                    its thread until inner finishes, inner needs a slot of queue pages (limit 1), and outer \
                    has it: a deadlock if helper has to finish outer; stuck behind it: 1 operation
                    ● outer (Outer)
                    ○ inner (Circles.run(_:writingTo:))

                    """)
        }

        @Test("a snapshot includes an operation of another queue that an operation's task waits for")
        func elsewhere() throws {
            #expect(
                try Self.snapshot("elsewhere") == """
                    queue "pages": 1 executing, 0 ready, 0 waiting; 1 slot
                    outer is still executing; it created task helper, helper awaits waiter, waiter blocks \
                    its thread until inner finishes, inner depends on outer: a deadlock if helper has to \
                    finish outer; stuck behind it: 1 operation
                    ● outer (Outer), 1 waits for it
                      └ inner (Circles.run(_:writingTo:)), in another queue or in none

                    """)
        }

        @Test("a snapshot says that the main thread is blocked until an operation finishes that needs it")
        func blockedMainThread() throws {
            #expect(
                try Self.snapshot("blocked-main") == """
                    queue "pages": 0 executing, 0 ready, 1 waiting; 1 slot
                    deadlock: save depends on update, update needs the main thread, which is blocked until \
                    queue pages is empty, and save is in it
                    ○ update (Circles.run(_:writingTo:)), in another queue or in none, 1 waits for it
                      └ save (Circles.run(_:writingTo:))

                    """)
        }

        @Test("a snapshot says that an operation of the main queue blocks the thread that another one needs")
        func mainOperation() throws {
            #expect(
                try Self.snapshot("main-operation") == """
                    queue "pages": 0 executing, 0 ready, 1 waiting; 1 slot
                    deadlock: save depends on update, update needs a slot of the main queue (limit 1), and \
                    sync has it, sync blocks its thread until save finishes
                    ○ update (Circles.run(_:writingTo:)), in another queue or in none, 1 waits for it
                      └ save (Circles.run(_:writingTo:))
                    ● sync (Circles.run(_:writingTo:)), in another queue or in none, blocks its thread until \
                    save finishes

                    """)
        }

        @Test("a snapshot finds no deadlock in a main thread that waits for an operation which executes")
        func executing() throws {
            #expect(
                try Self.snapshot("executing") == """
                    queue "pages": 0 executing, 0 ready, 1 waiting; 1 slot
                    ○ update (Circles.run(_:writingTo:)), in another queue or in none, 1 waits for it
                      └ save (Circles.run(_:writingTo:))
                    ● upload (Circles.run(_:writingTo:)), in another queue or in none

                    """)
        }

        @Test("a snapshot names the task that has the main thread, and so closes a circle")
        func mainThread() throws {
            #expect(
                try Self.snapshot("main-actor") == """
                    queue "pages": 0 executing, 0 ready, 1 waiting; 1 slot
                    deadlock: save depends on update, update needs the main thread, which \
                    refresh has, refresh blocks its thread until save finishes
                    ○ update (Circles.run(_:writingTo:)), in another queue or in none, 1 waits for it
                      └ save (Circles.run(_:writingTo:))

                    """)
        }
    }
#endif
