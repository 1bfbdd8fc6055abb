import Foundation
import Inspector

/// The runs in the named files: traces, baselines, and folders of traces.
enum TimedRuns {
    /// - Throws: `CommandError` or `TraceError` if a file does not exist, or is neither a trace nor a
    ///   baseline.
    static func read(_ paths: [String]) throws -> CheckSide {
        var sides: [CheckSide] = []
        for file in try paths.flatMap(files) {
            if BaselineReader(path: file).isBaseline() {
                sides.append(CheckSide(try BaselineReader(path: file).read(), file: file))
            } else {
                sides.append(CheckSide(runs: [try run(file)]))
            }
        }
        return CheckSide(
            label: sides.count == 1 ? sides[0].label : nil, runs: sides.flatMap(\.runs),
            omittedKinds: sides.map(\.omittedKinds).max() ?? 0)
    }

    /// The runs with usable times. Warns about the others, with the reason.
    static func usable(_ runs: [TimedRun]) -> [TimedRun] {
        runs.filter { run in
            guard let reason = run.reasonToLeaveOut else { return true }
            Console.report("warning: \(run.name) is left out: \(reason)")
            return false
        }
    }

    /// For a folder, the traces in it, by name; any other path is a file itself. Warns about entries with a
    /// trace's name that are not files.
    static func files(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [path]
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw CommandError(.inputOutput, "\(path): the folder cannot be read")
        }
        let known = Set(names)
        let traces = names.sorted().filter { name in
            // A recorder's binary file beside its JSON is the same run.
            let isSpool = name.hasSuffix(".json.optrace") && known.contains(String(name.dropLast(8)))
            return (name.hasSuffix(".json") || name.hasSuffix(".optrace")) && !isSpool
        }.map { (path as NSString).appendingPathComponent($0) }.filter(FolderFile.isRegular)
        guard !traces.isEmpty else {
            throw CommandError(
                .noInput, "\(path): the folder contains no traces (.json or .optrace)")
        }
        return traces
    }

    private static func run(_ path: String) throws -> TimedRun {
        Progress.begin("reading \(path)")
        let trace = try TraceReader(path: path).read()
        let isOfRecorder = !trace.header.host.isEmpty
        // A complete log that was not converted to JSON needs no warning. Losses in a trace of another
        // program do not make its times wrong.
        let isSpool = !FileManager.default.fileExists(atPath: path)
        let damage = trace.losses.first
        if !isSpool { Console.warn(of: trace.notes, in: path) }
        if !isOfRecorder { Console.warn(of: trace.losses, in: path) }
        Console.noteIfEmpty(trace, in: path, showsTasks: true)
        Progress.begin("analysing \(path)")
        return TimedRun(
            name: path, timings: RunTimings(TraceAnalysis(trace)), trace: path,
            damage: isOfRecorder ? damage : nil)
    }
}
