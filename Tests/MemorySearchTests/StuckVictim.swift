import Foundation

/// A running program with suspended tasks.
final class StuckVictim: Sendable {
    private let input = Pipe()
    private let output = Pipe()
    let process: Int32
    /// Kinds, by number.
    let tasks: [UInt64: String]

    struct Silence: Error {}

    /// - Parameter count: how many tasks of each kind.
    init(count: Int) throws {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let products = bundle?.deletingLastPathComponent() ?? Bundle.main.bundleURL
        let program = Process()
        program.executableURL = products.appending(path: "StuckVictim")
        program.arguments = [String(count)]
        program.standardInput = input
        program.standardOutput = output
        // The runtime tells of continuations that were dropped.
        program.standardError = FileHandle.nullDevice
        try program.run()
        process = program.processIdentifier
        let lines = try Self.lines(output, until: "ready")
        tasks = Dictionary(
            lines.compactMap { line in
                let words = line.split(separator: " ")
                return words.count == 2 ? UInt64(words[1]).map { ($0, String(words[0])) } : nil
            }, uniquingKeysWith: { $1 })
    }

    /// What the program answers to a line.
    func echo(_ line: String) throws -> String {
        input.fileHandleForWriting.write(Data((line + "\n").utf8))
        return try Self.lines(output, until: "echo").last ?? ""
    }

    /// Whole lines, up to one with that beginning.
    private static func lines(_ output: Pipe, until beginning: String) throws -> [String] {
        var data = Data()
        while true {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw Silence() }
            data += more
            guard data.last == UInt8(ascii: "\n") else { continue }
            let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            if lines.last?.hasPrefix(beginning) == true { return lines }
        }
    }

    // Programs of tests begin with the signals blocked that tests block.
    deinit { kill(process, SIGKILL) }
}
