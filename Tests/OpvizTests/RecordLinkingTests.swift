import Foundation
import Inspector
import Testing

@Suite(
    "opviz record and programs that Swift is linked into", .needsRecording, .needsCompiler,
    .enabled(if: TestProgram.canLinkStatically, "there is no Swift to link statically"))
struct RecordLinkingTests {
    @Test("statically linked programs are reached through their symbol table")
    func linkedStatically() throws {
        let program = try TestProgram.staticQueues.path()
        let recorded = try RecordedRun([program])
        let alone = try ProgramRun([program])
        #expect(recorded.run.output == alone.output)
        #expect(recorded.run.status == 0 && recorded.run.error == "")
        let trace = try recorded.trace()
        // Whether an override calls `super` cannot be seen there, so each call counts.
        let unfinished = trace.operations.filter { $0.finished == nil }.map { $0.name ?? $0.kind }
        #expect(unfinished.sorted() == ["Barrier", "BlockOperation", "turned away"])
        for name in ["first", "second", "before 1", "after", "held", "limited 5", "on the main queue"] {
            #expect(trace.operations.filter { $0.name == name }.count == 1, "\(name)")
        }
        #expect(trace.operations.filter { $0.kind == "Barrier" && $0.finished != nil }.count == 2)
        #expect(
            trace.operations.contains { $0.name == "useClosures() #1 (Queues)" && $0.kind == "useClosures()" }
        )
        withKnownIssue("calls of final classes, which ask no table, were bound when the program was linked") {
            for name in ["text 1", "number", "redirected"] { _ = try trace.operation(name) }
        }
    }

    @Test("statically linked programs leave everything before they are killed")
    func killed() throws {
        let recorded = try RecordedRun([TestProgram.staticEndings.path(), "SIGKILL"])
        #expect(recorded.run.status == -SIGKILL)
        let names = try recorded.trace().finishedNames
        #expect(Set(recorded.run.lines.map(String.init)).subtracting(names) == [])
    }

    @Test(
        "statically linked programs run as they would, with one sentence, when they were stripped",
        .needs("strip"))
    func stripped() throws {
        let folder = try Folder()
        let program = folder.path("stripped")
        #expect(try ProgramRun(["strip", "-o", program, TestProgram.staticQueues.path()]).status == 0)
        let recorded = try RecordedRun([program])
        #expect(try recorded.run.output == ProgramRun([program]).output)
        #expect(recorded.run.status == 0)
        #expect(recorded.traces.isEmpty)
        let sentence =
            #/
            opviz:\ stripped\ \(process\ \d+\):\ its\ symbols\ were\ stripped,
            \ so\ its\ Foundation\ cannot\ be\ found;\ it\ ran\ unrecorded\n
            opviz:\ nothing\ was\ recorded,\ so\ no\ trace\ was\ written\n
            /#
        #expect(recorded.run.error.wholeMatch(of: sentence) != nil)
    }

    @Test(
        "programs that load Foundation after their start work as without opviz, and one sentence says so",
        arguments: [[], ["global"]], [[], ["--tasks"]])
    func plugins(visibility: [String], options: [String]) throws {
        let program = try [TestProgram.pluginHost.path(), TestProgram.plugin.path()] + visibility
        let recorded = try RecordedRun(program, options: options)
        #expect(recorded.run.output == "an operation\n6\n" && recorded.run.status == 0)
        #expect(recorded.traces.isEmpty)
        let sentences =
            #/
            opviz:\ PluginHost\.c\ \(process\ \d+\):\ it\ loaded\ Foundation\ after\ its\ start\ \(dlopen\);
            \ its\ operations\ were\ not\ recorded\nopviz:\ nothing\ was\ recorded.*\n
            /#
        #expect(recorded.run.error.wholeMatch(of: sentences) != nil, "\(recorded.run.error)")
    }

    @Test("statically linked programs have no tasks recorded, with one sentence, with or without Foundation")
    func tasks() throws {
        let program = try TestProgram.staticTasks.path()
        let recorded = try RecordedRun([program], options: ["--tasks"])
        #expect(recorded.run.output == "6\n" && recorded.run.status == 0)
        #expect(recorded.traces.isEmpty)
        let sentence =
            #/
            opviz:\ Tasks-static\ \(process\ \d+\):\ its\ Swift\ runtime\ is\ linked\ statically
            \ \(-static-stdlib\);\ its\ tasks\ were\ not\ recorded\n
            opviz:\ nothing\ was\ recorded:\ opviz\ saw\ no\ operation\ added\ to\ a\ queue
            \ of\ Tasks-static\ .*\n
            /#
        #expect(recorded.run.error.wholeMatch(of: sentence) != nil, "\(recorded.run.error)")
    }
}
