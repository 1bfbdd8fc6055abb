import Foundation
import Inspector
import Testing

@Suite("opviz record leaves real programs as they are", .needsRecording)
struct RecordRealProgramsTests {
    /// Times, paths, and lines of progress, whose order is the machine's.
    private func essence(_ text: String, of folder: Folder) -> String {
        text.replacing(folder.url.path, with: "…").replacing(/\d+\.\d+ ?s(econds)?/, with: "…s")
            .split(separator: "\n").filter { !$0.hasPrefix("[") }.joined(separator: "\n")
    }

    @Test(
        "swift package resolve and swift build give the same output, and the compiler driver's operations",
        .needs("swift"))
    func packageManager() throws {
        let (alone, observed) = (try Folder(), try Folder())
        for folder in [alone, observed] { try TestPackage.write(into: folder) }
        for command in ["package resolve", "build"] {
            let swift =
                ["swift"] + command.split(separator: " ").map(String.init) + ["--package-path", "App"]
            let plain = try ProgramRun(swift, in: alone)
            let recorded = try RecordedRun(swift, in: observed, output: "traces/")
            #expect(plain.status == 0 && recorded.run.status == 0, "\(command): \(recorded.run.error)")
            #expect(essence(recorded.run.output, of: observed) == essence(plain.output, of: alone))
            #expect(
                essence(recorded.run.error, of: observed).hasPrefix(essence(plain.error, of: alone)),
                "\(command)")
            // Without a network the package manager adds nothing to its queues; the driver that it starts
            // does.
            let drivers = recorded.traces.filter { $0.key.hasPrefix("swiftc-") }
            #expect(!drivers.isEmpty, "\(command)")
            for (name, trace) in drivers {
                #expect(!trace.operations.isEmpty && trace.losses == [], "\(name)")
                // An operation notifies the driver that all is done, and the driver may exit before that
                // operation has finished.
                let others = trace.operations.filter {
                    $0.outcome != .succeeded && ($0.outcome != nil || $0.executing == nil)
                }
                #expect(others.isEmpty, "\(name): \(others)")
                #expect(
                    trace.operations.allSatisfy { $0.name?.contains("(SwiftDriver") == true })
            }
        }
    }

    @Test("the operations that tests add under swift test are in a trace", .needs("swift"))
    func tests() throws {
        let folder = try Folder()
        try TestPackage.write(into: folder)
        let recorded = try RecordedRun(
            ["swift", "test", "--package-path", "Tested", "--disable-xctest"], in: folder, output: "traces/")
        #expect(recorded.run.status == 0, "\(recorded.run.output) \(recorded.run.error)")
        let traces = recorded.traces.values.filter { $0.operations.contains { $0.name == "in a test" } }
        #expect(traces.count == 1)
        #expect(traces.first?.finishedNames.contains("in a test") == true)
    }

    @Test(
        "sourcekit-lsp gives the same answers, and adds no operation to any queue for them",
        .needs("sourcekit-lsp"))
    func languageServer() throws {
        func message(_ text: String) -> String { "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" }
        func talk(_ conversation: Conversation) throws {
            try conversation.say(
                message(
                    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"#
                        + #""rootUri":null,"capabilities":{}}}"#
                ))
            conversation.hear(#""id":1"#)
            try conversation.say(message(#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#))
            try conversation.say(message(#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#))
            conversation.hear(#""id":2"#)
            try conversation.say(message(#"{"jsonrpc":"2.0","method":"exit"}"#))
        }
        // The members of an object come in any order.
        func answers(_ run: ProgramRun) throws -> [NSDictionary] {
            try run.output.split(separator: /Content-Length: \d+\r\n\r\n/).compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
            }.filter { $0["id"] != nil && $0["method"] == nil }
        }
        let plain = try ProgramRun(["sourcekit-lsp"], talk: talk)
        let recorded = try RecordedRun(["sourcekit-lsp"], talk: talk)
        #expect(recorded.run.status == plain.status)
        #expect(try answers(plain).count == 2)
        #expect(try answers(recorded.run) == answers(plain))
        #expect(recorded.traces.values.allSatisfy { $0.operations.isEmpty })
    }

    @Test("calls of URLSession's delegate run on its queue", .needsCompiler)
    func session() throws {
        let noProxy = ["no_proxy": "127.0.0.1", "http_proxy": ""]
        let recorded = try RecordedRun([TestProgram.fetch.path()], environment: noProxy)
        #expect(recorded.run.output == "delegate's hello\ndone\n")
        #expect(recorded.run.status == 0)
        let operations = try recorded.trace().operations(on: "delegate's")
        #expect(operations.count >= 2)
        #expect(operations.allSatisfy { $0.name?.contains("FoundationNetworking") == true })
    }

    @Test("a hundred short processes without Foundation have no trace, and the same output")
    func shell() throws {
        let script = "for i in $(seq 100); do /bin/echo line $i; /bin/sleep 0; done; /bin/false"
        let plain = try ProgramRun(["sh", "-c", script])
        let recorded = try RecordedRun(["sh", "-c", script])
        #expect(recorded.run.output == plain.output && plain.lines.count == 100)
        #expect(recorded.run.status == 1)
        #expect(
            recorded.run.error.hasPrefix("opviz: nothing was recorded: opviz saw no program with Foundation")
        )
        #expect(recorded.traces.isEmpty)
    }

    @Test("a program that embeds Ops is recorded once: its own recorder yields")
    func embedded() throws {
        let victim = CommandRun.program.deletingLastPathComponent().appending(path: "RecordingVictim").path
        try #require(access(victim, X_OK) == 0, "RecordingVictim was not built")
        let folder = try Folder()
        let recorded = try RecordedRun(
            [victim, "parent"], in: folder, environment: ["OPVIZ_TRACE": folder.path("own.json")])
        #expect(recorded.run.status == 0 && recorded.run.error == "")
        // It starts a child that does the same.
        #expect(recorded.traces.count == 2)
        let parent = recorded.traces.values.first { $0.finishedNames.count == 3 }
        let names = ["after", "before", "while"]
        #expect(parent?.finishedNames.sorted() == names)
        #expect(try folder.names == [])
        #expect(recorded.traces.values.contains { $0.finishedNames.count == 1_000 })
    }

    @Test("a program that itself records every queue continues to do so")
    func observing() throws {
        let victim = CommandRun.program.deletingLastPathComponent().appending(path: "RecordingVictim").path
        try #require(access(victim, X_OK) == 0, "RecordingVictim was not built")
        let folder = try Folder()
        let recorded = try RecordedRun([victim, "every-queue", folder.path("own.json")], in: folder)
        #expect(recorded.run.status == 0)
    }
}

/// Packages that need no network: App, which needs two others, and Tested.
private enum TestPackage {
    static func write(into folder: Folder) throws {
        for name in ["First", "Second"] {
            try write(
                into: folder, name,
                manifest:
                    #"products: [.library(name: "\#(name)", targets: ["\#(name)"])], targets: "#
                    + #"[.target(name: "\#(name)")]"#,
                file: "Sources/\(name)/\(name).swift", text: "public let \(name.lowercased()) = 1\n")
        }
        try write(
            into: folder, "App",
            manifest:
                #"dependencies: [.package(path: "../First"), .package(path: "../Second")], targets: "#
                + #"[.executableTarget(name: "App", dependencies: ["First", "Second"])]"#,
            file: "Sources/App/main.swift", text: "import First\nimport Second\nprint(first + second)\n")
        try write(
            into: folder, "Tested", manifest: #"targets: [.testTarget(name: "TestedTests")]"#,
            file: "Tests/TestedTests/Tests.swift",
            text: """
                import Foundation
                import Testing

                @Test func adds() {
                    let operation = BlockOperation {}
                    operation.name = "in a test"
                    OperationQueue().addOperations([operation], waitUntilFinished: true)
                    #expect(operation.isFinished)
                }

                """)
    }

    private static func write(
        into folder: Folder, _ name: String, manifest: String, file: String, text: String
    ) throws {
        let path = "\(name)/\(file)"
        try FileManager.default.createDirectory(
            atPath: (folder.path(path) as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try folder.write(text, to: path)
        try folder.write(
            "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: "
                + "\"\(name)\", \(manifest))\n",
            to: "\(name)/Package.swift")
    }
}
