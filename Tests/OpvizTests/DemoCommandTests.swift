import Foundation
import Inspector
import Testing

@Suite("opviz demo")
struct DemoCommandTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func trace(_ name: String) throws -> Trace { try TraceReader(path: folder.path(name)).read() }

    /// The commands below `Next:`.
    private static func commands(in text: String) throws -> [[String]] {
        let next = try #require(text.firstMatch(of: /\nNext:\n((?:  opviz .*\n)+)\n/))
        return next.1.split(separator: "\n").map { line in
            // Two spaces, and what the command does.
            let command = line.dropFirst(2).split(separator: "  ")[0].dropFirst("opviz ".count)
            guard let name = command.firstMatch(of: /'([^']+)'/) else {
                return command.split(separator: " ").map(String.init)
            }
            return command[..<name.range.lowerBound].split(separator: " ").map(String.init) + [String(name.1)]
        }
    }

    @Test("opviz demo leaves a trace and a page that loads nothing, and prints their names last")
    func files() throws {
        let run = try CommandRun("demo", in: folder)
        #expect(run.status == 0 && run.error == "")
        #expect(run.text.hasPrefix("opviz (pid "))
        #expect(run.text.hasSuffix("\n\nopviz-demo.optrace\nopviz-demo.html\n"))
        #expect(try folder.names == ["opviz-demo.html", "opviz-demo.optrace"])
        let page = String(decoding: try folder.read("opviz-demo.html"), as: UTF8.self)
        #expect(page.hasPrefix("<!DOCTYPE html>"))
        #expect(page.firstMatch(of: /(src|href)="?https?:/) == nil)
        #expect(page.contains("default-src 'none'"))
    }

    @Test("opviz demo prints what opviz why says, and three commands that work")
    func text() throws {
        let run = try CommandRun("demo", "-o", "run.json", in: folder)
        #expect(run.text.hasPrefix(try CommandRun("why", "run.json", in: folder).text + "\nNext:\n"))
        let commands = try Self.commands(in: run.text)
        #expect(commands.map(\.first) == ["why", "graph", "explain"])
        for command in commands {
            let more = try CommandRun(command, in: folder)
            #expect(more.status == 0 && more.text.count > 40, "\(command): \(more.error)")
        }
    }

    @Test("opviz demo runs operations of seven kinds, one of which fails, one of which is retried")
    func workload() throws {
        #expect(try CommandRun("demo", in: folder).status == 0)
        let trace = try trace("opviz-demo.optrace")
        let operations = Array(trace.operations)
        #expect(operations.count == 43)
        let kinds = Set(operations.map(\.kind.description))
        for kind in ["Download", "Decode", "Resize", "Upload", "Backup", "Publish"] {
            #expect(kinds.contains(kind), "\(kinds)")
        }
        let failed = operations.filter {
            if case .failed = $0.outcome { true } else { false }
        }
        #expect(
            Set(failed.map(\.name)) == [
                "download photo 4, attempt 1", "decode photo 7", "resize photo 7", "upload photo 7",
            ])
        #expect(operations.allSatisfy { $0.outcome != nil })
    }

    @Test("opviz demo --stuck names the deadlock, keeps the trace, and exits with 124")
    func stuck() throws {
        let run = try CommandRun("demo", "--stuck", in: folder)
        #expect(run.status == 124 && run.error == "")
        #expect(run.text.contains("error") && run.text.contains("deadlock: album "), "\(run.text)")
        #expect(run.text.hasSuffix("\n\nopviz-demo.optrace\nopviz-demo.html\n"))
        #expect(try trace("opviz-demo.optrace").operations.count { $0.outcome == nil } == 6)
        let lint = try CommandRun("lint", "--strict", "opviz-demo.optrace", in: folder)
        #expect(lint.status == 1 && lint.text.contains("[self-wait-deadlock, finding:1]"), "\(lint.text)")
        for command in try Self.commands(in: run.text) {
            #expect(try CommandRun(command, in: folder).status == 0, "\(command)")
        }
    }

    @Test("opviz demo -o names the trace, or the folder for both files, and replaces older ones")
    func output() throws {
        try folder.write("older", to: "run.json")
        #expect(try CommandRun("demo", "--stuck", "-o", "run.json", in: folder).status == 124)
        #expect(try trace("run.json").operations.count == 18)
        #expect(try CommandRun("demo", "--stuck", "-o", "new/", in: folder).status == 124)
        #expect(try trace("new/opviz-demo.optrace").operations.count == 18)
        #expect(try folder.names == ["new", "run.html", "run.json"])
    }

    @Test("opviz demo refuses standard output, other formats and folders as files, before it runs anything")
    func refusals() throws {
        for (name, status) in [("-", 64), ("run.txt", 64), ("run.html/run.json", 73)] {
            try folder.write("", to: "run.html")
            let run = try CommandRun("demo", "-o", name, in: folder)
            #expect(run.status == status && run.text == "", "\(name): \(run.error)")
            #expect(run.error.hasPrefix("opviz: \(name): "))
            #expect(try folder.names == ["run.html"])
        }
    }

    @Test("opviz records itself only for the demo, whatever OPVIZ_TRACE says")
    func environment() throws {
        let environment = ["OPVIZ_TRACE": folder.path("own.optrace")]
        let program = CommandRun.program.path
        let demo = try ProgramRun([program, "demo"], in: folder, environment: environment)
        #expect(demo.status == 0)
        let why = try ProgramRun(
            [program, "why", "opviz-demo.optrace"], in: folder, environment: environment)
        #expect(why.status == 0)
        #expect(try folder.names == ["opviz-demo.html", "opviz-demo.optrace"])
    }
}
