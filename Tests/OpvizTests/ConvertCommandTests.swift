import Foundation
import Testing

@Suite("opviz convert and opviz compact")
struct ConvertCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("convert goes from form to form and back, and the trace is the same")
    func thereAndBack() throws {
        #expect(try CommandRun("convert", "trace.json", in: folder).text == "trace.optrace\n")
        #expect(try CommandRun("convert", "trace.optrace", "-o", "again.json", in: folder).status == 0)
        let first = try folder.read("again.json")
        let compact = try CommandRun("compact", "trace.optrace", in: folder)
        #expect(compact.status == 0)
        #expect(compact.text.hasSuffix("bytes an event\n"))
        #expect(try CommandRun("convert", "trace.optrace", "-o", "third.json", in: folder).status == 0)
        #expect(try folder.read("third.json") == first)
        let tables = try ["trace.json", "again.json", "trace.optrace"].map {
            try CommandRun("table", $0, in: folder).text
        }
        #expect(Set(tables).count == 1)
        #expect(try folder.names == ["again.json", "third.json", "trace.json", "trace.optrace"])
    }

    @Test("convert and compact read every form from a named pipe, which can be read only once")
    func pipes() throws {
        #expect(try CommandRun("convert", "trace.json", in: folder).status == 0)
        #expect(try CommandRun("compact", "trace.optrace", "-o", "small.optrace", in: folder).status == 0)
        let pipe = folder.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for name in ["trace.json", "trace.optrace", "small.optrace"] {
            for arguments in [
                ["convert", "pipe", "-o", "copy.json"], ["compact", "pipe", "-o", "copy.optrace"],
                ["anonymize", "pipe", "-o", "anonymous.json"], ["graph", "pipe", "-o", "pipe.svg"],
            ] {
                let bytes = try Array(folder.read(name))
                let writer = Thread {
                    let descriptor = open(pipe, O_WRONLY)
                    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                    close(descriptor)
                }
                writer.start()
                let run = try CommandRun(arguments, in: folder)
                #expect(run.status == 0, "\(name): \(arguments): \(run.error)")
                #expect(!run.text.contains("opviz critical-path pipe"), "the pipe has nothing more to read")
            }
        }
    }

    @Test("convert warns of events that the binary form cannot hold, and compact does not count them")
    func unencodable() throws {
        let text = String(decoding: try folder.read("trace.json"), as: UTF8.self)
        try folder.write(
            text.replacing(#""queue":"0x1""#, with: #""queue":"0xffffffffffff""#), to: "large.json")
        let warning = "identifiers that the binary form cannot hold, and were left out"
        let convert = try CommandRun("convert", "large.json", "-o", "large.optrace", in: folder)
        #expect(convert.status == 0 && convert.error.contains(warning), "\(convert.error)")
        let compact = try CommandRun("compact", "large.json", "-o", "compact.optrace", in: folder)
        #expect(compact.status == 0 && compact.error.contains(warning), "\(compact.error)")
        let whole = try CommandRun("compact", "trace.json", "-o", "whole.optrace", in: folder)
        #expect(compact.text.split(separator: " ").first != whole.text.split(separator: " ").first)
    }

    @Test("convert checks a file's contents, not its name")
    func contentDecides() throws {
        #expect(try CommandRun("convert", "trace.json", "-o", "log.optrace", in: folder).status == 0)
        try folder.read("log.optrace").write(to: URL(filePath: folder.path("log")))
        #expect(try CommandRun("convert", "log", in: folder).text == "log.json\n")
    }

    @Test("compact does not replace what is not complete, or not binary")
    func notInPlace() throws {
        let json = try CommandRun("compact", "trace.json", in: folder)
        #expect(json.status == 64)
        #expect(json.error == "opviz: trace.json: is not binary; name the output with -o\n")
        try folder.write(log(isClosed: false, events: []), to: "open.json")
        #expect(try CommandRun("convert", "open.json", in: folder).status == 0)
        let open = try folder.read("open.optrace")
        #expect(try CommandRun("compact", "open.optrace", in: folder).status == 64)
        #expect(try folder.read("open.optrace") == open)
    }

    @Test("a damaged binary log exits with 65, and so does one of a later version")
    func damaged() throws {
        try folder.write("OPTRACE\nand no more", to: "short.optrace")
        let short = try CommandRun("short.optrace", in: folder)
        #expect(short.status == 65)
        #expect(short.error == "opviz: short.optrace: at byte 19: the file ends within its header\n")
        #expect(try CommandRun("convert", "trace.json", in: folder).status == 0)
        var later = try folder.read("trace.optrace")
        later[8] = 9
        try later.write(to: URL(filePath: folder.path("later.optrace")))
        let run = try CommandRun("table", "later.optrace", in: folder)
        #expect(run.status == 65)
        #expect(
            run.error
                == "opviz: later.optrace: is a binary trace of version 9, but this opviz reads version 1\n")
    }
}
