import Foundation
import Inspector
import Testing

@Suite(
    "opviz record keeps everything before the end of a program, and ends as it did", .needsRecording,
    .needsCompiler)
struct RecordEndingsTests {
    /// Checks that each operation that the program reported as finished has finished once.
    private func expectReported(
        _ run: ProgramRun, in trace: Trace, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let names = trace.finishedNames
        #expect(Set(names).count == names.count, sourceLocation: sourceLocation)
        let reported = Set(run.lines.map(String.init))
        #expect(reported.count >= 200, sourceLocation: sourceLocation)
        #expect(reported.subtracting(names) == [], sourceLocation: sourceLocation)
    }

    @Test(
        "a program that returns from main, or calls exit or _exit, ends as it did, with its trace",
        arguments: [("return", Int32(0)), ("exit", 4), ("_exit", 3)])
    func ends(way: String, status: Int32) throws {
        let recorded = try RecordedRun([TestProgram.endings.path(), way])
        #expect(recorded.run.status == status)
        #expect(recorded.run.error.contains("ended by _exit") == (way == "_exit"))
        let trace = try recorded.trace()
        expectReported(recorded.run, in: trace)
        // _exit notifies no library.
        #expect(trace.header.isClosed == (way != "_exit"))
    }

    @Test(
        "a program that traps or gets SIGKILL ends as it did, with its trace",
        arguments: [("fatalError", SIGILL), ("SIGKILL", SIGKILL)])
    func traps(way: String, signal: Int32) throws {
        let recorded = try RecordedRun(
            [TestProgram.endings.path(), way], environment: ["SWIFT_BACKTRACE": "enable=no"])
        #if arch(x86_64)
            #expect(recorded.run.status == -signal)
        #else
            #expect(recorded.run.status < 0)
        #endif
        let trace = try recorded.trace()
        expectReported(recorded.run, in: trace)
        #expect(!trace.header.isClosed)
        #expect(trace.losses.first?.hasPrefix("ended by SIG") == true, "\(trace.losses)")
    }

    @Test("a trap's backtrace is complete: the runtime can stop every thread that it finds")
    func backtrace() throws {
        let recorded = try RecordedRun(
            [TestProgram.endings.path(), "fatalError"],
            environment: [
                "SWIFT_BACKTRACE":
                    "enable=yes,color=no,interactive=no,symbolicate=off,limit=2,images=none,registers=none"
            ])
        #expect(recorded.run.error.contains("as it was told to"))
        #expect(!recorded.run.error.contains("failed to suspend thread"))
    }

    @Test(
        "a signal that was sent to opviz alone is named, and does not damage the trace",
        arguments: [(SIGTERM, "SIGTERM"), (SIGUSR1, "SIGUSR1"), (SIGINT, "SIGINT")])
    func isToldToEnd(signal: Int32, name: String) throws {
        let recorded = try RecordedRun([TestProgram.endings.path(), "until killed"]) { conversation in
            conversation.hear(lines: 200)
            kill(conversation.process, signal)
        }
        #expect(recorded.run.status == -signal)
        #expect(
            recorded.run.error.contains(": ended by \(name); the trace is complete until then\n"),
            "\(recorded.run.error)")
        #expect(!recorded.run.error.contains("warning: "))
        let trace = try recorded.trace()
        expectReported(recorded.run, in: trace)
        #expect(trace.losses == ["ended by \(name); the trace is complete until then"])
    }

    @Test("a shell sees the signal as if the program had received it directly")
    func shellStatus() throws {
        let folder = try Folder()
        let shell = try ProgramRun(
            [
                "bash", "-c", #""$0" record -q -- "$1" SIGKILL >/dev/null; echo $?"#, CommandRun.program.path,
                TestProgram.endings.path(),
            ], in: folder)
        #expect(shell.output == "137\n")
    }

    @Test("a program that starts another leaves two traces, named by program and process")
    func startsAnother() throws {
        let program = try TestProgram.endings.path()
        let recorded = try RecordedRun([program, "exec", program])
        #expect(recorded.run.status == 0)
        #expect(recorded.traces.count == 2)
        for (name, trace) in recorded.traces {
            #expect(name == "Endings-\(trace.header.processID)")
            #expect(trace.header.process == "Endings" && trace.header.isClosed)
            #expect(trace.finishedNames.count >= 200)
        }
        let names = recorded.traces.values.flatMap(\.finishedNames)
        #expect(names.sorted() == recorded.run.lines.map(String.init).sorted())
    }

    @Test("a program that becomes itself again leaves two traces, though it keeps its number")
    func replacesItself() throws {
        let program = try TestProgram.endings.path()
        let recorded = try RecordedRun([program, "replace", program])
        #expect(recorded.run.status == 0)
        let process = try #require(recorded.traces.values.first?.header.processID)
        #expect(recorded.traces.keys.sorted() == ["Endings-\(process)", "Endings-\(process)-2"])
        let names = recorded.traces.values.flatMap(\.finishedNames)
        #expect(names.sorted() == recorded.run.lines.map(String.init).sorted())
    }

    @Test("a child that continues the same program is not recorded, but its parent is")
    func forks() throws {
        let recorded = try RecordedRun([TestProgram.endings.path(), "fork"])
        #expect(recorded.run.status == 0)
        let trace = try recorded.trace()
        expectReported(recorded.run, in: trace)
        #expect(recorded.run.lines.last == "in the parent")
        #expect(!trace.operations.contains { $0.name == "in the child" })
        #expect(trace.header.isClosed)
    }
}
