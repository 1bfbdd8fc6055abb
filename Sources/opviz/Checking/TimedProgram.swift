import EventLog
import Foundation
import Inspector
import ProgramRecording

/// A command that is run repeatedly; each run is recorded.
struct TimedProgram {
    /// The name for messages: `OLD`, `NEW`.
    let name: String
    private let command: [String]
    private let program: RecordableProgram

    /// How many lines of a failed run's output are shown.
    private static let shownLines = 10

    /// - Throws: `CommandError` if the program does not exist or cannot be run.
    init(_ name: String, _ command: [String]) throws {
        self.name = name
        self.command = command
        program = try RecordableProgram(command)
    }

    /// One run.
    struct Run {
        let contents: EventLogContents
        let timings: RunTimings
        /// How many processes had operations. The one with the longest makespan is timed.
        let processes: Int
    }

    /// Runs the command once (number 0 warms up the caches). It has no input, and its output is kept in case
    /// it fails.
    ///
    /// The run is recorded from outside, with its context switches where the system allows it. If nothing can
    /// be loaded into the program but it uses Ops, the program records itself.
    ///
    /// - Parameter folder: for files that exist during the run.
    /// - Throws: `CommandError` if the command fails, or leaves no trace. If a signal asks this process or
    ///   the command to end, this process ends by that signal, after `cleanUp`.
    func run(_ number: Int, in folder: String, cleanUp: () -> Void) throws -> Run {
        let outputPath = folder + "/output"
        let ownPath = folder + "/own.optrace"
        let output = open(outputPath, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else {
            throw CommandError(.cannotCreate, "\(outputPath): \(String(cString: strerror(errno)))")
        }
        defer { close(output) }
        #if os(Linux)
            let host = try RecordHost(processorTimes: ProcessorSource.chosen(nil), report: Console.report)
            var environment = host.environment()
        #else
            var environment = ProgramEnvironment()
        #endif
        environment.set("OPVIZ_TRACE", ownPath)
        let attempt = Result {
            try program.run(environment: environment, output: output) { process in
                #if os(Linux)
                    host.serve(until: process)
                #endif
            }
        }
        var logs: [EventLogContents] = []
        var absence = "nothing was recorded"
        #if os(Linux)
            let processes = host.finish(try? attempt.get())
            logs = processes.logs.map(\.1)
            absence = (processes.obstacles + processes.obstaclesForTasks + [processes.absence]).joined(
                separator: "; ")
        #endif
        let ending = try attempt.get()
        if let signal = SignalForwarding.received {
            cleanUp()
            RecordableProgram.Ending(status: signal).follow()
        }
        guard ending.isSuccess else { throw failure(ending, number, outputPath) }
        return try longest(of: logs + ownLogs(in: folder), else: absence)
    }

    /// The logs that the program recorded itself, one for each process.
    private func ownLogs(in folder: String) throws -> [EventLogContents] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return try names.filter { $0.hasPrefix("own.optrace") }.map { name in
            let path = folder + "/" + name
            defer { unlink(path) }
            return try TraceReader(path: path).events()
        }
    }

    private func longest(of logs: [EventLogContents], else absence: String) throws -> Run {
        var names = CodeNames()
        let runs = logs.filter(\.hasOperations).map { log in
            var contents = log
            names.nameOperations(in: &contents, placesUnknown: true)
            return (contents, RunTimings(TraceAnalysis(Trace(contents))))
        }
        guard let longest = runs.max(by: { $0.1.makespan < $1.1.makespan }) else {
            let reason = program.obstacle.map { "it \($0.reason), and does not contain Ops" }
            throw CommandError(
                .data, "\(name) (\(command[0])): there is nothing to compare: \(reason ?? absence)")
        }
        return Run(contents: longest.0, timings: longest.1, processes: runs.count)
    }

    private func failure(_ ending: RecordableProgram.Ending, _ number: Int, _ output: String) -> CommandError
    {
        let how =
            ending.signalNumber == 0
            ? "exited with \(ending.exitCode)" : "was ended by \(SignalName.text(ending.signalNumber))"
        let bytes = FileManager.default.contents(atPath: output) ?? Data()
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines.suffix(Self.shownLines) {
            StandardError.write("\(name): \(TerminalText.escaped(String(line)))\n")
        }
        let when = number == 0 ? "while warming up" : "in run \(Prose.grouped(number))"
        return CommandError(
            .unavailable, "\(name) (\(command[0])) \(how) \(when), so nothing was compared")
    }
}
