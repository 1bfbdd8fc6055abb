import Foundation
import Inspector
import Testing

@Suite("opviz record --cpu says where context switches are refused", .needsRecording)
struct RecordCPUOptionTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static let reason = "because perf_event_open was refused (Operation not permitted)"

    /// Runs opviz where the kernel refuses `perf_event_open`, as in many containers.
    private func refused(_ arguments: [String]) throws -> ProgramRun {
        let refuse = try TestProgram.refuse.path()
        return try ProgramRun([refuse, CommandRun.program.path, "record"] + arguments, in: folder)
    }

    @Test(
        "--cpu auto has the threads read their clocks, and the line of what was recorded says why",
        .needsCompiler)
    func auto() throws {
        let run = try refused(["--", TestProgram.executions.path(), "return"])
        #expect(run.status == 0)
        let line = try #require(run.error.split(separator: "\n").first { $0.hasPrefix("CPU times") })
        #expect(line == "CPU times       thread clocks, of kinds that take 300 µs and longer; 0 % unmeasured")
        let missing = "; missing: context switches, \(Self.reason)\nwhy "
        #expect(run.error.contains(missing), "\(run.error)")
        let trace = try TraceReader(path: folder.path("trace.json")).read()
        #expect(trace.header.processorTimes == .clocks)
        #expect(ProcessorUse(TraceAnalysis(trace).timings)?.parts(of: 0)?.unmeasured == 0)
    }

    @Test("several processes share one line about refused switches", .needsCompiler)
    func several() throws {
        let program = try TestProgram.endings.path()
        let run = try refused(["--", "sh", "-c", "\(program) return; \(program) return"])
        let lines = run.error.split(separator: "\n").filter { $0.contains("perf_event_open") }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("recorded        ") == true)
        #expect(lines.first?.hasSuffix("; missing: context switches, \(Self.reason)") == true)
    }

    @Test("--cpu clocks does not ask the kernel", .needsCompiler)
    func clocks() throws {
        let run = try refused(["--cpu", "clocks", "--", TestProgram.endings.path(), "return"])
        #expect(run.error.contains("thread clocks") && !run.error.contains("perf_event_open"), "\(run.error)")
    }

    @Test("the line about refused switches says that no stacks are sampled", .needsCompiler)
    func profile() throws {
        let program = try TestProgram.endings.path()
        let run = try refused(["--profile", "--", program, "return"])
        #expect(run.status == 0)
        #expect(run.error.contains(" thread clocks, "), "\(run.error)")
        let missing = "; missing: context switches and samples of stacks, \(Self.reason)\n"
        #expect(run.error.contains(missing), "\(run.error)")
        let only = try refused(["--profile=99", "--cpu", "off", "--", program, "return"])
        #expect(only.error.contains("; missing: samples of stacks, \(Self.reason)\n"), "\(only.error)")
    }

    @Test(
        "a rate out of bounds exits with 64",
        arguments: ["--profile=0", "--profile=10001", "--profile=often", "--profile"])
    func rates(option: String) throws {
        let run = try ProgramRun(
            [CommandRun.program.path, "record", option, "echo", "--", "ran"], in: folder)
        #expect(run.status == 64 && run.output == "")
        #expect(run.error.contains(": must be between 1 and 10,000"), "\(run.error)")
    }

    @Test("the rate is that of --profile before other options, and else of OPVIZ_PROFILE", .needsSwitches)
    func rate() throws {
        for (options, rate) in [(["--profile=98", "-q"], 98), (["--profile", "-q"], 499), (["-q"], 97)] {
            let run = try ProgramRun(
                [CommandRun.program.path, "record"] + options + ["--", TestProgram.endings.path(), "return"],
                in: folder, environment: ["OPVIZ_PROFILE": "97"])
            #expect(run.status == 0, "\(run.error)")
            #expect(try folder.read("trace.json").contains(Data("\"perSecond\":\(rate)".utf8)))
        }
    }

    @Test("--cpu off, --quiet, and a program without a trace do not mention refused switches", .needsCompiler)
    func quiet() throws {
        let program = try TestProgram.endings.path()
        for options in [["--cpu", "off"], ["--quiet"]] {
            #expect(try !refused(options + ["--", program, "return"]).error.contains("perf_event_open"))
        }
        #expect(try !refused(["--", "/bin/true"]).error.contains("perf_event_open"))
    }

    @Test("--cpu switches exits with 64 before the program is started where the kernel refuses them")
    func switches() throws {
        let run = try refused(["--cpu", "switches", "--", "echo", "ran"])
        #expect(run.status == 64 && run.output == "")
        #expect(
            run.error
                == "opviz: context switches cannot be recorded: perf_event_open was refused "
                + "(Operation not permitted); use --cpu auto\n")
    }

    @Test("an unknown value of --cpu exits with 64", arguments: [["--cpu", "swiches"], []])
    func unknown(options: [String]) throws {
        let run = try ProgramRun(
            [CommandRun.program.path, "record"] + options + ["--", "echo", "ran"], in: folder,
            environment: ["OPVIZ_CPU": "swiches"])
        #expect(run.status == 64 && run.output == "")
        #expect(
            run.error.contains("swiches") && run.error.contains("did you mean 'switches'?"), "\(run.error)")
    }

    @Test("OPVIZ_CPU is the default of --cpu")
    func variable() throws {
        let refuse = try TestProgram.refuse.path()
        let run = try ProgramRun(
            [refuse, CommandRun.program.path, "record", "--", "echo", "ran"], in: folder,
            environment: ["OPVIZ_CPU": "switches"])
        #expect(run.status == 64 && run.output == "")
    }

    @Test(
        "a user without rights, with hidden processes, or with few descriptors may record switches",
        .needsSwitches,
        .needs("setpriv", "unshare", "prlimit"),
        .enabled(if: geteuid() == 0, "root gives itself another user"),
        arguments: ["", "mount -t proc -o hidepid=2 none /proc; ", "ulimit -n 9; "])
    func unprivileged(before: String) throws {
        let run = try ProgramRun(
            [
                "unshare", "--mount", "bash", "-c",
                before + #"exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs "#
                    + #""$0" record -q -o /dev/null --cpu switches --profile -- echo ran"#,
                CommandRun.program.path,
            ], in: folder)
        #expect(run.status == 0 && run.output == "ran\n", "\(run.error)")
    }
}
