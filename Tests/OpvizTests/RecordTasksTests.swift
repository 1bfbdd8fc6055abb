import Foundation
import Inspector
import Testing

@Suite("opviz record --tasks", .needsRecording, .needsCompiler)
struct RecordTasksTests {
    @Test("records the tasks of a program without Foundation, which needs nothing else")
    func withoutFoundation() throws {
        let recorded = try RecordedRun([TestProgram.tasks.path()], options: ["--tasks"])
        #expect(recorded.run.output == "6\n" && recorded.run.status == 0)
        let tasks = try recorded.trace().tasks
        // Three in the group, and the main one.
        #expect(tasks.entries.count == 4)
        #expect(tasks.entries.filter { $0.finished != nil }.count >= 3)
    }

    @Test("records no tasks of a runtime that it does not know, and says so in one sentence")
    func unknownRuntime() throws {
        let library = try TestProgram.otherRuntime.path()
        let recorded = try RecordedRun(
            [TestProgram.tasks.path()], options: ["--tasks"], environment: ["LD_PRELOAD": library])
        #expect(recorded.run.output == "6\n" && recorded.run.status == 0)
        #expect(recorded.traces.isEmpty)
        let sentence =
            #/
            opviz:\ Tasks\ \(process\ \d+\):\ its\ Swift\ runtime\ is\ another\ version\ than\ those
            \ that\ opviz\ knows;\ its\ tasks\ were\ not\ recorded\n
            opviz:\ nothing\ was\ recorded:\ .*\n
            /#
        #expect(recorded.run.error.wholeMatch(of: sentence) != nil, "\(recorded.run.error)")
    }

    @Test("says that it saw no task where a program uses none")
    func none() throws {
        let recorded = try RecordedRun([TestProgram.tasks.path(), "none"], options: ["--tasks"])
        #expect(recorded.run.output == "none\n" && recorded.run.status == 0)
        #expect(recorded.run.error.contains("saw no operation added to a queue, and no task, of Tasks"))
    }
}
