import Foundation
import Testing

@Suite("opviz timeline")
struct TimelineCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("opviz timeline draws a picture in which every operation is, and prints nothing")
    func picture() throws {
        let run = try CommandRun("timeline", "trace.json", "-o", "t.svg", in: folder)
        #expect(run.status == 0)
        #expect(run.text == "")
        let svg = try XMLDocumentCheck(folder.read("t.svg"))
        #expect(svg.isWellFormed)
        #expect(svg.count(of: "g", class: "operation") == 101)
        #expect(try folder.names == ["t.svg", "trace.json"])
    }

    @Test("opviz timeline says what is not drawn one by one")
    func omission() throws {
        let events = (0..<5000).flatMap { index in
            ["b", "n", "n", "e"].enumerated().map { phase, letter in
                let event = ["enqueued", "ready", "executing", "finished"][phase]
                return
                    #"{"ph":"\#(letter)","cat":"op","name":"Work","#
                    + #""id2":{"local":"0x\#(String(index + 1, radix: 16))"},"#
                    + #""pid":1,"tid":1,"ts":\#(index * 4 + phase),"args":{"event":"\#(event)","#
                    + #""queue":"0x1","outcome":"succeeded"}}"#
            }
        }
        try folder.write(log(events: events), to: "many.json")
        let run = try CommandRun("timeline", "many.json", "-o", "-", in: folder)
        #expect(run.status == 0)
        #expect(run.error.contains("note: 5,000 operations are drawn as shares of their lanes"))
        #expect(run.error.contains("--window"))
        #expect(XMLDocumentCheck(run.output).isWellFormed)
        let window = try CommandRun(
            "timeline", "many.json", "--window", "1ms..1.04ms", "-o", "-", in: folder)
        #expect(XMLDocumentCheck(window.output).count(of: "g", class: "operation") == 10)
    }

    @Test("opviz timeline is 80 columns of plain text if stdout is not a terminal")
    func text() throws {
        let run = try CommandRun("timeline", "trace.json", in: folder)
        #expect(run.status == 0)
        #expect(run.text.contains("critical path"))
        #expect(!run.text.contains("\u{1B}"))
        #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let narrow = try CommandRun("timeline", "trace.json", "--width", "40", in: folder)
        #expect(narrow.text.split(separator: "\n").allSatisfy { $0.count <= 40 })
    }

    @Test("opviz timeline is well-formed with names that would break out of it")
    func hostileNames() throws {
        let names = [
            "<script>alert(1)</script>", "</text><b>", #"\u0000\u001b[31m\u007f"#, "🧑‍🚀 é 文", "&amp;",
            "]]>", "", #"\u202e"#, #"\ufffe\uffff"#, String(repeating: "x", count: 10_000),
        ]
        let events = names.enumerated().map { index, name in
            #"{"ph":"b","cat":"op","name":"\#(name)","id2":{"local":"0x\#(index + 1)"},"pid":1,"tid":1,"#
                + #""ts":\#(index),"#
                + #""args":{"event":"enqueued","name":"\#(name)","queue":"0x1"}}"#
        }
        try folder.write(log(events: events), to: "hostile.json")
        let run = try CommandRun("timeline", "hostile.json", "-o", "-", in: folder)
        let svg = XMLDocumentCheck(run.output)
        #expect(svg.isWellFormed)
        #expect(svg.count(of: "script") == 0)
        #expect(svg.count(of: "g", class: "operation") == names.count)
        let text = try CommandRun("timeline", "hostile.json", in: folder).text
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    }

    @Test(
        "opviz timeline writes bitmaps and PDF, with the same bytes each time",
        arguments: [("t.png", "\u{89}PNG"), ("t.pdf", "%PDF-")])
    func rendered(name: String, signature: String) throws {
        let run = try CommandRun("timeline", "trace.json", "-o", name, "--width", "800", in: folder)
        #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
        let bytes = try Data(contentsOf: URL(filePath: folder.path(name)))
        #expect(bytes.starts(with: signature.unicodeScalars.map { UInt8($0.value) }))
        #expect(bytes.count > 5_000)
        if name == "t.png" { #expect([UInt8](bytes[18..<20]) == [3, 32], "its width") }
        #expect(
            try CommandRun("timeline", "trace.json", "-o", name, "--width", "800", in: folder).status == 0)
        #expect(try Data(contentsOf: URL(filePath: folder.path(name))) == bytes)
    }

    @Test(
        "opviz timeline exits with 64 for nonsensical options",
        arguments: [
            ["--queue", "nowhere"], ["--kind", "Nothing"], ["--window", "3s..1s"], ["--window", "soon"],
            ["--window", "999s..1000s"],
            ["-o", "t.bmp"], ["-o", "trace.json"], ["--width", "3"], ["--theme", "pink"],
        ])
    func usage(arguments: [String]) throws {
        let run = try CommandRun(["timeline", "trace.json"] + arguments, in: folder)
        #expect(run.status == 64)
        #expect(!run.error.isEmpty)
    }
}
