import Foundation
import Testing

@testable import ProgramRecording
@testable import opviz

@Suite("opviz doctor says what opviz record does", .needsRecording)
struct DoctorCommandTests {
    /// What `--format json` prints.
    private struct Answer: Decodable {
        struct Check: Decodable {
            let program: String?
            let what: String
            let isPossible: Bool?
            let reason: String?
            let remedy: String?
        }

        let format: String
        let version: Int
        let recordsOperations: Bool
        let checks: [Check]

        func check(_ what: String) throws -> Check {
            try #require(checks.first { $0.what == what }, "\(what)")
        }
    }

    private let folder: Folder

    init() throws { folder = try Folder() }

    private func answer(_ arguments: String..., under command: [String] = []) throws -> (Int32, Answer) {
        let run = try ProgramRun(
            command + [CommandRun.program.path, "doctor", "--format", "json"] + arguments, in: folder)
        #expect(run.error == "")
        let answer = try JSONDecoder().decode(Answer.self, from: Data(run.output.utf8))
        #expect(answer.format == "opviz-doctor" && answer.version == 1)
        #expect(run.status == (answer.recordsOperations ? 0 : 1))
        return (run.status, answer)
    }

    @Test("context switches and samples are possible where the kernel lets record take them")
    func machine() throws {
        let (status, answer) = try answer()
        #expect(status == 0)
        #expect(try answer.check("recording library").isPossible == true)
        #expect(
            try answer.check("context switches").isPossible == ((try? KernelRecorder()) != nil))
        #expect(
            try answer.check("samples of stacks").isPossible
                == ((try? KernelRecorder(switches: false, rate: 499)) != nil))
        for check in answer.checks where check.isPossible == false { #expect(check.reason != nil) }
    }

    @Test(
        "opviz doctor gives the reason of record where the kernel refuses switches, and what to do",
        .needsCompiler)
    func refused() throws {
        let (status, answer) = try answer(under: [TestProgram.refuse.path()])
        #expect(status == 0)
        for what in ["context switches", "samples of stacks", "samples in the kernel"] {
            let check = try answer.check(what)
            #expect(check.isPossible == false && check.remedy != nil)
            #expect(check.reason == "perf_event_open was refused (Operation not permitted)")
        }
    }

    @Test(
        "opviz doctor finds that a program with Foundation can be recorded, and does not run it",
        .needsCompiler)
    func program() throws {
        let program = try TestProgram.queues.path()
        let (status, answer) = try answer(program)
        #expect(status == 0 && answer.recordsOperations)
        for what in ["operations", "tasks", "names of closures"] {
            let check = try answer.check(what)
            #expect(check.isPossible == true && check.program == program, "\(check)")
        }
        let run = try ProgramRun([CommandRun.program.path, "doctor", program])
        #expect(try !run.output.contains(ProgramRun([program]).output))
    }

    @Test(
        "callers are seen in a program that was built with frame pointers, not in one without", .needsCompiler
    )
    func frames() throws {
        let (_, with) = try answer(TestProgram.calculations.path())
        #expect(try with.check("callers of functions").isPossible == true)
        #if arch(x86_64)
            let (_, without) = try answer(TestProgram.queues.path())
            #expect(try without.check("callers of functions").isPossible == false)
        #endif
    }

    @Test(
        "a program without Foundation, one that is linked with -static, and a missing one cannot be recorded")
    func others() throws {
        let (status, answer) = try answer("/bin/true")
        #expect(status == 1 && !answer.recordsOperations)
        #expect(try answer.check("operations").isPossible == false)
        #expect(try ProgramRun([CommandRun.program.path, "doctor", "./missing"], in: folder).status == 127)
    }

    @Test("an obstacle has the same words in opviz doctor as in opviz record", .needsCompiler)
    func obstacle() throws {
        let program = try TestProgram.staticStorm.path()
        let (status, answer) = try answer(program)
        #expect(status == 1)
        let reason = try #require(try answer.check("operations").reason)
        let run = try ProgramRun([CommandRun.program.path, "record", "--", program, "1"], in: folder)
        #expect(run.error.contains("\(reason); it runs unrecorded\n"), "\(run.error)")
    }

    @Test(
        "no tasks are recorded of a statically linked program, and nothing of a stripped one", .needsCompiler,
        .needs("strip"),
        .enabled(if: TestProgram.canLinkStatically, "there is no Swift to link statically"))
    func linkedStatically() throws {
        let program = try TestProgram.staticTasks.path()
        #expect(try answer(program).1.check("tasks").remedy == "link without -static-stdlib")
        #expect(try ProgramRun(["strip", "-o", folder.path("stripped"), program]).status == 0)
        let (status, answer) = try answer(folder.path("stripped"))
        #expect(status == 1)
        #expect(
            try answer.check("operations").reason
                == "its symbols were stripped, so its Foundation cannot be found")
    }

    @Test("opviz doctor does not start a script")
    func script() throws {
        try folder.write("#!/bin/sh\ntouch ran\n", to: "script")
        #expect(chmod(folder.path("script"), 0o755) == 0)
        let (status, answer) = try answer("./script")
        #expect(status == 0)
        #expect(try answer.check("operations").isPossible == nil)
        #expect(try folder.names == ["script"])
    }
}
