import Foundation
import Inspector
import ProgramRecording

/// Runs two commands alternately, so that disturbances on the machine affect both.
///
/// Each side is first in half of the pairs, in the random order of a ``RunOrder``. So neither a drift of the
/// machine nor a periodic disturbance affects one side more. Before the first counted run, each command runs
/// once to warm up the caches.
struct InterleavedRuns {
    private let old: TimedProgram
    private let new: TimedProgram
    private let order: RunOrder
    /// For files of a run, and for traces that are not kept.
    private let scratch: String
    /// The folder for the traces, without a slash at the end.
    private let folder: String

    private(set) var baseline = CheckSide(label: "OLD", runs: [])
    private(set) var current = CheckSide(label: "NEW", runs: [])

    /// - Parameters:
    ///   - order: the order of all pairs that may be run.
    ///   - kept: a folder for the traces of the runs, new or empty; without it, `cleanUp` removes them.
    /// - Throws: `CommandError` if a command cannot be run, or if the folder cannot be created or is not
    ///   empty.
    init(old: [String], new: [String], order: RunOrder, keptIn kept: String?) throws {
        self.order = order
        self.old = try TimedProgram("OLD", old)
        self.new = try TimedProgram("NEW", new)
        let kept = try kept.map(Self.made)
        // Before anything exists that a signal would leave behind.
        SignalForwarding.begin()
        scratch = try TemporaryFolder.make("opviz-check")
        folder = kept ?? scratch
    }

    /// Splits `OLD … -- NEW …`, as on the command line.
    ///
    /// - Throws: `CommandError` if there are not two commands.
    static func commands(_ words: [String]) throws -> (old: [String], new: [String]) {
        let words = words.first == "--" ? Array(words.dropFirst()) : words
        guard let middle = words.firstIndex(of: "--"), middle > 0, middle < words.count - 1 else {
            throw CommandError(
                .usage, "--interleave takes two commands: opviz check --interleave 20 -- ./old -- ./new")
        }
        return (Array(words[..<middle]), Array(words[(middle + 1)...]))
    }

    /// Adds runs until each side has `count`.
    ///
    /// - Throws: `CommandError` if a run fails.
    mutating func extend(to count: Int, of most: Int) throws {
        if baseline.runs.isEmpty {
            _ = try run(old, 0, "warming up: ")
            _ = try run(new, 0, "warming up: ")
        }
        while baseline.runs.count + current.runs.count < 2 * count {
            let done = baseline.runs.count + current.runs.count
            let isNew = order.isCurrent(done)
            let side = isNew ? new : old
            let number = (isNew ? current : baseline).runs.count + 1
            let run = try run(side, number, "run \(Prose.grouped(done + 1)) of \(Prose.grouped(2 * most)): ")
            let file = "\(folder)/\(isNew ? "new" : "old")-\(number).optrace"
            try TraceBytes.write(run.contents, named: file, to: OutputFile(replacing: file))
            if let signal = SignalForwarding.received {
                cleanUp()
                RecordableProgram.Ending(status: signal).follow()
            }
            let timed = TimedRun(name: "\(side.name) \(number)", timings: run.timings, trace: file)
            if isNew { current.runs.append(timed) } else { baseline.runs.append(timed) }
            if number == 1, run.processes > 1 {
                Console.report(
                    "note: \(run.processes) processes of \(side.name) had operations; comparing the one with "
                        + "the longest makespan, \(run.timings.process)")
            }
        }
    }

    private func run(_ program: TimedProgram, _ number: Int, _ what: String) throws -> TimedProgram.Run {
        Progress.begin(what + program.name)
        return try program.run(number, in: scratch, cleanUp: cleanUp)
    }

    /// Removes files that are not kept.
    func cleanUp() { try? FileManager.default.removeItem(atPath: scratch) }

    private static func made(_ folder: String) throws -> String {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandError(.cannotCreate, "\(folder): the folder cannot be created")
        }
        guard try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty else {
            throw CommandError(.usage, "\(folder): has files in it; --keep needs a new or an empty folder")
        }
        return folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }
}
