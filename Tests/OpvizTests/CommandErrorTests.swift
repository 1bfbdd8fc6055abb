import Foundation
import Inspector
import Testing

@Suite("A failure is reported in one sentence, with an exit code for scripts")
struct CommandErrorTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func expect(
        _ run: CommandRun, status: Int32, says sentence: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(run.status == status, sourceLocation: sourceLocation)
        #expect(run.error == "opviz: \(sentence)\n", sourceLocation: sourceLocation)
        #expect(run.text == "", sourceLocation: sourceLocation)
    }

    @Test("a missing file exits with 66", arguments: ["graph", "table", "lint"])
    func missing(command: String) throws {
        try expect(
            CommandRun(command, "no.json", in: folder), status: 66, says: "no.json: no such file")
    }

    @Test(
        "a file that is not a trace exits with 65",
        arguments: [
            ("", "is empty"),
            ("hello", "at byte 0: not a trace: expected {"),
            (
                "{}",
                #"is JSON, but not a trace: expected an object with "otherData" and its "format": "#
                    + #""opviz-trace", a Chrome trace with slices, or spans of OpenTelemetry"#
            ),
            (
                #"{"otherData":{"format":"other","version":1},"traceEvents":[]}"#,
                #"is JSON, but not an opviz trace: its format is "other", expected "opviz-trace""#
            ),
            (
                log(version: 7, events: []),
                "is a trace of version 7, but this opviz reads up to version 1; use a newer opviz"
            ),
        ])
    func noTrace(text: String, reason: String) throws {
        try folder.write(text, to: "x.json")
        try expect(CommandRun("x.json", in: folder), status: 65, says: "x.json: \(reason)")
        #expect(try folder.names == ["x.json"])
    }

    @Test("a folder in place of a trace exits with 74")
    func directory() throws {
        try expect(
            CommandRun(".", "-o", "a.svg", in: folder), status: 74, says: ".: is a directory, not a trace")
    }

    @Test("a trace that takes more memory than there is exits with 74, with the estimate")
    func tooLarge() throws {
        try folder.write(log(version: 1, events: []), to: "x.json")
        // A hole that is larger than any machine's memory; it is never read.
        #expect(truncate(folder.path("x.json"), 8_000_000_000_000) == 0)
        let run = try CommandRun("table", "x.json", in: folder)
        #expect(run.status == 74 && run.text == "")
        #expect(run.error.hasPrefix("opviz: x.json: reading it takes about 4000 GB of memory, and "))
        #expect(run.error.hasSuffix(" are available\n") && run.error.count { $0 == "\n" } == 1)
    }

    @Test("a file in place of a folder of the output exits with 73, and nothing is left")
    func cannotCreate() throws {
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        try expect(
            CommandRun("trace.json", "-o", "trace.json/a.svg", in: folder), status: 73,
            says: "trace.json/a.svg: cannot be created: Not a directory")
        #expect(try folder.names == ["trace.json"])
    }

    @Test(
        "an output that cannot be written exits with 74",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func full() throws {
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        try expect(
            CommandRun("trace.json", "-o", "/dev/full", "--format", "svg", in: folder), status: 74,
            says: "/dev/full: cannot be written: No space left on device")
        let table = try CommandRun(
            "table", "trace.json", in: folder, output: FileHandle(forWritingAtPath: "/dev/full"))
        try expect(table, status: 74, says: "standard output: No space left on device")
    }

    @Test("the trace's own name as output exits with 64, and the trace is untouched")
    func overwriting() throws {
        let trace = try recordedTrace()
        try trace.write(to: URL(filePath: folder.path("trace.json")))
        try expect(
            CommandRun("table", "trace.json", "-o", "./trace.json", in: folder), status: 64,
            says: "./trace.json: would overwrite the trace; choose another name with -o")
        #expect(try folder.read("trace.json") == trace)
    }

    @Test("an unknown file ending exits with 64")
    func unknownFormat() throws {
        try expect(
            CommandRun("trace.json", "-o", "a.bmp", in: folder), status: 64,
            says:
                "a.bmp: unknown format; end the name with .svg, .png, .pdf, .dot, .mmd, .md or .json, "
                + "or give --format"
        )
    }

    @Test(
        "an ending that names no form of a trace exits with 64, and nothing is written",
        arguments: [
            ("convert x.json", "x.txt", ".json or .optrace"), ("merge x.json", "x", ".json or .optrace"),
            ("compact x.json", "y.json", ".optrace"),
        ])
    func unknownForm(command: String, output: String, endings: String) throws {
        try folder.write(log(version: 1, events: []), to: "x.json")
        try expect(
            CommandRun(command.split(separator: " ").map(String.init) + ["-o", output], in: folder),
            status: 64, says: "\(output): unknown format; end the name with \(endings)")
        #expect(try folder.names == ["x.json"])
    }

    @Test(
        "an unknown command exits with 64, with a suggestion",
        arguments: [
            ("lnit x.json", "no command 'lnit'; did you mean 'lint'?"),
            ("lnit", "no command 'lnit'; did you mean 'lint'?"),
            ("frobnicate x.json", "no command 'frobnicate'; opviz help lists the commands"),
            ("history sho", "no command 'history sho'; did you mean 'show'?"),
            ("x.json lint", "the command comes before the trace: opviz lint x.json"),
        ])
    func unknownCommand(arguments: String, sentence: String) throws {
        try folder.write(log(version: 1, events: []), to: "x.json")
        try expect(
            CommandRun(arguments.split(separator: " ").map(String.init), in: folder), status: 64,
            says: sentence)
    }

    @Test("a file without an ending is drawn, even if its name resembles a command")
    func plainName() throws {
        try recordedTrace().write(to: URL(filePath: folder.path("lnit")))
        #expect(try CommandRun("lnit", in: folder).status == 0)
    }

    @Test("a missing file exits with 66, with a suggestion of a trace beside it")
    func nearFile() throws {
        try folder.write("", to: "trace.json")
        try expect(
            CommandRun("table", "trcae.json", in: folder), status: 66,
            says: "trcae.json: no such file; did you mean 'trace.json'?")
        try expect(
            CommandRun("table", "trace.jsn", in: folder), status: 66,
            says: "trace.jsn: no such file; did you mean 'trace.json'?")
    }

    @Test(
        "a value that an option does not have exits with 64, with the nearest",
        arguments: [
            ("table x.json --by knid", "'--by <by>'; did you mean 'kind'? Please provide one of the"),
            ("table x.json --sort nme", "'--sort <sort>'; did you mean 'name'? Please provide one of the"),
            ("graph x.json --window 5s..1s", ": it ends before it begins; swap the two: 1s..5s\n"),
            ("timeline x.json --window soon", ": expected two times, each with its unit, such as 1.2s..3.4s"),
        ])
    func optionValue(arguments: String, sentence: String) throws {
        let run = try CommandRun(arguments.split(separator: " ").map(String.init), in: folder)
        #expect(run.status == 64)
        #expect(run.error.contains(sentence), "\(run.error)")
    }

    @Test(
        "a trace without operations gets one line that says so and what to check, in every command",
        arguments: [
            "graph", "timeline", "report", "table", "explain", "critical-path", "whatif", "lint", "convert",
            "anonymize", "baseline", "export --format chrome", "diff x.json",
        ])
    func noOperations(command: String) throws {
        try folder.write(log(version: 1, events: []), to: "x.json")
        let run = try CommandRun(
            command.split(separator: " ").map(String.init) + ["x.json"], in: folder)
        let note = "opviz: note: x.json: no operations were recorded; check that "
        let lines = run.error.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix(note) } == (command == "diff x.json" ? 2 : 1), "\(run.error)")
        #expect(command != "explain" || lines.count == 1)
    }

    @Test(
        "a call without arguments, or with an unknown one, exits with 64",
        arguments: [[], ["--nonsense", "x.json"]])
    func usage(arguments: [String]) throws {
        let run =
            arguments.isEmpty
            ? try CommandRun(in: folder) : try CommandRun(arguments[0], arguments[1], in: folder)
        #expect(run.status == 64)
        #expect(run.error.lowercased().contains("usage: opviz"))
    }

    @Test("a name that would command the terminal is shown, not obeyed")
    func hostileName() throws {
        try expect(
            CommandRun("\u{1b}[31m.json", in: folder), status: 66,
            says: #"\u{1b}[31m.json: no such file"#)
    }

    @Test(
        "arguments that would command the terminal, or GitHub, are shown in what is wrong with them",
        arguments: [
            ["timeline", "x.json", "-o", "%.bmp"], ["table", "x.json", "%"], ["table", "--%", "x.json"],
            ["table", "-%", "x.json"], ["table", "x.json", "--by=%"],
            ["timeline", "x.json", "--window", "%"],
            ["history", "%"], ["export", "x.json", "--label", "%"], ["--generate-completion-script", "%"],
            ["help", "%"], ["explain", "trace.json", "%"], ["graph", "trace.json", "--queue", "%"],
            ["merge", "%"], ["record", "--", "./%"],
        ])
    func hostileArguments(arguments: [String]) throws {
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        let hostile = "a\u{1b}[31m\r\u{202e}\n  ::error::b"
        let run = try CommandRun(
            arguments.map { $0.replacingOccurrences(of: "%", with: hostile) }, in: folder)
        #expect(run.status != 0)
        let lines = run.error.components(separatedBy: "\n")
        #expect(lines.allSatisfy { TerminalText.escaped($0) == $0 }, "\(run.error)")
        #expect(
            lines.allSatisfy { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("::") }, "\(run.error)")
    }

    @Test("what is wrong with arguments keeps its own lines")
    func ownLines() throws {
        let run = try CommandRun("graph", "x\u{1b}.json", "--format", "y\n", in: folder)
        #expect(run.error.contains(#"The value 'y\n' is invalid for '--format <format>'"#))
        #expect(run.error.contains("\n  - svg\n"))
    }

    @Test("the name of a file that was written is printed safely")
    func hostileOutput() throws {
        try recordedTrace().write(to: URL(filePath: folder.path("a\n::b\u{1b}.json")))
        for command in ["graph", "convert", "report"] {
            let run = try CommandRun(command, "a\n::b\u{1b}.json", in: folder)
            #expect(run.status == 0 && run.text.contains(#"a\n::b\u{1b}."#), "\(command): \(run.text)")
        }
    }

    @Test("if the reader has gone, a command ends quietly with its usual exit code")
    func unread() throws {
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        for command in [
            "--help", "--version", "help stuck", "history", "record --help", "table trace.json",
            "--generate-completion-script bash", "--experimental-dump-help", "timeline trace.json",
        ] {
            // The reader is gone before anything is written.
            let shell = try ProgramRun(
                [
                    "sh", "-c", "{ sleep 0.05; \"$0\" \(command); echo $? >&2; } | true",
                    CommandRun.program.path,
                ], in: folder)
            #expect(shell.error == "0\n", "\(command)")
        }
        let full = FileHandle(forWritingAtPath: "/dev/full")
        #expect(try CommandRun("--help", in: folder, output: full).status == (full == nil ? 0 : 74))
    }

    @Test("if standard error is not read, the picture is still drawn")
    func unheard() throws {
        let trace = try recordedTrace()
        try trace.prefix(trace.count * 2 / 3).write(to: URL(filePath: folder.path("cut.json")))
        for end in ["2>&-", "2>/dev/full", "2>&1 >/dev/null | true"] {
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", "\"$0\" cut.json \(end)", CommandRun.program.path]
            shell.currentDirectoryURL = folder.url
            shell.standardOutput = FileHandle.nullDevice
            try shell.run()
            shell.waitUntilExit()
            #expect(shell.terminationReason == .exit && shell.terminationStatus == 0, "\(end)")
            #expect(try folder.names == ["cut.json", "cut.svg"], "\(end)")
            try FileManager.default.removeItem(atPath: folder.path("cut.svg"))
        }
    }

    @Test("a trace that is cut off is rendered as far as possible, with a warning that says what was lost")
    func truncated() throws {
        let trace = try recordedTrace()
        try trace.prefix(trace.count * 2 / 3).write(to: URL(filePath: folder.path("cut.json")))
        let run = try CommandRun("cut.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error.hasPrefix("opviz: warning: cut.json: the file is cut off at byte"))
        #expect(run.error.contains("whole events before that were kept"))
        #expect(run.text.contains("never finished"))
        #expect(try folder.names == ["cut.json", "cut.svg"])
    }
}
