import Foundation
import Inspector
import Testing

@Suite("A log outlives its program")
struct CrashTests {
    /// `make soak` asks for more.
    private static let kills = ProcessInfo.processInfo.environment["OPVIZ_KILLS"].flatMap(Int.init) ?? 20

    @Test("killed at any moment, it contains every event whose recording had returned", arguments: 0..<kills)
    func kill(round: Int) throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let threads = 1 + round % 3
        let victim = Process()
        victim.executableURL = Self.products.appending(path: "RecordingVictim")
        victim.arguments = [path, "\(threads)"]
        let reports = Pipe()
        victim.standardOutput = reports
        try victim.run()
        try reports.fileHandleForWriting.close()

        // It dies while it writes: after some reports, and with those that are still in the pipe.
        var bytes = Data()
        while bytes.count < 8 * (1 + round * 977 % 20_011) {
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
