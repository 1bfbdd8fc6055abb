import Foundation
import Inspector
import Testing

@testable import ProgramRecording
@testable import opviz

@Suite(
    "opviz record leaves a program's status and output as they are, and either a trace or the true reason",
    .needsRecording, .needsCompiler)
struct RecordLimitsTests {
    private static let opviz = CommandRun.program.path
    private let folder: Folder

    init() throws { folder = try Folder() }

    /// A line for bash, in which `$opviz`, `$queues` and `$endings` are programs.
    private func bash(_ line: String) throws -> ProgramRun {
        let programs = [
            "opviz": Self.opviz, "queues": try TestProgram.queues.path(),
            "endings": try TestProgram.endings.path(),
        ]
        return try ProgramRun(["bash", "-c", line], in: folder, environment: programs)
    }

    private static let plainOutput = Result { try ProgramRun([TestProgram.queues.path()]).output }

    @Test(
        "a program's status and output stay as they are if standard error is closed, full, or not read",
        arguments: ["2>&-", "2>/dev/full", "2> >(exec true)", ">&- 2>&-", "<&- >&- 2>&-"])
    func standardError(redirection: String) throws {
        let run = try bash(
            """
            "$opviz" record -o trace.json -- bash -c 'sleep 0.1; "$endings" exit >/dev/null; exit 5' \
            \(redirection)
            echo $?
            """)
        #expect(run.output == "5\n")
        let trace = try TraceReader(path: folder.path("trace.json")).read()
        #expect(trace.finishedNames.count >= 200)
    }

    @Test("messages are not written into a file that took the place of standard error")
    func closedStandardError() throws {
        let run = try bash(#""$opviz" record -o no/trace.json -- bash -c 'echo said >&2; "$queues"' 2>&-"#)
        #expect(run.status == 0 && run.error == "")
        #expect(try run.output == Self.plainOutput.get())
    }

    @Test(
        "a program's status and output stay as they are under a limit on the size of files",
        .needs("prlimit"), arguments: [0, 4_096, 100_000, 1 << 20])
    func fileSize(limit: Int) throws {
        let run = try bash(#"prlimit --fsize=\#(limit) "$opviz" record -o trace.json -- "$queues""#)
        #expect(run.status == 0)
        #expect(try run.output == Self.plainOutput.get())
        if limit < 1 << 20 {
            // Its standard error is a file, too.
            #expect(try folder.names == [])
        } else {
            #expect(try TraceReader(path: folder.path("trace.json")).read().finishedNames.count > 10)
        }
    }

    @Test("a limit on the size of files is the reason that is given", .needs("prlimit"))
    func fileSizeReason() throws {
        let run = try bash(
            #"prlimit --fsize=100000 "$opviz" record -o trace.json -- "$queues" 2>&1 >/dev/null | cat >&2"#)
        #expect(
            run.error.contains(
                "a limit on the size of files (ulimit -f) leaves no room for its log; it ran unrecorded\n"))
        #expect(run.error.hasSuffix("opviz: nothing was recorded, so no trace was written\n"))
    }

    @Test(
        "a program's status and output stay as they are under a limit on open files",
        .needs("prlimit"), arguments: [8, 16, 64])
    func openFiles(limit: Int) throws {
        let plain = try bash(#"prlimit --nofile=\#(limit) "$queues""#)
        let run = try bash(#"prlimit --nofile=\#(limit) "$opviz" record -o trace.json -- "$queues""#)
        #expect(run.status == plain.status)
        #expect(run.output == plain.output)
        #expect(try folder.names == ["trace.json"] || run.error.contains("it ran unrecorded"))
    }

    @Test(
        "the recorder starts no thread under a limit on threads, and the trace is complete",
        .needs("prlimit", "setpriv"), .enabled(if: geteuid() == 0, "root gives itself another user"),
        arguments: [100, 600])
    func threads(limit: Int) throws {
        let run = try bash(
            #"""
            cp "$endings" program && chmod 777 .
            setpriv --reuid=64321 --regid=64321 --clear-groups prlimit --nproc=\#(limit) \
                "$opviz" record -q -o trace.json -- ./program threads
            """#)
        #expect(run.status == 0 && run.error == "")
        #expect(run.output.contains("thread program\n"))
        #expect(run.output.contains("thread opviz recorder\n") == (limit == 600))
        let trace = try TraceReader(path: folder.path("trace.json")).read()
        #expect(trace.finishedNames.count >= 200 && trace.losses == [])
    }

    @Test("each process has its trace if there are more processes than descriptors", .needs("prlimit"))
    func manyProcesses() throws {
        let run = try bash(
            #"prlimit --nofile=20 "$opviz" record -q -o traces/ -- bash -c 'for i in {1..24}; do "$queues" "#
                + #">/dev/null; done; exit 5'"#
        )
        #expect(run.status == 5 && run.error == "")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("traces"))
        #expect(files.count == 24)
        for file in files.prefix(3) {
            #expect(try TraceReader(path: folder.path("traces/\(file)")).read().finishedNames.count > 10)
        }
    }

    @Test("silent connections do not delay others")
    func silentConnections() throws {
        let script = #"echo "$OPVIZ_RECORD"; read go; exec "$0" return"#
        let recorded = try RecordedRun(["bash", "-c", script, TestProgram.endings.path()]) { conversation in
            let path = conversation.hearLine()
            for _ in 0..<20 { #expect(connect(to: path)) }
            try conversation.say("go\n")
        }
        #expect(recorded.run.status == 0)
        #expect(try recorded.trace().finishedNames.count >= 200)
    }

    /// A connection that stays until this process ends.
    private func connect(to path: String) -> Bool {
        #if os(Linux)
            let connection = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Foundation.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                }
            }
        #else
            return false
        #endif
    }

    @Test("names that a process sets for itself do not break its trace or other traces")
    func names() throws {
        let run = try bash(
            #"""
            export long=$(printf "%0300d" 0) bad=$'\xe9t\xff' lines=$'a\nb'
            "$opviz" record -q -o traces/ -- bash -c '
                for name in "" .. "$long" "$bad" "$lines"; do (exec -a "$name" "$endings" >/dev/null); done
                exit 5'
            """#)
        #expect(run.status == 5 && run.error == "", "\(run.error)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("traces")).sorted()
        #expect(files.count == 5)
        for file in files {
            let trace = try TraceReader(path: folder.path("traces/\(file)")).read()
            #expect(trace.finishedNames.count >= 200, "\(file)")
        }
    }

    @Test("traces have valid and distinct file names")
    func fileNames() {
        #expect(TraceFileNames.cleaned("") == "process")
        #expect(TraceFileNames.cleaned("..") == "_.")
        #expect(TraceFileNames.cleaned("a/b\u{1b}[1m\0") == "a_b_[1m_")
        #expect(TraceFileNames.cleaned(String(repeating: "é", count: 300)).utf8.count == 200)
        var names = TraceFileNames(folder: "f", output: "trace.json")
        let guest = RecordGuest(process: 7, refusal: 0)
        #expect(
            (0..<3).map { _ in names.next(for: guest) } == [
                "f/process-7.json", "f/process-7-2.json", "f/process-7-3.json",
            ])
    }

    @Test("a program with Foundation whose queues are not used leaves no trace, with the reason")
    func unused() throws {
        let run = try bash(#""$opviz" record -- "$opviz" --version"#)
        #expect(run.status == 0)
        let expected =
            #/
            opviz:\ nothing\ was\ recorded:\ opviz\ saw\ no\ operation\ added
            \ to\ a\ queue\ of\ opviz\ \(process\ \d+\),\ so\ no\ trace\ was\ written\n
            /#
        #expect(run.error.wholeMatch(of: expected) != nil, "\(run.error)")
    }
}
