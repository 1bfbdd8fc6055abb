import Foundation
import Inspector
import Testing

@Suite("A recorder does no harm")
struct HardProcessTests {
    /// Runs a victim. Returns how it ended, its output on standard error, and the path of its log.
    private func run(
        _ how: String, ending: String, _ more: String...
    ) throws -> (status: Int32, error: String, log: String) {
        try run(how, log: temporaryPath() + ending, more)
    }

    private func run(
        _ how: String, log path: String, _ more: [String]
    ) throws -> (status: Int32, error: String, log: String) {
        let errors = Pipe()
        let victim = Process()
        victim.executableURL = CrashTests.products.appending(path: "RecordingVictim")
        victim.arguments = [how, path] + more
        // One arena: which thread gets another, of 64 MiB and more, is a matter of chance, and so it would
        // be how a program with little address space ends, recorded or not.
        victim.environment = ProcessInfo.processInfo.environment.merging(["MALLOC_ARENA_MAX": "1"]) { $1 }
        victim.standardError = errors
        try victim.run()
        try errors.fileHandleForWriting.close()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        victim.waitUntilExit()
        let status = victim.terminationReason == .exit ? victim.terminationStatus : -victim.terminationStatus
        return (status, String(decoding: text, as: UTF8.self), path)
    }

    @Test(
        "a process whose files may not grow continues when recorded, and the loss is reported",
        arguments: [".optrace", ""])
    func smallFiles(ending: String) throws {
        let run = try run("small-files", ending: ending)
        defer {
            for name in [run.log, run.log + ".optrace"] { try? FileManager.default.removeItem(atPath: name) }
        }
        #expect(run.status == 0)
        #expect(run.error.contains(ending.isEmpty ? "File too large" : "no space for"))
    }

    @Test("a process without standard output does not print into the log")
    func closedOutput() throws {
        let run = try run("closed-output", ending: ".optrace")
        defer { try? FileManager.default.removeItem(atPath: run.log) }
        #expect(run.status == 0)
        let trace = try TraceReader(path: run.log).read()
        #expect(trace.operations.count == 20_000 && trace.losses == [])
    }

    @Test("a log's files stay open if the process closes all descriptors, and mapped events are in the log")
    func closesAll() throws {
        let run = try run("closes-all", ending: ".optrace")
        defer { try? FileManager.default.removeItem(atPath: run.log) }
        #expect(run.status == 0)
        let trace = try TraceReader(path: run.log).read()
        #expect(trace.marks.first?.text == "before")
        #expect(trace.losses.contains { $0.contains("could not write") })
    }

    #if os(Linux)
        @Test(
            "a process with little address space ends as it would, and there is a trace or the reason",
            .disabled(if: Sanitizer.needsAddressSpace), arguments: [300, 400, 600, 1_000, 2_000])
        func littleMemory(megabytes: Int) throws {
            let plain = try run("little-memory", log: "-", ["\(megabytes)"])
            let run = try run("little-memory", ending: ".optrace", "\(megabytes)")
            defer { try? FileManager.default.removeItem(atPath: run.log) }
            #expect(run.status == plain.status, "\(run.error)")
            guard run.error.isEmpty else {
                #expect(run.error.contains("Cannot allocate memory") || run.error.contains("no room for"))
                return
            }
            let trace = try TraceReader(path: run.log).read()
            #expect(trace.operations.count == 4_000 && trace.losses == [])
        }
    #endif
    @Test(
        "a process whose standard error takes nothing does its work, and ends as it would have",
        arguments: ["full", "gone", "stuck", "closed", "a file of its own"])
    func complains(how: String) throws {
        let own = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: own) }
        let isOwn = how == "a file of its own"
        let output = Pipe()
        let victim = Process()
        victim.executableURL = CrashTests.products.appending(path: "RecordingVictim")
        victim.arguments = ["complains", isOwn ? own : how]
        victim.environment = ProcessInfo.processInfo.environment.merging(
            ["OPVIZ_TRACE": "/nonexistent/trace.json", "OPVIZ_TRACE_LIMIT": "none"]
        ) { $1 }
        victim.standardOutput = output
        try victim.run()
        try output.fileHandleForWriting.close()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        victim.waitUntilExit()
        #expect(String(decoding: text, as: UTF8.self) == "the work is done\n")
        #expect(victim.terminationReason == .exit && victim.terminationStatus == 5)
        if isOwn { #expect(try Data(contentsOf: URL(filePath: own)).isEmpty) }
    }
}
