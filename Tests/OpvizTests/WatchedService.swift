import Foundation
import Testing

/// A program that records, and does what a test tells it: `Service` in Tests/RecordingVictim.
final class WatchedService {
    let folder: Folder
    let log: String
    let process: Int32
    private let program = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// - Parameters:
    ///   - log: the name of its log, in its folder.
    ///   - wrapper: what it is run by.
    init(log: String = "trace.optrace", in folder: Folder? = nil, wrapper: [String] = []) throws {
        let folder = try folder ?? Folder()
        self.folder = folder
        self.log = folder.path(log)
        let victim = CommandRun.program.deletingLastPathComponent().appending(path: "RecordingVictim").path
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments = wrapper + [victim, "service"]
        program.currentDirectoryURL = folder.url
        var environment = ProcessInfo.processInfo.environment
        environment["OPVIZ_TRACE"] = wrapper.isEmpty ? folder.path(log) : nil
        program.environment = environment
        program.standardInput = input
        program.standardOutput = output
        program.standardError = FileHandle.nullDevice
        // Programs that are started later are not to keep these open, or this one would not see the end of
        // its input.
        for end in [input, output].flatMap({ [$0.fileHandleForReading, $0.fileHandleForWriting] }) {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        try program.run()
        process = program.processIdentifier
    }

    deinit { if program.isRunning { Foundation.kill(process, SIGKILL) } }

    /// Gives it lines, and waits until it has done what they say.
    func tell(_ lines: String...) throws {
        for line in lines {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
            var answer = Data()
            while !answer.contains(10) {
                let more = output.fileHandleForReading.availableData
                try #require(!more.isEmpty, "the service ended at: \(line)")
                answer += more
            }
        }
    }

    /// At the end of its input it ends, and closes its log.
    func end() throws {
        try input.fileHandleForWriting.close()
        program.waitUntilExit()
    }

    func kill(_ signal: Int32) {
        Foundation.kill(process, signal)
        if signal == SIGKILL { program.waitUntilExit() }
    }
}
