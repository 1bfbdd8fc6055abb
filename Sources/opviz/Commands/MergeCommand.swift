import ArgumentParser
import Foundation
import Inspector

struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merges the logs of several processes into one trace, with the edges between them.",
        discussion: """
            opviz merge traces/                          every log in the folder, into merged.json
            opviz merge client.optrace server.json -o run.json
            opviz run.json                               draw it: a frame for each process

            A program with Ops writes a log for each process of a tree into a folder:

            OPVIZ_TRACE=traces/ ./app && opviz merge traces/

            To connect two processes, send the identifier of an operation, in the header \
            traceparent of a request or as TRACEPARENT in the environment of a child process:

            Recorder.shared.traceparent(of: operation)

            A child process with TRACEPARENT is connected automatically. A server passes the header \
            on:

            Recorder.shared.addRemoteCause(traceparent, to: operation)

            Logs of one machine are aligned by its clock, others by the time of day. If an
            effect would come before its cause, the later log is shifted by the smallest
            correction, with a note. Logs that cannot be aligned are refused.
            """)

    @Argument(
        help: "Logs (binary or JSON), or folders of logs.",
        completion: .file(extensions: ["optrace", "json"]))
    var logs: [String]

    @Option(
        name: .shortAndLong, help: .output(".json or .optrace"),
        completion: .file(extensions: ["json", "optrace"]))
    var output = "merged.json"

    func run() throws {
        try CommandError.reported {
            try TraceBytes.expectForm(ofFile: output)
            let files = try LogFiles(logs, besides: output)
            var stored: [(path: String, log: StoredLog)] = []
            for path in files.paths {
                Progress.begin("reading \(path)")
                guard let log = try files.read(path) else { continue }
                Console.warn(of: log.log.notes + log.log.losses, in: path)
                stored.append((path, log))
            }
            guard !stored.isEmpty else {
                throw CommandError(.noInput, "\(logs.joined(separator: ", ")): no traces found")
            }
            Progress.begin("merging \(Prose.counted(stored.count, "log"))")
            let isEmpty = stored.allSatisfy(\.log.isEmpty)
            let merge = try TraceMerge(stored: consume stored)
            for note in merge.notes { Console.report("note: \(note)") }
            if isEmpty { Console.noteEmpty(merge.header, in: output) }
            let file = output == "-" ? OutputFile.standardOutput : OutputFile(replacing: output)
            let (header, summary) = (merge.header, summary(merge))
            // Its memory is free again before the whole file is put together in the binary form.
            var merged: TraceMerge? = consume merge
            try TraceBytes.write(header, named: output, to: file) { merged.take()?.pass(to: $0) }
            if !file.isStandardOutput { try Console.print(TerminalText.escaped(summary) + "\n") }
        }
    }

    private func summary(_ merge: TraceMerge) -> String {
        let processes = max(1, merge.header.processes.count)
        let crossings = merge.crossings
        return "\(output): \(Prose.counted(processes, "process", "processes")), "
            + "\(Prose.counted(merge.eventCount, "event")), "
            + "\(Prose.counted(crossings, "operation")) caused by another process"
    }
}

/// The files to merge: those that were named, and those in named folders.
private struct LogFiles {
    private(set) var paths: [String] = []
    /// Files that were found in folders, which may contain other files.
    private var found: Set<String> = []

    /// - Parameter output: the merged trace, which may already be in one of the folders.
    init(_ names: [String], besides output: String) throws {
        for name in names {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                // Throws if it is the output.
                _ = try OutputFile(output, notOverwriting: name)
                paths.append(name)
                continue
            }
            let inside = try Self.logs(in: name, besides: output)
            guard !inside.isEmpty else {
                throw CommandError(.noInput, "\(name): contains no .optrace or .json files")
            }
            paths += inside
            found.formUnion(inside)
        }
    }

    private static func logs(in folder: String, besides output: String) throws -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw CommandError(.inputOutput, "\(folder): the folder cannot be read")
        }
        return names.sorted().filter { $0.hasSuffix(".optrace") || $0.hasSuffix(".json") }
            .map { (folder as NSString).appendingPathComponent($0) }
            .filter { (try? OutputFile(output, notOverwriting: $0)) != nil && FolderFile.isRegular($0) }
    }

    /// Nil for a file in a folder that cannot be merged. Warns about it; the others are merged.
    func read(_ path: String) throws -> StoredLog? {
        do throws(TraceError) {
            let stored = try TraceReader(path: path).stored()
            guard found.contains(path), !stored.log.header.processes.isEmpty else { return stored }
            Console.report("warning: \(path): is already merged, and is left out")
            return nil
        } catch {
            guard found.contains(path), error.code != .tooLarge else { throw error }
            Console.report("warning: \(error.description); it is left out")
            return nil
        }
    }
}
