#if os(Linux)
    import Foundation
    import Testing

    @Suite("A snapshot of a program with Swift tasks")
    struct BlockedPoolTests {
        /// What `PoolTasks` prints.
        private static func lines(_ mode: String) throws -> [String] {
            let path = temporaryPath() + ".optrace"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let text = try CrashTests.output(of: "RecordingVictim", ["pool", mode, path])
            return text.split(separator: "\n").map(String.init)
        }

        private static let heading = "queue: 0 executing, 0 ready, 0 waiting"

        @Test(
            "a snapshot names the tasks that block every thread of the pool, until they go on",
            // Some kernels and sandboxes do not say what threads do.
            .enabled(if: FileManager.default.isReadableFile(atPath: "/proc/thread-self/schedstat")))
        func blocked() throws {
            let lines = try Self.lines("blocked")
            let count = ProcessInfo.processInfo.activeProcessorCount
            try #require(lines.count == count + 4, "\(lines)")
            #expect(lines[0] == Self.heading && lines[count + 3] == Self.heading)
            let threads =
                count == 1
                ? "the only thread of the pool is"
                : "\(count == 2 ? "both" : "all \(count)") threads of the pool are"
            let isNamed = lines[1].hasPrefix("\(threads) blocked in tasks: holder ")
            #expect(isNamed && lines[1].contains("; 3 tasks are ready, the first for "), "\(lines[1])")
            let holders = lines[2..<count + 2].map { $0.split(separator: " ") }
            #expect(Set(holders.map { $0[1] }) == Set((1...count).map { "\($0)" }))
            #expect(Set(holders.map { $0[2] }).count == count, "each on a thread of its own")
            #expect(holders.allSatisfy { $0[3...] == ["true", "true"] }, "\(holders)")
            #expect(lines[count + 2] == "3 true")
        }

        @Test(
            "a snapshot says nothing of the pool if one of its threads calculates, or tasks are unobserved",
            arguments: ["calculating", "unobserved"])
        func silent(mode: String) throws {
            #expect(try Self.lines(mode) == [Self.heading])
        }
    }
#endif
