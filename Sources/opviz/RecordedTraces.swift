import CRecordHost
import Foundation
import Inspector

/// What `opviz record` leaves: a trace for each process, and the summary.
struct RecordedTraces {
    private let guests: [RecordHost.Guest]
    private let output: String
    private let picture: PictureFormat?
    private let isQuiet: Bool

    init(_ guests: [RecordHost.Guest], output: String, picture: PictureFormat?, isQuiet: Bool) {
        self.guests = guests
        self.output = output
        self.picture = picture
        self.isQuiet = isQuiet
    }

    func write() throws {
        for guest in guests where guest.state != 0 { complain(of: guest) }
        var names = CodeNames()
        let logs = guests.compactMap { guest -> (RecordHost.Guest, EventLogContents)? in
            guard guest.memory >= 0, var contents = RecordedMemory(guest).read(),
                contents.hasOperations || contents.hasSentContexts
            else { return nil }
            names.nameOperations(in: &contents)
            return (guest, contents)
        }
        guard !logs.isEmpty else {
            if !guests.contains(where: { $0.state != 0 }) {
                Console.complain("no operation was added to any queue, so there is no trace")
            }
            return
        }
        let isFolder = output.hasSuffix("/") || logs.count > 1
        let folder = isFolder ? try makeFolder() : nil
        var processes = ProcessTable()
        for (guest, contents) in logs {
            let name = folder.map { "\($0)/\(fileName(guest)).json" } ?? output
            let analysis = try write(contents, to: name)
            processes.add(analysis, file: name)
            if logs.count == 1 { say("\n" + RunSummary(analysis).text() + TerminalText.escaped(name) + "\n") }
        }
        if logs.count > 1 { say("\n" + processes.text()) }
    }

    private func complain(of guest: RecordHost.Guest) {
        let reason =
            switch guest.state {
            case 1: "its Foundation is laid out as none that opviz knows; it ran unrecorded"
            case 3: "not enough memory or address space for its log; it ran unrecorded"
            default:
                "its symbols were stripped, so its Foundation, if it has one, cannot be found; it ran unrecorded"
            }
        Console.complain("\(guest.program) (process \(guest.process)): \(reason)")
    }

    // MARK: Names

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

    private func fileName(_ guest: RecordHost.Guest) -> String {
        let program = guest.program.map { $0 == "/" || $0 == "\0" ? "_" : $0 }
        return "\(String(program))-\(guest.process)"
    }

    // MARK: One trace

    private func write(_ contents: EventLogContents, to name: String) throws -> TraceAnalysis {
        try TraceBytes.write(contents, named: name, to: OutputFile(replacing: name))
        Console.warn(of: contents.losses, in: name)
        let analysis = TraceAnalysis(Trace(contents))
        if let picture {
            let file = (name as NSString).deletingPathExtension + "." + picture.ending
            let graph = try picture.graph(analysis, GraphOptions())
            try OutputFile(replacing: file).write(picture.render(graph))
            say(TerminalText.escaped(file) + "\n")
            Viewer.show(file)
        }
        return analysis
    }

    /// To standard error: standard output is the program's.
    private func say(_ text: String) {
        if !isQuiet { FileHandle.standardError.write(Data(text.utf8)) }
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
