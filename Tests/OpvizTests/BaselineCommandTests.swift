import Foundation
import Testing

@Suite("opviz baseline")
struct BaselineCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try SimulatedRuns().write(4, seed: 1, to: "runs", in: folder)
    }

    @Test("opviz baseline keeps the runs of a folder, and the same runs give the same bytes")
    func folders() throws {
        let first = try CommandRun("baseline", "runs", "-o", "b.json", "--label", "v1.2", in: folder)
        #expect(first.status == 0 && first.error == "" && first.text == "")
        let text = String(decoding: try folder.read("b.json"), as: UTF8.self)
        #expect(
            text.hasPrefix(
                "{\"format\": \"opviz-baseline\", \"version\": 1, \"label\": \"v1.2\", \"date\": "
                    + "\"2026-11-21\""
            ))
        let printed = try CommandRun(
            "baseline", "runs/3.json", "runs/1.json", "runs/0.json", "runs/2.json", "--label", "v1.2",
            in: folder)
        #expect(printed.text == text)
    }

    @Test("a baseline does not read again what a recorder spooled beside its JSON")
    func spools() throws {
        let before = try CommandRun("baseline", "runs", in: folder).text
        let convert = try CommandRun("convert", "runs/0.json", "-o", "runs/0.json.optrace", in: folder)
        #expect(convert.status == 0)
        #expect(try CommandRun("baseline", "runs", in: folder).text == before)
    }

    @Test("opviz baseline adds another session's runs to a baseline in place; a run that is there stays one")
    func adding() throws {
        #expect(try CommandRun("baseline", "runs", "-o", "b.json", in: folder).status == 0)
        try SimulatedRuns(second: 100_000).write(3, seed: 2, to: "later", in: folder)
        let run = try CommandRun(
            "baseline", "b.json", "later", "runs/1.json", "-o", "b.json", "--date", "2026-12-01", in: folder)
        #expect(run.status == 0 && run.error == "")
        let text = String(decoding: try folder.read("b.json"), as: UTF8.self)
        #expect(text.components(separatedBy: "\"makespanNs\"").count == 8)
        #expect(text.contains("\"date\": \"2026-12-01\""))
    }

    @Test("opviz baseline leaves out runs whose log was not closed, and says which")
    func unclean() throws {
        try SimulatedRuns(isClosed: false).write(1, seed: 3, to: "killed", in: folder)
        let run = try CommandRun("baseline", "runs", "killed", in: folder)
        #expect(run.status == 0)
        #expect(run.error.contains("killed/0.json is left out: its log was not closed"))
        #expect(try CommandRun("baseline", "killed", in: folder).status == 65)
    }

    @Test("opviz baseline says that few runs are too few")
    func few() throws {
        let run = try CommandRun("baseline", "runs/0.json", "-o", "b.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error.contains("one run is too few"))
    }

    @Test("opviz baseline refuses to overwrite a trace, an invalid date, and a missing file")
    func usage() throws {
        #expect(try CommandRun("baseline", "runs", "-o", "runs/0.json", in: folder).status == 64)
        #expect(try CommandRun("baseline", "runs", "--date", "today", in: folder).status == 64)
        #expect(try CommandRun("baseline", "nowhere.json", in: folder).status == 66)
        try FileManager.default.createDirectory(
            atPath: folder.path("empty"), withIntermediateDirectories: true)
        #expect(try CommandRun("baseline", "empty", in: folder).status == 66)
        #expect(try CommandRun("baseline", "runs", "-o", "runs/0.json/b.json", in: folder).status == 73)
    }
}
