import Foundation
import Testing

@Suite("opviz watch")
struct WatchCommandTests {
    private func watch(_ arguments: String..., columns: UInt16 = 80, lines: UInt16 = 24) throws -> TerminalRun
    {
        try TerminalRun(
            [CommandRun.program.path, "watch", "--interval", "0.1"] + arguments, columns: columns,
            lines: lines)
    }

    /// Watches from a shell that notices when it is stopped, and then runs `script`.
    private func watch(_ log: String, then script: String) throws -> TerminalRun {
        let opviz = CommandRun.program.path
        return try TerminalRun(["bash", "-c", "set -m; \(opviz) watch --interval 0.1 \(log); \(script)"])
    }

    private func stuckService() throws -> WatchedService {
        let service = try WatchedService()
        try service.tell(
            "limit images 2", "add images one", "add images two", "add images three", "add net fetch",
            "add net parse fetch", "add net store parse", "await fetch")
        return service
    }

    @Test("opviz watch shows what everything is waiting for, and follows what happens")
    func follows() throws {
        let service = try stuckService()
        let run = try watch(service.log)
        // Nobody is accused of anything before a second has passed.
        try run.expect("fetch is still executing, 1.")
        try run.expect("after its body returned; 2 wait")
        try run.expect("████████ 2/2")
        try run.expect("3 executing, 3 waiting, 0 finished")
        #expect(run.screen.isAlternate && !run.screen.showsCursor && !run.echoes)
        try service.tell("finish fetch", "fail one", "suspend net")
        try run.expect("1 of them failed")
        try run.expect("parse")
        try service.tell("deadlock serial")
        try run.expect("deadlock: outer blocks")
        run.press("\t\t\t\t")
        try run.expect("self-wait-deadlock")
        run.press("q")
        #expect(try run.end() == 0)
    }

    @Test(
        "opviz watch gives the terminal back however it ends",
        arguments: ["q", "\u{3}", "TERM", "HUP", "QUIT", "SEGV", "ABRT", "USR1", "XCPU"])
    func restores(how: String) throws {
        let service = try stuckService()
        let run = try watch(service.log)
        let before = run.settings
        try run.expect("3 executing, 3 waiting")
        #expect(run.settings != before)
        let signals = [
            "TERM": SIGTERM, "HUP": SIGHUP, "QUIT": SIGQUIT, "SEGV": SIGSEGV, "ABRT": SIGABRT,
            "USR1": SIGUSR1,
            "XCPU": SIGXCPU,
        ]
        if let signal = signals[how] { kill(run.process, signal) } else { run.press(how) }
        let status = try run.end()
        #expect(status == -(signals[how] ?? 0))
        #expect(run.settings == before)
        #expect(!run.screen.isAlternate && run.screen.showsCursor)
        if signals[how] == nil { #expect(run.screen.text.contains("no longer watched")) }
    }

    @Test("opviz watch ends by a signal even if Control-S has stopped the terminal")
    func stoppedOutput() throws {
        let service = try stuckService()
        let run = try watch(service.log)
        let before = run.settings
        try run.expect("3 executing, 3 waiting")
        run.press("\u{13}")
        kill(run.process, SIGTERM)
        #expect(try run.end() == -SIGTERM)
        #expect(run.settings == before)
    }

    @Test("opviz watch leaves signals alone once it has given the terminal back")
    func signalsAfterwards() throws {
        let service = try stuckService()
        // When stopped, it restores the terminal. A signal that ends a process then ends it when it
        // continues.
        let run = try watch(service.log, then: "kill %1; while jobs %1; do sleep 0.05; done")
        try run.expect("3 executing, 3 waiting")
        run.press("\u{1A}")
        try run.expect("Terminated")
        _ = try run.end()
    }

    @Test("opviz watch gives the terminal back before it says that the log is broken")
    func brokenLog() throws {
        let service = try stuckService()
        let run = try watch(service.log)
        let before = run.settings
        try run.expect("3 executing, 3 waiting")
        service.kill(SIGSTOP)
        // Another version, and another start: a new log in the same file that cannot be read.
        let file = try #require(FileHandle(forUpdatingAtPath: service.log))
        try file.write(contentsOf: Data("OPTRACE\n".utf8) + Data([9, 0, 0, 0]))
        let status = try run.end()
        #expect(status == 65 && run.settings == before && !run.screen.isAlternate)
        #expect(run.output.contains("is a binary trace of version 9"))
    }

    @Test("opviz watch stops at Control-Z, restores the terminal, and then continues")
    func stops() throws {
        let service = try stuckService()
        let run = try watch(service.log, then: "echo it is stopped; read x; fg; echo ended with $?")
        try run.expect("3 executing, 3 waiting")
        run.press("\u{1A}")
        try run.expect("it is stopped")
        #expect(!run.screen.isAlternate && run.screen.showsCursor)
        #expect(run.echoes)
        run.press("\n")
        try run.expect("the screen again") { $0.isAlternate && $0.text.contains("3 executing, 3 waiting") }
        #expect(!run.echoes)
        run.press("q")
        try run.expect("ended with 0")
        #expect(try run.end() == 0)
    }

    @Test("opviz watch ends when its terminal is gone")
    func hangsUp() throws {
        let service = try stuckService()
        let run = try watch(service.log)
        try run.expect("3 executing, 3 waiting")
        run.hangUp()
        #expect(try run.end() == -SIGHUP)
    }

    @Test("opviz watch answers keys, and fits a terminal that changes its size")
    func keys() throws {
        let service = try stuckService()
        let run = try watch(service.log)
        try run.expect("3 executing, 3 waiting")
        run.press("?")
        try run.expect("ready, but its queue is suspended")
        run.press("?")
        try run.expect("the screen again") {
            !$0.text.contains("ready, but its queue") && $0.text.contains("2 queues")
        }
        run.press("s")
        try run.expect("s sort: executing")
        run.press("\t")
        try run.expect("only queues") {
            $0.text.contains("tab: queues") && !$0.text.contains("3 waiting  ")
        }
        run.press("\t\t\t\t\t")
        try run.expect("tab: all")
        // F2 and an arrow: neither ends with a key of its own.
        run.press("\u{1B}OQ\u{1B}[1;2Q")
        run.resize(columns: 40, lines: 8)
        try run.expect("a small screen") { screen in
            screen.text.contains("executing") && screen.lines.allSatisfy { $0.count <= 40 }
        }
        run.resize(columns: 100, lines: 30)
        try run.expect("tab: all  s sort: executing  space pause  ? help  q quit")
        run.press(" ")
        try run.expect("space resume")
        try service.tell("finish fetch")
        run.press("s")
        try run.expect("the moment of the pause") {
            $0.text.contains("sort: finished") && $0.text.contains("3 executing, 3 waiting, 0 finished")
        }
        run.press(" ")
        try run.expect("1 finished")
    }

    @Test("opviz watch opens an operation with the arrows and enter, and goes back")
    func opens() throws {
        let service = try stuckService()
        let run = try watch(service.log)
        try run.expect("3 executing, 3 waiting")
        run.press("\t\t\t\u{1B}[A\u{1B}[F\r")
        try run.expect("the operation") {
            $0.text.contains("depends on:") || $0.text.contains("Depends on:")
        }
        run.press("\u{1B}")
        try run.expect("the list again") { $0.text.contains("tab: waiting") }
        run.press("q")
        #expect(try run.end() == 0)
    }

    @Test("opviz watch says when the program ends, leaves the last screen and a summary, and exits with 0")
    func ends() throws {
        let service = try stuckService()
        let run = try watch(service.log)
        let before = run.settings
        try run.expect("3 executing, 3 waiting")
        try service.end()
        #expect(try run.end() == 0)
        #expect(run.settings == before && !run.screen.isAlternate)
        #expect(
            run.output.contains("ended after") && run.output.contains("operations      6: 6 never finished"))
    }

    @Test("opviz watch says when the program is stopped, and when it is killed")
    func killed() throws {
        let service = try stuckService()
        let run = try watch("-q", service.log)
        try run.expect("3 executing, 3 waiting")
        service.kill(SIGSTOP)
        try run.expect("no sign of life for")
        service.kill(SIGKILL)
        #expect(try run.end() == 0)
        #expect(run.output.contains("killed, or ended by _exit"))
    }

    @Test("opviz watch continues with the program that is started again in its place")
    func again() throws {
        let first = try WatchedService()
        try first.tell("add net before")
        let run = try watch(first.log)
        try run.expect("before")
        let second = try WatchedService()
        try second.tell("add net after", "add net behind after", "await after")
        // What it has written until now, in the place of the other, whose process is stopped and says nothing
        // more.
        first.kill(SIGSTOP)
        let file = try #require(FileHandle(forUpdatingAtPath: first.log))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: second.folder.read("trace.optrace"))
        try run.expect("the other program") { $0.text.contains("behind") && !$0.text.contains("before") }
    }

    @Test("opviz watch waits for a missing log if requested")
    func waits() throws {
        let folder = try Folder()
        let run = try watch("--wait", folder.path("trace.optrace"))
        try run.expect("waiting for the log to appear")
        let service = try WatchedService(in: folder)
        try service.tell("add net fetch", "add net parse fetch")
        try run.expect("1 executing, 1 waiting")
    }

    // MARK: Without a terminal

    @Test(
        "opviz watch finds the log by its folder, by the JSON that it becomes, and by the process",
        arguments: ["folder", "json", "process"])
    func targets(how: String) throws {
        let service = try WatchedService(log: how == "json" ? "trace.json" : "trace.optrace")
        try service.tell("add net fetch", "add net parse fetch", "await fetch")
        let target =
            ["folder": service.folder.path(""), "json": service.log, "process": "\(service.process)"][how]
            ?? ""
        let run = try CommandRun("watch", "--once", target, in: service.folder)
        #expect(run.status == 0 && run.error == "")
        #expect(run.text.contains("1 executing, 1 waiting") && run.text.contains("parse"))
    }

    @Test("opviz watch of a finished trace says so, and what shows it")
    func finished() throws {
        let folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("ok.json")))
        let json = try CommandRun("watch", "ok.json", in: folder)
        #expect(json.status == 65)
        #expect(
            json.error
                == "opviz: ok.json: is a finished trace, but watch follows running programs; "
                + "use opviz ok.json\n")
        #expect(try CommandRun("convert", "ok.json", in: folder).status == 0)
        let binary = try CommandRun("watch", "--once", "ok.optrace", in: folder)
        #expect(binary.status == 0 && binary.text.contains("ended after"))
        #expect(
            binary.error
                == "opviz: note: ok.optrace: the program has ended; opviz ok.optrace shows the whole run\n")
    }

    @Test("opviz watch watches a program under opviz record by its process", .needsRecording)
    func recorded() throws {
        let service = try WatchedService(wrapper: [CommandRun.program.path, "record", "-q", "--"])
        try service.tell("add net fetch", "add net parse fetch", "await fetch")
        let run = try CommandRun("watch", "--once", "\(service.process)", in: service.folder)
        #expect(run.status == 0 && run.text.contains("1 executing, 1 waiting"), "\(run.error)")
        try service.end()
    }

    #if os(Linux)
        @Test(
            "opviz watch says that an operation is blocked, or that one calculates or waits for a CPU",
            arguments: [("sleeps", "  blocked"), ("calculates", " CPU")])
        func threads(how: String, now: String) throws {
            let service = try WatchedService()
            try service.tell("occupy images \(how)", "add images behind")
            let run = try CommandRun("watch", "--once", service.log, in: service.folder)
            let row = run.text.split(separator: "\n").first { $0.hasPrefix(how) && $0.contains("images") }
            #expect(row?.contains(now) == true, "\(run.text)")
            #expect(run.text.contains("measured"), "\(run.text)")
            service.kill(SIGKILL)
        }
    #endif

    @Test("opviz watch prints a line at each interval into a pipe, until the program ends")
    func lines() throws {
        let service = try stuckService()
        let run = try ProgramRun(
            [CommandRun.program.path, "watch", "--interval", "0.1", service.log],
            talk: { talk in
                talk.hear(lines: 2)
                try service.end()
            })
        #expect(run.status == 0)
        #expect(
            run.lines.count >= 3 && run.lines.dropLast().contains { $0.contains("3 executing, 3 waiting") })
        #expect(run.lines.last?.contains("ended after") == true)
    }

    @Test("opviz watch ends when the reader of its lines has gone")
    func closedPipe() throws {
        let service = try stuckService()
        let command =
            "\(CommandRun.program.path) watch --interval 0.1 \(service.log) | head -1; echo ${PIPESTATUS[0]}"
        let run = try ProgramRun(["bash", "-c", command])
        #expect(run.lines.count == 2 && run.lines.last == "0")
    }

    @Test("opviz watch refuses missing files and files that are not logs")
    func refusals() throws {
        let folder = try Folder()
        try folder.write("{}", to: "other.optrace")
        try folder.write("", to: "empty.optrace")
        try SimulatedRuns().write(2, seed: 1, to: "runs", in: folder)
        #expect(try CommandRun("merge", "runs", "-o", "merged.optrace", in: folder).status == 0)
        let cases = [
            ("missing.optrace", 66, "no such log; --wait waits for it"),
            ("other.optrace", 65, "at byte 0: is not a recorder's log"),
            ("999999999", 66, "no such file, and no process with that ID"),
            ("empty.optrace", 66, "contains no log yet; --wait waits for one"),
            ("merged.optrace", 65, "is a merged log of several processes"),
        ]
        for (name, status, sentence) in cases {
            let run = try CommandRun("watch", name, in: folder)
            #expect(run.status == status && run.error.contains(sentence), "\(run.error)")
        }
        for arguments in [["--interval", "0"], ["--format", "json"], ["--once", "--format", "xml"]] {
            let usage = try CommandRun(["watch"] + arguments + ["x"], in: folder)
            #expect(usage.status == 64, "\(arguments)")
        }
    }
}
