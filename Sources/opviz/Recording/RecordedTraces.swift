import EventLog
import Foundation
import Inspector
import ProgramRecording

/// The results of `opviz record`: a trace for each process, and the summary. Failures are reported but do not
/// change the exit status, which is the program's.
struct RecordedTraces {
    private let processes: RecordedProcesses
    private let output: String
    private let picture: OutputFormat?
    private let isQuiet: Bool
    /// Whether it was said already why the program cannot be recorded.
    private let isExplained: Bool

    init(
        _ processes: RecordedProcesses, output: String, picture: OutputFormat?, isQuiet: Bool,
        isExplained: Bool
    ) {
        self.isExplained = isExplained
        self.processes = processes
        self.output = output
        self.picture = picture
        self.isQuiet = isQuiet
    }

    func write() {
        for sentence in processes.obstacles { Console.report(sentence) }
        if isQuiet { for sentence in processes.obstaclesForTasks { Console.report(sentence) } }
        // One at a time: together they may be larger than the memory.
        var logs = processes.logs.lazy.filter { $0.1.hasOperations || $0.1.hasTasks || $0.1.hasSentContexts }
            .makeIterator()
        guard let first = logs.next() else {
            if !isQuiet { for sentence in processes.obstaclesForTasks { Console.report(sentence) } }
            let absence = isExplained ? RecordedProcesses.absenceWithReason : processes.absence
            Console.report(absence + ", so no trace was written")
            return
        }
        let second = logs.next()
        try? CommandError.reported {
            let isFolder = output.hasSuffix("/") || second != nil
            var files = TraceFileNames(folder: isFolder ? try makeFolder() : nil, output: output)
            var names = CodeNames()
            var sources = processes.sources
            var table = ProcessTable(hasTasks: processes.hasObservedTasks)
            var next: (RecordGuest, EventLogContents)? = first
            var later = second
            while let (guest, contents) = next {
                next = later ?? logs.next()
                later = nil
                try? CommandError.reported {
                    var named = contents
                    names.nameOperations(in: &named, placesUnknown: true)
                    if !named.header.isClosed { named.header.endingSignal = guest.endingSignal }
                    let file = files.next(for: guest)
                    let analysis = try write(named, to: file)
                    if let ending = guest.ending(of: contents) {
                        Console.report("note: \(file): \(ending)")
                    }
                    table.add(analysis, file: file)
                    let gaps = RecordedSources.gaps(named, of: guest, strippedFiles: names.strippedFiles)
                    sources.add(named, gaps: gaps)
                    if second == nil {
                        let recorded = sources.line(width: width)
                        say(
                            "\n" + RunSummary(analysis).text(width: width, path: file, addition: recorded))
                        say(TerminalText.escaped(file) + "\n")
                    }
                }
            }
            if second != nil {
                say("\n" + table.text() + "\n" + sources.line(width: width))
            }
            if let note = processes.records.note, !isQuiet { Console.report("note: \(note)") }
            if let stolen = processes.records.stolen, !isQuiet { Console.report("note: \(stolen)") }
        }
    }

    /// `trace.json` becomes `trace`, a folder for several traces.
    private func makeFolder() throws -> String {
        let name =
            output.hasSuffix("/") ? String(output.dropLast()) : (output as NSString).deletingPathExtension
        do {
            try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
        } catch {
            throw CommandError(.cannotCreate, "\(name): the folder cannot be created")
        }
        return name
    }

    // MARK: One trace

    private func write(_ contents: EventLogContents, to name: String) throws -> TraceAnalysis {
        // Beside the writing of the file, because both take about as long. Ends before the next one begins.
        let made = BackgroundValue { TraceAnalysis(Trace(contents)) }
        defer { _ = made.value }
        try TraceBytes.write(contents, named: name, to: OutputFile(replacing: name))
        Console.warn(of: contents.notes + contents.losses, in: name)
        let analysis = made.value
        if let picture {
            let file = (name as NSString).deletingPathExtension + "." + GraphOutput.suffix(of: picture)
            let drawn = try GraphOutput(analysis, GraphOptions(), for: picture)
            try OutputFile(replacing: file).write(drawn.bytes(picture))
            say(TerminalText.escaped(file) + "\n")
            Viewer.show(file)
        }
        return analysis
    }

    private var width: Int? { Console.width(of: STDERR_FILENO) }

    /// Writes to standard error, because standard output belongs to the program.
    private func say(_ text: String) {
        if !isQuiet { StandardError.write(text) }
    }
}

/// The file names of a run's traces.
struct TraceFileNames {
    private let folder: String?
    private let output: String
    private var taken: Set<String> = []

    /// - Parameter folder: a folder in which each trace has its own name; nil for a single trace with the
    ///   name `output`.
    init(folder: String?, output: String) {
        self.folder = folder
        self.output = output
    }

    /// A process may have several traces: `exec` starts another program in it and keeps its number.
    mutating func next(for guest: RecordGuest) -> String {
        guard let folder else { return output }
        let name = "\(Self.cleaned(guest.program))-\(guest.process)"
        var unused = name
        var count = 1
        while !taken.insert(unused).inserted {
            count += 1
            unused = "\(name)-\(count)"
        }
        return "\(folder)/\(unused).json"
    }

    /// A file name may have at most 255 bytes, including the process's number and the extension.
    private static let longest = 200

    /// A program's name for use in a file name. It may contain any text, because the caller chooses a
    /// program's name.
    static func cleaned(_ program: String) -> String {
        var name = ""
        for character in program {
            let isSafe =
                character.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
            let safe = isSafe ? character : "_"
            guard name.utf8.count + safe.utf8.count <= longest else { break }
            name.append(safe)
        }
        // Otherwise the file would be hidden.
        if name.hasPrefix(".") { name = "_" + name.dropFirst() }
        return name.isEmpty ? "process" : name
    }
}

/// The program that opens files on this machine.
private enum Viewer {
    static func show(_ file: String) {
        let environment = ProcessInfo.processInfo.environment
        #if os(Linux)
            let program = "xdg-open"
            guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        #else
            let program = "open"
        #endif
        let viewer = Process()
        viewer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        viewer.arguments = [program, file]
        viewer.standardOutput = FileHandle.nullDevice
        viewer.standardError = FileHandle.nullDevice
        // Ignore a missing viewer: the name of the file has been printed.
        try? viewer.run()
    }
}
