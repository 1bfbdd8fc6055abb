import Foundation
import Inspector
import Testing

@Suite("opviz record --deadline and --idle", .needsRecording, .needsCompiler)
struct RecordDeadlineTests {
    /// Its first line on standard error, without the process's number.
    private func firstLine(
        _ arguments: [String], options: [String], records: [String] = ["--tasks"]
    ) throws -> (String, RecordedRun) {
        let recorded = try RecordedRun(
            [TestProgram.stuck.path()] + arguments, options: records + ["-q"] + options)
        #expect(recorded.run.status == 124, "\(recorded.run.error)")
        let line = recorded.run.error.split(separator: "\n").first.map(String.init) ?? ""
        return (line.replacing(/process \d+/, with: "process N"), recorded)
    }

    @Test("a deadline ends a program whose task awaits a lost continuation, and says which, first")
    func continuation() throws {
        let (line, recorded) = try firstLine(["continuation"], options: ["--deadline", "700ms"])
        #expect(
            line.hasPrefix(
                "opviz: Stuck (process N) was ended at its deadline of 700 ms: load has awaited its "
                    + "continuation for "), "\(line)")
        #expect(
            line.hasSuffix(
                "in Cache.page(_:) ← Stuck.main(); nothing in the process can resume it: its continuation is "
                    + "lost; 1 task waits for it"),
            "\(line)")
        let tasks = try recorded.trace().tasks
        #expect(tasks.entries.contains { tasks.texts[$0.name] == "load" && $0.finished == nil })
    }

    @Test("a deadline tells a dropped continuation from one that an object holds, also in the trace")
    func search() throws {
        let recorded = try RecordedRun(
            [CommandRun.program.deletingLastPathComponent().appending(path: "forgotten").path],
            options: ["--tasks", "-q", "--deadline", "700ms"])
        let lines = recorded.run.error.split(separator: "\n").map(String.init)
        #expect(
            lines.first?.hasSuffix(
                "in load(page:) ← show(page:) ← Forgotten.main(); nothing in the process can resume it: its "
                    + "continuation is lost") ?? false, "\(lines)")
        #expect(
            lines.dropFirst().first?.hasSuffix(
                "nothing has resumed it; an object of type Connection may hold its continuation; 1 task "
                    + "waits for it")
                ?? false, "\(lines)")
        let report = HazardReport(try recorded.trace())
        let findings = report.groups.filter { $0.rule == "lost-continuation" }.flatMap(\.findings)
        #expect(findings.map(\.severity).contains(.error) && findings.count == 2, "\(findings)")
    }

    @Test("--idle ends a program that does nothing, and names the task that blocks a thread")
    func idle() throws {
        let (line, _) = try firstLine(["semaphore"], options: ["--idle", "600ms"])
        #expect(
            line.hasPrefix("opviz: Stuck (process N) was ended because it did nothing for 600 ms: load "),
            "\(line)")
        #expect(
            line.contains("on thread ")
                && line.contains(", which is blocked, in DispatchSemaphore.wait() ← block()")
                && line.hasSuffix("; 1 task waits for it"), "\(line)")
    }

    @Test("a deadline names a stuck operation before the tasks")
    func operation() throws {
        let (line, _) = try firstLine(["operation", "continuation"], options: ["--deadline", "700ms"])
        #expect(line.contains(": upload is still executing"), "\(line)")
    }

    @Test("a deadline says where the threads of operations are")
    func threadOfOperation() throws {
        let recorded = try RecordedRun(
            [TestProgram.stuck.path(), "operation"], options: ["-q", "--deadline", "700ms"])
        let lines = recorded.run.error.split(separator: "\n").map(String.init)
        #expect(
            lines.contains {
                $0.contains(" is blocked in an operation, in DispatchSemaphore.wait() ← block()")
            }, "\(lines)")
    }

    @Test("a deadline says where the thread of a program without operations and tasks is")
    func threadOfProgram() throws {
        let (line, _) = try firstLine(["thread"], options: ["--deadline", "700ms"], records: [])
        #expect(
            line.hasPrefix(
                "opviz: Stuck (process N) was ended at its deadline of 700 ms: its main thread is blocked in "
                    + "a task, in DispatchSemaphore.wait() ← block() ← "), "\(line)")
        #expect(line.hasSuffix("; opviz saw no operation or task that had not finished"), "\(line)")
    }

    @Test("a deadline proves that nobody can finish an asynchronous operation any more, also in the trace")
    func lostOperation() throws {
        let (line, recorded) = try firstLine(["fetch"], options: ["--deadline", "700ms"])
        #expect(line.contains(": Fetch is still executing, "), "\(line)")
        let proof = "; nothing in the process can finish it: only its queue leads to it"
        #expect(line.hasSuffix(proof), "\(line)")
        let findings = HazardReport(try recorded.trace()).groups.filter { $0.rule == "never-finished" }
            .flatMap(\.findings)
        #expect(findings.map(\.severity) == [.error])
        #expect(findings.first?.summary.hasSuffix(proof) == true, "\(findings)")
    }

    @Test("a deadline kills a program that ignores SIGTERM, and every process that it started")
    func stubborn() throws {
        let program = try TestProgram.stuck.path()
        // A number that no other process sleeps for.
        let time = 40_000_000 + Int(getpid())
        let commands = "sleep \(time) & exec '\(program)' stubborn"
        let recorded = try RecordedRun(
            ["sh", "-c", commands], options: ["--tasks", "-q", "--deadline", "300ms"])
        #expect(recorded.run.status == 124)
        #expect(try ProgramRun(["pgrep", "-f", "sleep \(time)"]).output == "")
    }

    @Test("a program that ends in time ends as alone")
    func inTime() throws {
        let recorded = try RecordedRun(
            [TestProgram.tasks.path(), "exit"],
            options: ["--tasks", "-q", "--deadline", "100s", "--idle", "100s"])
        #expect(recorded.run.status == 3 && recorded.run.error == "")
    }

    @Test("--deadline takes only times with a unit", arguments: ["1", "0s", "-1s", "soon"])
    func invalid(time: String) throws {
        let run = try CommandRun("record", "--deadline=\(time)", "--", "true", in: Folder())
        #expect(run.status == 64)
        #expect(run.error.hasPrefix("opviz: --deadline: "))
        #expect(run.error.contains("expected a time with its unit, such as 60s or 2min"))
    }
}
