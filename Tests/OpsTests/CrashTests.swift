import Foundation
import Inspector
import Testing

@Suite("A log outlives its program")
struct CrashTests {
    /// `make soak` asks for more.
    private static let kills = ProcessInfo.processInfo.environment["OPVIZ_KILLS"].flatMap(Int.init) ?? 20

    @Test(
        "the log of a program killed at any moment contains every event whose recording had returned",
        arguments: 0..<kills)
    func kill(round: Int) throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let last = try Self.kill([path, "\(1 + round % 3)"], afterReports: 1 + round * 977 % 20_011)
        let contents = try TraceReader(path: path).events()
        #expect(!contents.header.isClosed)
        #expect(contents.losses.count == 1)
        #expect(
            contents.losses.first?.hasPrefix(
                "the log was not closed: the program was killed, or ended by _exit;") == true)
        for (thread, count) in last {
            let marks = contents.events.compactMap { event in
                if case .marked(let text, _) = event.body, text.hasPrefix("\(thread) ") { text } else { nil }
            }
            // One more may have been recorded and not reported.
            #expect(UInt64(marks.count) == count || UInt64(marks.count) == count + 1)
            let expected = (1...max(1, marks.count)).map { "\(thread) \($0 % 1000)" }
            #expect(marks == expected, "in order, each once")
        }
    }

    #if os(Linux)
        @Test(
            "the log of a program killed at any moment has every task that had run, once",
            arguments: 0..<kills)
        func killWithTasks(round: Int) throws {
            let path = temporaryPath() + ".optrace"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let last = try Self.kill(["tasks", path], afterReports: 1 + round * 977 % 10_007)
            let trace = try TraceReader(path: path).read()
            #expect(trace.losses.count == 1)
            #expect(trace.losses.first?.hasPrefix("the log was not closed: ") == true)
            let tasks = trace.tasks
            let byName = Dictionary(grouping: tasks.entries.indices) { tasks.texts[tasks.entries[$0].name] }
            for (chain, count) in last {
                for number in 1...count {
                    let found = byName["\(chain) \(number)"] ?? []
                    #expect(found.count == 1, "\(chain) \(number)")
                    guard let task = found.first else { continue }
                    #expect(!tasks.runs(of: task).isEmpty && tasks.entries[task].created != nil)
                    // The next one was created when it had ended.
                    #expect(
                        tasks.entries[task].outcome == .succeeded || number == count, "\(chain) \(number)")
                }
            }
        }
    #endif

    /// Runs the victim and kills it while it writes. Returns the last number that each of its threads or
    /// chains reported, also those that were still in the pipe.
    private static func kill(_ arguments: [String], afterReports count: Int) throws -> [UInt64: UInt64] {
        let victim = Process()
        victim.executableURL = products.appending(path: "RecordingVictim")
        victim.arguments = arguments
        let reports = Pipe()
        victim.standardOutput = reports
        try victim.run()
        try reports.fileHandleForWriting.close()
        var bytes = Data()
        while bytes.count < 8 * count {
            let more = reports.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            bytes += more
        }
        Foundation.kill(victim.processIdentifier, SIGKILL)
        bytes += reports.fileHandleForReading.readDataToEndOfFile()
        victim.waitUntilExit()
        var last: [UInt64: UInt64] = [:]
        for start in stride(from: 0, through: bytes.count - 8, by: 8) {
            let report = bytes[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            last[report & 255] = report >> 8
        }
        return last
    }

    /// What a program of this package prints. It must succeed.
    static func output(of name: String, _ arguments: [String]) throws -> String {
        let program = Process()
        program.executableURL = products.appending(path: name)
        program.arguments = arguments
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        return text
    }

    /// The products lie beside the tests.
    static let products: URL = {
        #if canImport(Darwin)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
            return bundle?.deletingLastPathComponent() ?? Bundle.main.bundleURL
        #else
            return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
                .deletingLastPathComponent()
        #endif
    }()
}
