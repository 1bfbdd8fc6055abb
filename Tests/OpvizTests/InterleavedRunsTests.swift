import Foundation
import Inspector
import Testing

@testable import ProgramRecording
@testable import opviz

@Suite("Interleaved runs")
struct InterleavedRunsTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("interleaved runs run the two commands unchanged, with their options")
    func commands() throws {
        let both = try InterleavedRuns.commands(["./old", "-x", "--", "./new", "--", "y"])
        #expect(both.old == ["./old", "-x"] && both.new == ["./new", "--", "y"])
    }

    @Test(
        "interleaved runs want two commands",
        arguments: [[], ["./old"], ["./old", "--"], ["--", "./new"], ["--", "--", "./new"]])
    func missingCommands(words: [String]) {
        let error = #expect(throws: CommandError.self) { try InterleavedRuns.commands(words) }
        #expect(error?.status == .usage)
    }

    @Test(
        "interleaved runs compare unmodified programs, and keep their traces",
        .enabled(if: TestProgram.canCompile))
    func unchangedPrograms() throws {
        let program = try TestProgram.queues.path()
        let run = try CommandRun(
            "check", "--interleave", "3", "--seed", "2", "--keep", "runs", "--format", "json",
            "--", program, "--", program, in: folder)
        #expect(run.status == 0)
        let result = try #require(
            try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        #expect((result["baseline"] as? [String: Any])?["runs"] as? Int == 3)
        #expect((result["current"] as? [String: Any])?["runs"] as? Int == 3)
        #expect((result["policy"] as? [String: Any])?["isInterleaved"] as? Bool == true)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("runs")).sorted()
        #expect(names == ["new", "old"].flatMap { side in (1...3).map { "\(side)-\($0).optrace" } })
        #expect((result["policy"] as? [String: Any])?["orderSeed"] as? Int == 2)
        let order = RunOrder(pairs: 3, seed: 2)
        var counts = [false: 0, true: 0]
        let starts = try (0..<6).map { run in
            let isNew = order.isCurrent(run)
            counts[isNew, default: 0] += 1
            let file = "\(isNew ? "new" : "old")-\(counts[isNew] ?? 0).optrace"
            return try TraceReader(path: folder.path("runs/\(file)")).read().header.start
        }
        #expect(starts == starts.sorted())
        // The runs are read again, as those were that earlier versions made A B B A.
        func kept(_ side: String) -> [String] { (1...3).map { "runs/\(side)-\($0).optrace" } }
        let again = try CommandRun(
            ["check"] + kept("new") + ["--baseline"] + kept("old") + ["--interleaved"], in: folder)
        #expect(again.status == 0, "\(again.error)")
    }

    @Test("interleaved runs have CPU times")
    func processorTimes() throws {
        let program = try TestProgram.queues.path()
        let run = try CommandRun(
            "check", "--interleave", "1", "--keep", "runs", "--", program, "--", program, in: folder)
        #expect(run.status == 0, "\(run.error)")
        for side in ["old", "new"] {
            let trace = try TraceReader(path: folder.path("runs/\(side)-1.optrace")).read()
            #expect(ProcessorUse(TraceTimings(trace)) != nil)
        }
    }

    @Test("interleaved runs are kept only in a folder that has nothing in it")
    func keptElsewhere() throws {
        try folder.write("thesis", to: "output")
        let run = try CommandRun(
            "check", "--interleave", "3", "--keep", ".", "--", "/bin/true", "--", "/bin/true", in: folder)
        #expect(run.status == 64)
        #expect(run.error == "opviz: .: has files in it; --keep needs a new or an empty folder\n")
        #expect(try String(contentsOfFile: folder.path("output"), encoding: .utf8) == "thesis")
    }

    @Test(
        "interleaved runs end by a signal at once, and leave nothing", .enabled(if: TestProgram.canCompile))
    func interrupted() throws {
        let program = try TestProgram.queues.path()
        let temporary = folder.path("temporary")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let run = try ProgramRun(
            [CommandRun.program.path, "check", "--interleave", "5000", "--", program, "--", program],
            environment: ["TMPDIR": temporary]
        ) { conversation in
            while try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty { usleep(1000) }
            kill(conversation.process, SIGTERM)
        }
        #expect(run.status == -SIGTERM)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    @Test("interleaved runs leave nothing if the traces are not kept")
    func cleanedUp() throws {
        let program = try TestProgram.queues.path()
        let temporary = folder.path("temporary")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let run = try ProgramRun(
            [CommandRun.program.path, "check", "--interleave", "1", "--", program, "--", program],
            environment: ["TMPDIR": temporary])
        #expect(run.status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    @Test("interleaved runs leave nothing if a command cannot be started")
    func notStarted() throws {
        let temporary = folder.path("temporary")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        // With a NUL, it is not a script either.
        try folder.write("no\0program", to: "broken")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path("broken"))
        let run = try ProgramRun(
            [
                CommandRun.program.path, "check", "--interleave", "1", "--", folder.path("broken"), "--",
                folder.path("broken"),
            ], environment: ["TMPDIR": temporary])
        #expect(run.status == 126)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    @Test("interleaved runs of a program without operations are nothing to compare")
    func withoutOperations() throws {
        let run = try CommandRun(
            "check", "--interleave", "3", "--", "/bin/true", "--", "/bin/true", in: folder)
        #expect(run.status == 65)
        #expect(
            run.error
                == "opviz: OLD (/bin/true): there is nothing to compare: "
                + "\(RecordedProcesses([], LogArchive { _ in }).absence)\n"
        )
    }

    @Test("interleaved runs say which command failed, in which run, and with what on its output")
    func failure() throws {
        let run = try CommandRun(
            "check", "--interleave", "3", "--", "sh", "-c", "echo lost; exit 3", "--", "/bin/true", in: folder
        )
        #expect(run.status == 69)
        #expect(
            run.error
                == "OLD: lost\nopviz: OLD (sh) exited with 3 while warming up, so nothing was compared\n")
    }

    @Test("interleaved runs report nonsensical options before any run")
    func senseless() throws {
        func error(_ arguments: String...) throws -> String {
            let run = try CommandRun(
                ["check"] + arguments + ["--", "/bin/false", "--", "/bin/false"], in: folder)
            #expect(run.status == 64)
            return run.error
        }
        #expect(try error("--interleave", "0").contains("must be between 1 and 10,000"))
        #expect(try error("--interleave", "3", "--threshold", "x").contains("--threshold"))
        #expect(try error("--interleave", "3", "-o", "check.tiff").contains("unknown format"))
        #expect(try error("--interleave", "3", "--baseline", "a.json").contains("leave out other runs"))
        #expect(try error("--interleave", "3", "--looks", "0").contains("--looks"))
        let seeded = try CommandRun("check", "a.json", "--baseline", "b.json", "--seed", "3", in: folder)
        #expect(seeded.status == 64 && seeded.error.contains("--seed needs --interleave"))
        let missing = try CommandRun(
            "check", "--interleave", "3", "--", "./missing", "--", "/bin/true", in: folder)
        #expect(missing.status == 127)
    }
}
