import Foundation
import Testing

@Suite("opviz diff")
struct DiffCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("opviz diff compares two traces of either form, and ends with 0")
    func forms() throws {
        #expect(try CommandRun("convert", "trace.json", in: folder).status == 0)
        let run = try CommandRun("diff", "trace.json", "trace.optrace", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(run.text.contains("101 operations in both."))
        #expect(run.text.contains("Two single runs prove nothing"))
    }

    @Test(
        "opviz diff chooses the format by the output's name",
        arguments: [
            ("d.svg", "<?xml"), ("d.md", "## trace"), ("d.json", "{\"format\""), ("d.txt", "trace.json →"),
        ])
    func formats(name: String, beginning: String) throws {
        let run = try CommandRun("diff", "trace.json", "trace.json", "-o", name, in: folder)
        #expect(run.status == 0)
        #expect(run.text == "")
        let data = try folder.read(name)
        #expect(String(decoding: data, as: UTF8.self).hasPrefix(beginning))
        if name == "d.svg" {
            let svg = XMLDocumentCheck(data)
            #expect(svg.isWellFormed)
            #expect(svg.count(of: "g", class: "operation") == 101)
        }
        if name == "d.json" { _ = try JSONSerialization.jsonObject(with: data) }
    }

    @Test("opviz diff refuses to overwrite a trace, and exits with 64 for an unknown format")
    func usage() throws {
        for output in ["trace.json", "d.png"] {
            let run = try CommandRun("diff", "trace.json", "trace.json", "-o", output, in: folder)
            #expect(run.status == 64)
        }
        #expect(try CommandRun("diff", "trace.json", "nowhere.json", in: folder).status == 66)
    }
}
