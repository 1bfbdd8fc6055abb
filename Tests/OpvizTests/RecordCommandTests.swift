import Foundation
import Inspector
import Testing

@Suite("opviz record is a good parent to the program", .needsRecording)
struct RecordCommandTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test("opviz record without a command exits with 64")
    func noCommand() throws {
        let run = try CommandRun("record", in: folder)
        #expect(run.status == 64)
        #expect(run.error == "opviz: no command to record: opviz record -- ./app\n")
    }

    @Test(
        "opviz record shows its help on request; after --, the word is the program's own",
        arguments: ["--help", "-h"])
    func help(word: String) throws {
        let run = try CommandRun("record", word, in: folder)
        #expect(run.status == 0)
        #expect(run.text == (try CommandRun("help", "record", in: folder).text))
        #expect(try CommandRun("record", "-q", "--", "ls", "--help", in: folder).text.hasPrefix("Usage: ls "))
    }

    @Test("a misspelled option is not taken for the program")
    func misspelled() throws {
        let run = try CommandRun("record", "--quite", "--", "/bin/true", in: folder)
        #expect(run.status == 64)
        #expect(run.error == "opviz: record has no option '--quite'; did you mean '--quiet'?\n")
    }

    @Test("each option in its help is suggested for a misspelling of it")
    func suggestions() throws {
        let help = try CommandRun("record", "--help", in: folder).text
        let options = help.matches(of: /(?m)^  (?:-\w, )?(--[a-z-]+)/).map { String($0.1) }
        #expect(options.count >= 6)
        for option in options {
            let run = try CommandRun("record", option + "x", "--", "/bin/true", in: folder)
            #expect(run.error.hasSuffix("'\(option)x'; did you mean '\(option)'?\n"), "\(run.error)")
        }
    }

    @Test(
        "an output that is no trace by its name exits with 64, and the program is not run",
        arguments: [
            ("x.txt", "unknown format; end the name with .json or .optrace, or with / for a folder"),
            ("x", "unknown format; end the name with .json or .optrace, or with / for a folder"),
            (".", "unknown format; end the name with .json or .optrace, or with / for a folder"),
            ("-", "standard output is the program's; name a file, such as trace.json"),
        ])
    func unknownFormat(name: String, sentence: String) throws {
        let run = try CommandRun("record", "-o", name, "--", "echo", "ran", in: folder)
        #expect(run.status == 64)
        #expect(run.text == "")
        #expect(run.error == "opviz: \(name): \(sentence)\n")
    }

    @Test("an output that is a device takes any trace")
    func device() throws {
        #expect(try CommandRun("record", "-o", "/dev/null", "--", "echo", "ran", in: folder).text == "ran\n")
    }

    @Test("the trace does not replace the program")
    func overwriting() throws {
        try folder.write("#!/bin/sh\n", to: "program")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path("program"))
        let run = try CommandRun("record", "-o", "program", "--", "./program", in: folder)
        #expect(run.status == 64)
        #expect(run.error.hasPrefix("opviz: program: is the program to record; "))
    }

    @Test("a program that is not there exits with 127", arguments: ["./missing", "no-such-program-anywhere"])
    func missing(name: String) throws {
        let run = try CommandRun("record", "--", name, in: folder)
        #expect(run.status == 127)
        #expect(run.error == "opviz: \(name): no such program\n")
        #expect(try folder.names == [])
    }

    // SwiftPM evaluates the manifests of all packages again if any variable changed.
    @Test("a program recorded twice gets the same environment")
    func environment() throws {
        let runs = try (1...2).map { _ in
            try ProgramRun(
                [CommandRun.program.path, "record", "-q", "--deadline", "60s", "--", "env"], in: folder,
                environment: ["TMPDIR": folder.url.path])
        }
        let variables = runs.map { Set($0.output.split(separator: "\n")) }
        #expect(variables[0].contains { $0.hasPrefix("OPVIZ_RECORD=") })
        #expect(variables[0] == variables[1])
    }

    @Test("a file that is not executable, or not a program, exits with 126")
    func notRunnable() throws {
        try folder.write("\u{7f}ELF\0\0", to: "text")
        let run = try CommandRun("record", "--", "./text", in: folder)
        #expect(run.status == 126)
        #expect(run.error == "opviz: ./text: is not executable\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("text"))
        let other = try CommandRun("record", "--", "./text", in: folder)
        #expect(other.status == 126)
        #expect(other.error == "opviz: ./text: Exec format error\n")
    }

    @Test(
        "an invalid limit exits with 64, and the program is not run",
        arguments: ["6.5M", "64T", "64M first", "M"])
    func wrongLimit(limit: String) throws {
        let run = try CommandRun("record", "--limit", limit, "--", "echo", "ran", in: folder)
        #expect(run.status == 64)
        #expect(run.text == "")
        #expect(run.error == "opviz: \(limit): expected a size such as 64M or \"64M latest\"\n")
    }

    @Test(
        "a limit that is too small for any trace exits with 64, and the program is not run",
        arguments: [("5", "5 bytes"), ("512K", "524,288 bytes"), ("0 latest", "0 bytes")])
    func smallLimit(limit: String, size: String) throws {
        let run = try CommandRun("record", "--limit", limit, "--", "echo", "ran", in: folder)
        #expect(run.status == 64)
        #expect(run.text == "")
        #expect(run.error == "opviz: --limit: \(size) is too small; give at least 1M\n")
    }

    @Test("a script that does not say what runs it is run by the shell, as by a shell")
    func plainScript() throws {
        try folder.write("echo \"$0\" \"$@\"\nexit 7\n", to: "script")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("script"))
        let run = try CommandRun("record", "-q", "--", "./script", "a b", "c", in: folder)
        #expect(run.status == 7)
        #expect(run.text == "./script a b c\n")
    }

    @Test("arguments and the environment are the program's, byte for byte and in their order")
    func bytes() throws {
        let script = #"""
            run() {
                A=$'\xe9' "$@" env -u _ -u LD_PRELOAD -u OPVIZ_RECORD -u OPVIZ_TRACE_LIMIT $'B=\xff/' | \
                    od -An -tx1
            }
            plain=$(run)
            [ -n "$plain" ] && [ "$(run "$0" record -q --)" = "$plain" ] && echo the same
            """#
        // By one shell, whose environment both have.
        let both = try ProgramRun(["bash", "-c", script, CommandRun.program.path])
        #expect(both.output == "the same\n")
    }

    @Test("a trace that cannot be written is reported, and the status is the program's", .needsCompiler)
    func cannotWrite() throws {
        try folder.write("", to: "file")
        let run = try CommandRun(
            "record", "--cpu", "off", "-o", "file/trace.json", "--", TestProgram.queues.path(), in: folder)
        #expect(run.status == 0)
        #expect(run.text.hasSuffix("main true\n"))
        #expect(run.error == "opviz: file/trace.json: cannot be created: Not a directory\n")
    }

    @Test("a folder for output is made, and the trace is named by program and process", .needsCompiler)
    func outputFolder() throws {
        let run = try CommandRun(
            "record", "--cpu", "off", "-o", "a/b/", "--", TestProgram.queues.path(), in: folder)
        #expect(run.status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("a/b"))
        #expect(names.count == 1)
        #expect(names.first?.wholeMatch(of: /Queues-\d+\.json/) != nil)
        #expect(run.error.hasSuffix("\na/b/\(names.first ?? "")\n"))
    }

    @Test("opviz record writes a binary trace, a picture and a summary on request", .needsCompiler)
    func pictures() throws {
        let run = try CommandRun(
            "record", "--cpu", "off", "-o", "t.optrace", "--open", "dot", "--", TestProgram.queues.path(),
            in: folder)
        #expect(run.status == 0)
        #expect(try folder.names == ["t.dot", "t.optrace"])
        #expect(run.error.hasPrefix("t.dot\n\nprocess         Queues (pid "))
        #expect(run.error.hasSuffix("t.optrace\n"))
        #expect(try TraceReader(path: folder.path("t.optrace")).surveyed().isBinary)
    }

    @Test("standard input is the program's")
    func input() throws {
        let recorded = try RecordedRun(["cat"]) { try $0.say("to the program") }
        #expect(recorded.run.output == "to the program")
    }

    @Test("arguments belong to the program, even those that opviz knows, and without --")
    func arguments() throws {
        let run = try CommandRun("record", "-q", "echo", "-o", "--help", "--", in: folder)
        #expect(run.text == "-o --help --\n")
    }

    @Test("libraries that are loaded into the program anyway are kept")
    func otherLibraries() throws {
        let recorded = try RecordedRun(
            ["printenv", "LD_PRELOAD"], environment: ["LD_PRELOAD": "libm.so.6"])
        #expect(recorded.run.output.hasSuffix("/libopviz-record.so:libm.so.6\n"))
    }

    @Test("the program's own exit status is that of opviz", arguments: [Int32(0), 1, 42, 255])
    func status(status: Int32) throws {
        #expect(try CommandRun("record", "--", "sh", "-c", "exit \(status)", in: folder).status == status)
    }

    @Test("nothing of the connection to the program stays behind")
    func clean() throws {
        let run = try ProgramRun(
            [CommandRun.program.path, "record", "-q", "--", "true"], in: folder,
            environment: ["TMPDIR": folder.url.path])
        #expect(run.status == 0)
        #expect(try folder.names == [])
    }

    @Test(
        "a program with little address space runs as it would, and leaves a trace or the reason",
        .needsCompiler, .needs("prlimit"), arguments: [400, 1_150, 1_400])
    func littleMemory(megabytes: Int) throws {
        let command = ["prlimit", "--as=\(megabytes * 1_000_000)", try TestProgram.queues.path()]
        let plain = try ProgramRun(command)
        let recorded = try RecordedRun(command)
        #expect(recorded.run.status == plain.status)
        #expect(recorded.run.output == plain.output)
        #expect(
            recorded.traces.count == 1 || recorded.run.error.contains("address space"),
            "\(recorded.run.error)")
    }
}
