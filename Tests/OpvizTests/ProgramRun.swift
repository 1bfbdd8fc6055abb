import Foundation
import Inspector
import Testing

/// A run of any program, from its beginning to its end.
struct ProgramRun {
    /// Negative for a signal.
    let status: Int32
    let output: String
    let error: String

    /// - Parameters:
    ///   - command: the program, as a shell would look for it, and its arguments.
    ///   - environment: what is added to that of the tests.
    ///   - talk: is given both ends of the conversation while the program runs; its standard input is empty
    ///     without.
    init(
        _ command: [String], in folder: Folder? = nil, environment: [String: String] = [:],
        talk: ((Conversation) throws -> Void)? = nil
    ) throws {
        let scratch = try Folder()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = (folder ?? scratch).url
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = talk == nil ? FileHandle.nullDevice : input
        process.standardOutput = output
        // A file, which unlike a pipe never fills up without a reader.
        try scratch.write("", to: "error")
        process.standardError = FileHandle(forWritingAtPath: scratch.path("error"))
        try Self.unmasked { try process.run() }
        // A program that hangs fails the test, and not the run of all tests.
        let guardian = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: guardian)
        defer { guardian.cancel() }
        let conversation = Conversation(
            process: process.processIdentifier, input: input.fileHandleForWriting,
            output: output.fileHandleForReading)
        do {
            try talk?(conversation)
        } catch {
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
        try? input.fileHandleForWriting.close()
        self.output = conversation.readToEnd()
        process.waitUntilExit()
        error = try Self.withoutStolenTime(String(decoding: scratch.read("error"), as: UTF8.self))
        status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// What `opviz record` notes of the host of a virtual machine depends on what else that host does;
    /// `StolenTimeTests` has what it says.
    private static func withoutStolenTime(_ error: String) -> String {
        error.replacing(#/opviz: note: the host of this virtual machine took [^\n]*\n/#, with: "")
    }

    /// Tests run on threads that block signals, and a program would inherit that.
    private static func unmasked(_ body: () throws -> Void) rethrows {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    var lines: [Substring] { output.split(separator: "\n") }
}

/// The ends of a running program's standard input and output.
final class Conversation {
    let process: Int32
    private let input: FileHandle
    private let output: FileHandle
    private var heard = Data()

    init(process: Int32, input: FileHandle, output: FileHandle) {
        self.process = process
        self.input = input
        self.output = output
    }

    func say(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }

    /// Reads until that many lines were heard, or the program closes its output.
    func hear(lines count: Int) {
        var missing = count - heard.count { $0 == 10 }
        while missing > 0 {
            let more = output.availableData
            guard !more.isEmpty else { return }
            missing -= more.count { $0 == 10 }
            heard += more
        }
    }

    /// Reads until `text` was heard, or the program closes its output.
    func hear(_ text: String) {
        while heard.range(of: Data(text.utf8)) == nil {
            let more = output.availableData
            guard !more.isEmpty else { return }
            heard += more
        }
    }

    /// The first line.
    func hearLine() -> String {
        hear(lines: 1)
        return String(decoding: heard.prefix { $0 != 10 }, as: UTF8.self)
    }

    fileprivate func readToEnd() -> String {
        heard += output.readDataToEndOfFile()
        return String(decoding: heard, as: UTF8.self)
    }
}

/// A run under `opviz record`, in a folder of its own.
struct RecordedRun {
    let run: ProgramRun
    /// By the names of their files, without `.json`.
    let traces: [String: Trace]

    /// - Parameters:
    ///   - output: a name in the folder `records`, which is beside the one that the program runs in.
    init(
        _ command: [String], in folder: Folder? = nil, output: String = "trace.json",
        options: [String] = [], environment: [String: String] = [:],
        talk: ((Conversation) throws -> Void)? = nil
    ) throws {
        let records = try Folder()
        let opviz = [CommandRun.program.path, "record", "-q", "-o", records.path(".") + "/" + output]
        run = try ProgramRun(
            opviz + options + ["--"] + command, in: folder, environment: environment, talk: talk)
        var traces: [String: Trace] = [:]
        let files = FileManager.default.enumerator(atPath: records.url.path)?.compactMap { $0 as? String }
        for file in files ?? [] where file.hasSuffix(".json") {
            let name = URL(filePath: file).deletingPathExtension().lastPathComponent
            traces[name] = try TraceReader(path: records.path(file)).read()
        }
        self.traces = traces
    }

    /// The trace of a run that left one.
    func trace(sourceLocation: SourceLocation = #_sourceLocation) throws -> Trace {
        try #require(
            traces.count == 1 ? traces.first?.value : nil,
            "\(traces.count) traces; \(run.error)", sourceLocation: sourceLocation)
    }

    /// Whether the library that is loaded into programs was built; `make test` does that.
    static let isPossible: Bool = {
        #if os(Linux)
            var folder = CommandRun.program
            return (0..<4).contains { _ in
                folder.deleteLastPathComponent()
                return access(folder.appending(path: "libopviz-record.so").path, R_OK) == 0
            }
        #else
            return false
        #endif
    }()
}

extension Trait where Self == ConditionTrait {
    static var needsRecording: Self {
        .enabled(if: RecordedRun.isPossible, "opviz record is offered on Linux, after make record-library")
    }

    static var needsCompiler: Self { .enabled(if: TestProgram.canCompile, "there is no swiftc") }

    static func needs(_ programs: String...) -> Self {
        .enabled(
            if: programs.allSatisfy { Executable.find($0) != nil },
            "needs \(programs.joined(separator: ", "))")
    }
}

extension Trace {
    /// The names of the operations that were added and have finished.
    var finishedNames: [String] {
        operations.filter { $0.finished != nil && $0.enqueued != nil }.compactMap(\.name)
    }

    func operation(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> TracedOperation
    {
        let found = operations.filter { $0.name == name }
        try #require(found.count == 1, "\(found.count) × \(name)", sourceLocation: sourceLocation)
        return found[0]
    }

    /// The operations of the queue of that name.
    func operations(on queue: String) -> [TracedOperation] {
        operations.filter { $0.queue.map { queues[$0].name } == queue }
    }
}
