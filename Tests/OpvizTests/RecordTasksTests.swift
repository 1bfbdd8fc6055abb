import Foundation
import Inspector
import Testing

@Suite("opviz record --tasks", .needsRecording, .needsCompiler)
struct RecordTasksTests {
    @Test(
        "record --tasks needs no Foundation for the tasks of a program, also if it is bound early",
        arguments: [[:], ["LD_BIND_NOW": "1"]])
    func withoutFoundation(environment: [String: String]) throws {
        let recorded = try RecordedRun(
            [TestProgram.tasks.path()], options: ["--tasks"], environment: environment)
        #expect(recorded.run.output == "6\n" && recorded.run.status == 0)
        let tasks = try recorded.trace().tasks
        // Three in the group, and the main one.
        #expect(tasks.entries.count == 4)
        #expect(tasks.entries.allSatisfy { $0.outcome == .succeeded })
    }

    @Test("a task that ends the program has ended, with the status if that is not 0")
    func exits() throws {
        let recorded = try RecordedRun([TestProgram.tasks.path(), "exit"], options: ["--tasks"])
        #expect(recorded.run.status == 3)
        let tasks = try recorded.trace().tasks
        let errors = tasks.entries.compactMap { entry in
            if case .failed(let error)? = entry.outcome { tasks.texts[error] } else { nil }
        }
        #expect(errors == ["exit(3)"])
    }

    @Test("record --tasks writes a trace with tasks only; commands that cannot show it say so in one line")
    func onlyTasks() throws {
        let folder = try Folder()
        let program = try TestProgram.tasks.path()
        #expect(try CommandRun("record", "--tasks", "-q", "--", program, in: folder).status == 0)
        let table = try CommandRun("table", "trace.json", in: folder)
        #expect(table.status == 0 && table.error.isEmpty && table.text.hasPrefix("Tasks by kind"))
        #expect(table.text.contains("Tasks.main()"))
        for command in ["graph", "timeline", "critical-path", "explain", "whatif"] {
            let run = try CommandRun(command, "trace.json", in: folder)
            #expect(run.status == 0 && run.error.isEmpty, "\(command)")
            #expect(run.text.contains("Tasks.main()") || run.text.contains("async main"), "\(command)")
        }
        let lint = try CommandRun("lint", "trace.json", in: folder)
        #expect(lint.status == 0 && lint.error.isEmpty && lint.text.contains("in 4 tasks ("), "\(lint.text)")
        let flame = try CommandRun("flame", "trace.json", in: folder)
        let note = "trace.json: it contains tasks, but no operations; opviz table shows the tasks\n"
        #expect(flame.error.contains("opviz: note: " + note), "\(flame.error)")
    }

    @Test("record --tasks writes the latest events of tasks whose creation they have overwritten")
    func latest() throws {
        let folder = try Folder()
        let program = try TestProgram.tasks.path()
        let limit = ["--limit", "1M latest"]
        let run = try CommandRun(["record", "--tasks"] + limit + ["--", program, "yield"], in: folder)
        #expect(run.status == 0 && run.text == "6\n")
        #expect(run.error.contains("only the latest events were kept") && run.error.contains("tasks  "))
        #expect(try TraceReader(path: folder.path("trace.json")).read().tasks.entries.isEmpty == false)
    }

    @Test(
        "record --tasks says in which functions a suspended task waits, with --await-stacks or a deadline",
        arguments: [["--await-stacks"], ["--deadline", "1min"], ["--idle", "500ms"]])
    func awaitStack(options: [String]) throws {
        let folder = try Folder()
        let program = try TestProgram.tasks.path()
        let run = try CommandRun(["record", "--tasks"] + options + ["--", program, "lost"], in: folder)
        #expect(run.status == (options[0] == "--idle" ? 124 : 4))
        let lost = options[0] == "--idle" ? "nothing in the process can resume it" : "nothing has resumed it"
        let sentence = "Tasks.load() ← Tasks.page() ← Tasks.main(); \(lost)"
        #expect(run.error.contains(sentence), "\(run.error)")
        let lint = try CommandRun("lint", "trace.json", in: folder)
        #expect(
            lint.text.replacing(/\s+/, with: " ").contains("Tasks.load() ← Tasks.page() ← Tasks.main()"),
            "\(lint.text)")
    }

    @Test("without await stacks, a task is suspended in the innermost function")
    func innermost() throws {
        let folder = try Folder()
        let program = try TestProgram.tasks.path()
        let run = try CommandRun("record", "--tasks", "--", program, "lost", in: folder)
        #expect(run.status == 4 && !run.error.contains("Tasks.page()"), "\(run.error)")
    }

    @Test("record --tasks counts the tasks of each process where there are several")
    func processes() throws {
        let folder = try Folder()
        let program = try TestProgram.tasks.path()
        let commands = "'\(program)'; '\(program)'"
        let run = try CommandRun("record", "--tasks", "--", "sh", "-c", commands, in: folder)
        #expect(run.text == "6\n6\n")
        let lines = run.error.split(separator: "\n")
        #expect(lines.contains("Processes with operations or tasks"))
        let rows = lines.filter { $0.contains(/^Tasks +\d+ +0 +0 +4 +\d +- +- +trace/) }
        #expect(rows.count == 2, "\(run.error)")
    }

    @Test("record --tasks records no tasks of a runtime that it does not know, and says so in one sentence")
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

    @Test("opviz record --tasks says that it saw no task where a program uses none")
    func none() throws {
        let recorded = try RecordedRun([TestProgram.tasks.path(), "none"], options: ["--tasks"])
        #expect(recorded.run.output == "none\n" && recorded.run.status == 0)
        #expect(recorded.run.error.contains("saw no operation added to a queue, and no task, of Tasks"))
    }
}
