import Foundation
import Testing

@Suite("opviz help")
struct HelpCommandTests {
    @Test("opviz help of a command is the command's --help; without a subject it is that of opviz")
    func commands() throws {
        let folder = try Folder()
        #expect(
            try CommandRun("help", "lint", in: folder).text == CommandRun("lint", "--help", in: folder).text)
        #expect(
            try CommandRun("help", "history", "add", in: folder).text
                == CommandRun("history", "add", "--help", in: folder).text)
        #expect(try CommandRun("help", in: folder).text == CommandRun("--help", in: folder).text)
    }

    @Test("opviz without arguments prints what you can do with it, as its help does, and exits with 64")
    func overview() throws {
        let folder = try Folder()
        let run = try CommandRun(in: folder)
        #expect(run.status == 64)
        #expect(run.text == "")
        #expect(run.error.hasSuffix("\nUsage: opviz <trace> [<options>]\n       opviz <command> ...\n"))
        let help = try CommandRun("help", in: folder).text
        // Its first paragraph is the abstract, and its last the usage.
        for paragraph in run.error.components(separatedBy: "\n\n").dropFirst().dropLast() {
            #expect(help.contains("\n\(paragraph)\n"), "\(paragraph)")
        }
        let commands = help.matches(of: #/(?m)^  ([a-z][a-z-]*)(?: \(default\))? {2}/#).map { String($0.1) }
        #expect(commands.count == 24)
        for command in commands { #expect(run.error.contains("opviz \(command) "), "\(command)") }
    }

    @Test("opviz help of neither a command nor a topic names the topics, and exits with 64")
    func unknown() throws {
        let run = try CommandRun("help", "everything", in: Folder())
        #expect(run.status == 64)
        #expect(run.text == "")
        #expect(
            run.error.hasPrefix(
                "opviz: no command or topic named 'everything'; the topics are start, stuck, "))
    }

    @Test("opviz help of a name similar to a topic or command suggests it")
    func near() throws {
        for (name, meant) in [("stcuk", "stuck"), ("lnit", "lint")] {
            let run = try CommandRun("help", name, in: Folder())
            #expect(run.status == 64)
            #expect(run.error == "opviz: no command or topic named '\(name)'; did you mean '\(meant)'?\n")
        }
    }

    @Test("an option has the same help in all commands, but for its default and the forms of its files")
    func sameOptions() throws {
        /// Options that are not the same in these commands.
        let different: Set = [
            "record output", "demo output", "check format", "check strict", "graph label", "export label",
        ]
        var known: [String: DumpedHelp.Argument] = [:]
        for command in try DumpedHelp.commands() {
            for argument in command.arguments ?? [] where argument.abstract != nil {
                guard !different.contains("\(command.commandName) \(argument.name)") else { continue }
                let first = known[argument.name] ?? argument
                #expect(first.help == argument.help, "\(argument.name) of \(command.commandName)")
                #expect(first.valueName == argument.valueName, "\(argument.name) of \(command.commandName)")
                known[argument.name] = first
            }
        }
        #expect(known.count > 50)
    }

    @Test("opviz help lists every topic, and each fits 80 columns but for what commands print")
    func topics() throws {
        let list = try CommandRun("help", "help", in: Folder()).text
        for topic in try HelpExample.topics() {
            #expect(list.contains("\n\(topic): "))
            let text = try CommandRun("help", topic, in: Folder()).text
            for line in text.split(separator: "\n") where !line.hasPrefix("    ") {
                #expect(line.count <= 80, "\(topic): \(line)")
            }
        }
    }

    @Test(
        "topics are correct: each example runs, and prints what is below it", .needsRecording,
        .needsCompiler)
    func examples() throws {
        for topic in try HelpExample.topics() {
            let folder = try Self.exampleFolder()
            let examples = try HelpExample.of(topic)
            #expect(!examples.isEmpty, "\(topic) has no example")
            for example in examples {
                let run = try ProgramRun(
                    ["sh", "-c", example.command], in: folder, environment: Self.environment)
                #expect(run.status == 0, "\(topic): \(example.command): \(run.error)")
                #expect(
                    example.isWhatWasPrinted(run.output),
                    "\(topic): \(example.command) printed: \(run.output)")
                for file in example.outputs {
                    #expect(FileManager.default.fileExists(atPath: folder.path(file)), "\(topic): \(file)")
                }
            }
        }
    }

    private static var environment: [String: String] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return ["PATH": CommandRun.program.deletingLastPathComponent().path + ":" + path]
    }

    /// What the examples speak of: traces, folders of runs, and a program.
    static func exampleFolder() throws -> Folder {
        let folder = try Folder()
        for name in ["trace.json", "before.json", "after.json"] {
            try recordedTrace().write(to: URL(filePath: folder.path(name)))
        }
        let traces = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces")
        try FileManager.default.copyItem(
            at: traces.appending(path: "stuck.json"), to: URL(filePath: folder.path("stuck.json")))
        #expect(try CommandRun("convert", "stuck.json", "-o", "stuck.optrace", in: folder).status == 0)
        try SimulatedRuns().write(2, seed: 3, to: "traces", in: folder)
        try SimulatedRuns().write(20, seed: 1, to: "old", in: folder)
        try SimulatedRuns(second: 1_000).write(20, seed: 2, to: "new", in: folder)
        for name in ["app", "old-app"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(name), withDestinationPath: TestProgram.queues.path())
        }
        return folder
    }
}

/// The help of all commands, as `--experimental-dump-help` prints it.
private struct DumpedHelp: Decodable {
    struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
    }

    struct Argument: Decodable {
        struct Name: Decodable { let name: String }

        let preferredName: Name?
        let valueName: String?
        let abstract: String?

        /// Without hyphens; that of its value if it is not an option.
        var name: String { preferredName?.name ?? "<\(valueName ?? "")>" }

        /// Without what may differ between commands.
        var help: String {
            (abstract ?? "").replacing(#/ \(default: .*\)$/#, with: "").replacing(" (repeatable)", with: "")
                .replacing(#/^Output file, [^;]*;/#, with: "Output file;")
        }
    }

    let command: Command

    static func commands() throws -> [Command] {
        let dumped = try CommandRun("--experimental-dump-help", in: Folder()).output
        return try JSONDecoder().decode(Self.self, from: dumped).command.all
    }
}

/// A command in a topic of `opviz help`, and the lines below it.
private struct HelpExample {
    let command: String
    private(set) var lines: [String] = []

    static func topics() throws -> [String] {
        let text = try CommandRun("help", "help", in: Folder()).text
        let list = text.split(separator: "Topics:\n\n")[1].split(separator: "\n\n")[0]
        return list.split(separator: "\n").compactMap { $0.split(separator: ": ").first.map(String.init) }
    }

    static func of(_ topic: String) throws -> [Self] {
        var examples: [Self] = []
        var isOutput = false
        for line in try CommandRun("help", topic, in: Folder()).text.split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix("    $ ") {
                examples.append(Self(command: String(line.dropFirst(6))))
                isOutput = true
            } else if isOutput, line.hasPrefix("    ") {
                examples[examples.count - 1].lines.append(String(line.dropFirst(4)))
            } else {
                isOutput = false
            }
        }
        return examples
    }

    /// Whether the lines below the command match what it printed; `…` stands for any lines.
    func isWhatWasPrinted(_ output: String) -> Bool {
        guard !lines.isEmpty else { return true }
        let printed = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let gap = lines.firstIndex(of: "…") else { return lines + [""] == printed }
        return printed.starts(with: lines[..<gap]) && gap == lines.count - 1
    }

    /// The files that the command should write.
    var outputs: [String] {
        let words = command.split(separator: " ").map(String.init)
        return zip(words, words.dropFirst()).filter { $0.0 == "-o" }.map(\.1)
    }
}
