import Foundation
import Inspector
import Testing

@Suite("A program that reads the clocks of its threads")
struct MeasuredProgramTests {
    /// A victim that measures, and its log.
    private struct Run {
        let path = temporaryPath() + ".optrace"
        let victim = Process()

        init(_ how: String) {
            victim.executableURL = CrashTests.products.appending(path: "RecordingVictim")
            victim.arguments = ["measured", how]
            victim.environment = ProcessInfo.processInfo.environment.merging(
                ["OPVIZ_TRACE": path, "OPVIZ_CPU": "clocks"]
            ) { $1 }
        }

        /// The parts of each execution, by name; they add up to it.
        func parts() throws -> [String: ExecutionParts] {
            defer { try? FileManager.default.removeItem(atPath: path) }
            let trace = try TraceReader(path: path).read()
            #expect(trace.header.processorTimes == .clocks)
            #expect(trace.repeatedTransitions.isEmpty)
            let timings = TraceAnalysis(trace).timings
            let use = try #require(ProcessorUse(timings))
            return try trace.operations.indices.reduce(into: [:]) { all, index in
                let name = try #require(trace.operations[index].name)
                guard let parts = use.parts(of: index) else { return }
                #expect(all[name] == nil, "\(name)")
                #expect(parts.total == timings.waits[index]?.execution, "\(name): \(parts)")
                all[name] = parts
            }
        }
    }

    @Test("a killed program has in its log what was measured until then")
    func isKilled() throws {
        let run = Run("until-killed")
        let output = Pipe()
        run.victim.standardOutput = output
        try run.victim.run()
        try output.fileHandleForWriting.close()
        var said = Data()
        while said.count(where: { $0 == 10 }) < 20 {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty)
            said += more
        }
        kill(run.victim.processIdentifier, SIGKILL)
        said += output.fileHandleForReading.readDataToEndOfFile()
        run.victim.waitUntilExit()
        let finished = said.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
        let parts = try run.parts()
        for name in finished {
            let parts = try #require(parts[name])
            #expect((1_900_000...5_000_000).contains(parts.onCPU), "\(name): \(parts)")
            #expect(parts.blocked >= 1_900_000 && parts.unmeasured == 0, "\(name): \(parts)")
        }
    }

    @Test("a program that forks in a body logs only its own time, although the child executes operations")
    func forks() throws {
        let run = Run("forks")
        try run.victim.run()
        run.victim.waitUntilExit()
        try #require(run.victim.terminationReason == .exit && run.victim.terminationStatus == 0)
        let parts = try run.parts()
        let (outer, inner) = (try #require(parts["outer"]), try #require(parts["inner"]))
        #expect((1_900_000...9_000_000).contains(outer.onCPU) && outer.blocked >= 3_900_000, "\(outer)")
        #expect((19_900_000...30_000_000).contains(inner.onCPU), "\(inner)")
        #expect(outer.unmeasured == 0 && inner.unmeasured == 0, "\(outer), \(inner)")
        let name = ((run.path as NSString).lastPathComponent as NSString).deletingPathExtension
        let files = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
        #expect(files.filter { $0.hasPrefix(name) } == [])
    }

    #if os(Linux)
        private func partsOfInterrupted(_ how: String) throws -> [ExecutionParts] {
            let run = Run(how)
            try run.victim.run()
            run.victim.waitUntilExit()
            try #require(run.victim.terminationReason == .exit && run.victim.terminationStatus == 0)
            let parts = try Array(run.parts().values)
            #expect(parts.count == 10)
            return parts
        }

        @Test("a program interrupted while it reads its clocks counts only waits that lie in the execution")
        func interrupted() throws {
            // 1 ms before the begin, and 3 ms at the end, which is then later. On a busy machine more
            // interruptions may come, so that nothing is known.
            let parts = try partsOfInterrupted("interrupted")
            let known = parts.filter { $0.unmeasured == 0 }
            #expect(!known.isEmpty)
            #expect(known.allSatisfy { $0.waitingForCPU == 3_000_000 && $0.blocked >= 5_000_000 }, "\(known)")
            #expect(parts.allSatisfy { $0.unmeasured == 0 || $0.waitingForCPU == 0 }, "\(parts)")
        }

        @Test("a program interrupted whenever it reads its clocks says nothing of its waits")
        func alwaysInterrupted() throws {
            for parts in try partsOfInterrupted("always-interrupted") {
                #expect(parts.waitingForCPU == 0 && parts.blocked == 0, "\(parts)")
                #expect(parts.unmeasured >= 5_000_000, "\(parts)")
            }
        }

        @Test("a program with few descriptors left keeps them all: only the time on a CPU is measured")
        func fewDescriptors() throws {
            let run = Run("few-descriptors")
            try run.victim.run()
            run.victim.waitUntilExit()
            try #require(run.victim.terminationReason == .exit && run.victim.terminationStatus == 0)
            let parts = try run.parts()
            for name in ["first", "second"] {
                let parts = try #require(parts[name])
                #expect((1_900_000...5_000_000).contains(parts.onCPU), "\(name): \(parts)")
                #expect(parts.unmeasured >= 1_900_000, "\(name): \(parts)")
                #expect(parts.blocked == 0 && parts.waitingForCPU == 0, "\(name): \(parts)")
            }
        }
    #endif
}
