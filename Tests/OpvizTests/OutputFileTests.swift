import Foundation
import Testing

@testable import opviz

@Suite("An output file")
struct OutputFileTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("an output file that is a link stays one: what it leads to is replaced")
    func link() throws {
        try "old".write(toFile: folder.path("real.svg"), atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.svg"), withDestinationPath: "real.svg")
        try OutputFile(replacing: folder.path("link.svg")).write(Array("new".utf8))
        let manager = FileManager.default
        #expect(try manager.destinationOfSymbolicLink(atPath: folder.path("link.svg")) == "real.svg")
        #expect(try String(contentsOfFile: folder.path("real.svg"), encoding: .utf8) == "new")
        #expect(try folder.names == ["link.svg", "real.svg"])
    }

    @Test("an output file makes the folders of its name that are not there, when it is written")
    func newFolders() throws {
        let file = OutputFile(replacing: folder.path("a/b/c.svg"))
        try OutputFile.expectWritable(folder.path("a/b/c.svg"))
        #expect(try folder.names == [])
        try file.write([1])
        #expect(try folder.read("a/b/c.svg") == Data([1]))
        try OutputFile(replacing: folder.path("a/b/d.svg")).write([2])
        #expect(try folder.read("a/b/d.svg") == Data([2]))
    }

    @Test("an output file in a folder that cannot be made is an error with the reason, before any work")
    func noFolder() throws {
        try folder.write("", to: "file")
        let name = folder.path("file/missing/a.svg")
        for attempt in [
            { try OutputFile(replacing: name).write([1]) }, { try OutputFile.expectWritable(name) },
        ] {
            let error = #expect(throws: CommandError.self) { try attempt() }
            #expect(error?.status == .cannotCreate && error?.sentence.contains("Not a directory") == true)
        }
    }

    @Test("an output file gets its missing folders from any command that writes it")
    func commands() throws {
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        for (number, command) in [
            "trace.json -o %/a.svg", "convert trace.json -o %/a.optrace",
            "export trace.json --format csv -o %/t",
            "export trace.json --format chrome -o %/a.json", "merge trace.json -o %/a.json",
            "baseline trace.json -o %/a.json", "history add trace.json --file %/a.jsonl",
            "diff trace.json trace.json -o %/a.md",
        ].enumerated() {
            let arguments = command.split(separator: " ").map {
                $0.replacingOccurrences(of: "%", with: "new\(number)/b")
            }
            let run = try CommandRun(arguments, in: folder)
            #expect(run.status == 0, "\(command): \(run.error)")
            #expect(FileManager.default.fileExists(atPath: folder.path("new\(number)/b")), "\(command)")
        }
    }
}
