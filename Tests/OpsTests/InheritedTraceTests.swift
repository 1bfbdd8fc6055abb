import Foundation
import Inspector
import Testing

@Suite("A child process that inherits OPVIZ_TRACE")
struct InheritedTraceTests {
    /// What the programs that were run have in their logs, by name.
    private func run(_ name: String) throws -> [String: Trace] {
        let folder = temporaryPath()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try run(name, in: folder)
        return try logs(in: folder)
    }

    private func run(_ name: String, in folder: String) throws {
        let parent = Process()
        parent.executableURL = CrashTests.products.appending(path: "RecordingVictim")
        parent.arguments = ["parent"]
        parent.currentDirectoryURL = URL(filePath: folder)
        parent.environment = ProcessInfo.processInfo.environment.merging(["OPVIZ_TRACE": name]) { $1 }
        try parent.run()
        parent.waitUntilExit()
        #expect(parent.terminationReason == .exit && parent.terminationStatus == 0)
    }

    private func logs(in folder: String) throws -> [String: Trace] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: files.map { ($0, try TraceReader(path: folder + "/" + $0).read()) })
    }

    @Test("a child process writes a new log into an inherited folder, which keeps the logs of earlier runs")
    func folder() throws {
        let folder = temporaryPath()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try run("traces/", in: folder)
        try run("traces/", in: folder)
        let traces = try logs(in: folder + "/traces")
        #expect(traces.count == 4)
        #expect(traces.values.map(\.operations.count).sorted() == [3, 3, 1_000, 1_000])
        for (name, trace) in traces {
            #expect(name == "RecordingVictim.\(trace.header.processID).optrace")
            #expect(trace.losses == [] && trace.header.isClosed)
        }
    }

    @Test(
        "a child process writes a separate log, with its number in the name, and both are complete",
        arguments: ["t.optrace", "t.json"])
    func inherited(name: String) throws {
        let traces = try run(name)
        #expect(traces.count == 2)
        let parent = try #require(traces[name])
        #expect(parent.operations.map(\.displayName) == ["before", "while", "after"])
        let child = try #require(traces.values.first { $0.header.processID != parent.header.processID })
        #expect(child.operations.map(\.displayName) == (0..<1_000).map { "child \($0)" })
        let number = child.header.processID
        #expect(traces[name == "t.json" ? "t.json.\(number)" : "t.\(number).optrace"] != nil)
        for trace in [parent, child] {
            #expect(trace.losses == [] && trace.header.isClosed)
            #expect(trace.operations.allSatisfy { $0.finished?.isExact == true })
        }
    }
}
