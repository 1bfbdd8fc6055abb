import EventLog
import Foundation
import Testing

@testable import MemorySearch

@Suite struct ResumeSearchTests {
    @Test func continuationsThatNobodyHasAreProvenLost() throws {
        let victim = try StuckVictim(count: Int(ProcessInfo.processInfo.environment["STUCK"] ?? "10") ?? 10)
        let search = try ResumeSearch(process: victim.process)
        print("standstill", Double(search.standstill) / 1e6, "ms of", search.size >> 20, "MB")
        var counts: [String: [ResumeSearch.Verdict: Int]] = [:]
        for (number, kind) in victim.tasks { counts[kind, default: [:]][search.verdict(of: OperationID(number)), default: 0] += 1 }
        if ProcessInfo.processInfo.environment["STUCKDEBUG"] != nil { for (number, kind) in victim.tasks where search.verdict(of: OperationID(number)) != .unreachable && kind.hasPrefix("lost") { print("FALSE", kind, number) } }
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) { print(kind, count) }
    }
}

/// A running program with suspended tasks.
final class StuckVictim {
    private let program = Process()
    private let input = Pipe()
    /// Kinds, by number.
    private(set) var tasks: [UInt64: String] = [:]
    var process: Int32 { program.processIdentifier }

    init(count: Int) throws {
        let folder = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
            ?? Bundle.main.bundleURL
        program.executableURL = folder.appendingPathComponent("StuckVictim")
        program.arguments = [String(count)]
        let output = Pipe()
        (program.standardInput, program.standardOutput, program.standardError) = (input, output, FileHandle.nullDevice)
        try program.run()
        var text = ""
        while !text.hasSuffix("ready\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if ProcessInfo.processInfo.environment["STUCKDEBUG"] != nil { print("KIND", line) }
            if words.count == 2, let number = UInt64(words[1]) { tasks[number] = String(words[0]) }
        }
    }

    deinit {
        // Programs of tests begin with the signals that tests block.
        kill(process, SIGKILL)
        program.waitUntilExit()
    }
}
