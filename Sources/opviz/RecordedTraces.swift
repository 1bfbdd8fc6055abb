import CRecordHost
import EventLog
import Foundation
import Inspector

/// What `opviz record` leaves: a trace for each process, and the summary. Whatever fails is said, and ends
/// nothing: the program has run, and its exit status counts.
struct RecordedTraces {
    private let processes: RecordedProcesses
    private let output: String
    private let picture: OutputFormat?
    private let isQuiet: Bool

    init(_ processes: RecordedProcesses, output: String, picture: OutputFormat?, isQuiet: Bool) {
        self.processes = processes
        self.output = output
        self.picture = picture
        self.isQuiet = isQuiet
    }

    func write() {
        for sentence in processes.obstacles { Console.complain(sentence) }
        // One after the other: together they may be larger than the memory.
        var logs = processes.logs.lazy.filter { $0.1.hasOperations || $0.1.hasSentContexts }.makeIterator()
        guard let first = logs.next() else {
            Console.complain(processes.absence + ", so no trace was written")
            return
        }
        let second = logs.next()
        try? CommandError.reported {
            let isFolder = output.hasSuffix("/") || second != nil
            var files = TraceFileNames(folder: isFolder ? try makeFolder() : nil, output: output)
            var names = CodeNames()
            var table = ProcessTable()
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
                        Console.complain("note: \(file): \(ending)")
                    }
                    table.add(analysis, file: file)
                    if second == nil {
                        say("\n" + RunSummary(analysis).text() + TerminalText.escaped(file) + "\n")
                    }
                }
            }
            if second != nil { say("\n" + table.text()) }
        }
    }

    /// `trace.json` becomes `trace`, so that several traces have a place.
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
        try TraceBytes.write(contents, named: name, to: OutputFile(replacing: name))
        Console.warn(of: contents.notes + contents.losses, in: name)
        let analysis = TraceAnalysis(Trace(contents))
        if let picture {
            let file = (name as NSString).deletingPathExtension + "." + GraphOutput.suffix(of: picture)
            let drawn = try GraphOutput(analysis, GraphOptions(), for: picture)
            try OutputFile(replacing: file).write(drawn.bytes(picture))
            say(TerminalText.escaped(file) + "\n")
            Viewer.show(file)
        }
        return analysis
    }

    /// To standard error: standard output is the program's.
    private func say(_ text: String) {
        if !isQuiet { StandardError.write(text) }
    }
}

/// What the traces of a run are called.
struct TraceFileNames {
    private let folder: String?
    private let output: String
    private var taken: Set<String> = []

    /// - Parameter folder: where each has a name of its own; nil for one trace, which is called `output`.
    init(folder: String?, output: String) {
        self.folder = folder
        self.output = output
    }

    /// A process may have several: `exec` gives it another program, and leaves its number.
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

    /// The longest file name has 255 bytes, of which a process's number and the ending take some.
    private static let longest = 200

    /// A program's name as a part of a file's: it may be any text, since a program is called what its caller
    /// says.
    static func cleaned(_ program: String) -> String {
        var name = ""
        for character in program {
            let isSafe =
                character.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
            let safe = isSafe ? character : "_"
            guard name.utf8.count + safe.utf8.count <= longest else { break }
            name.append(safe)
        }
        // Else it would be hidden.
        if name.hasPrefix(".") { name = "_" + name.dropFirst() }
        return name.isEmpty ? "process" : name
    }
}

/// Whatever shows files on this machine.
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
        // Where there is none, the name of the file has been printed all the same.
        try? viewer.run()
    }
}
