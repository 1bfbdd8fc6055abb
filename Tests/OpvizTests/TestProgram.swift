import Foundation
import Testing

/// A program of Tests/Programs, compiled with `swiftc -O` or `clang -O2` the first time that a test of a run
/// wants it.
struct TestProgram: Sendable {
    static let endings = TestProgram("Endings", "-parse-as-library")
    static let queues = TestProgram("Queues")
    static let fetch = TestProgram("Fetch")
    static let finishes = TestProgram("Finishes")
    static let executions = TestProgram("Executions")
    static let plans = TestProgram("Plans")
    static let use = TestProgram("Use")
    static let calculations = TestProgram("Calculations", "-Xcc", "-fno-omit-frame-pointer")
    static let barriers = TestProgram(
        "Barriers", "-parse-as-library", "-package-name", "opviz", with: ["TestTraces/BarrierCases"])
    static let staticCalculations = TestProgram(
        "Calculations", "-static-stdlib", "-Xcc", "-fno-omit-frame-pointer")
    static let staticQueues = TestProgram("Queues", "-static-stdlib")
    static let staticFinishes = TestProgram("Finishes", "-static-stdlib")
    static let staticEndings = TestProgram("Endings", "-parse-as-library", "-static-stdlib")
    static let tasks = TestProgram("Tasks", "-parse-as-library")
    static let stuck = TestProgram("Stuck", "-parse-as-library")
    static let taskPlans = TestProgram("TaskPlans", "-parse-as-library")
    static let otherRuntime = TestProgram("OtherRuntime.c", "-shared", "-fPIC")
    static let plugin = TestProgram("Plugin", "-parse-as-library", "-emit-library")
    static let pluginHost = TestProgram("PluginHost.c")
    static let staticTasks = TestProgram("Tasks", "-parse-as-library", "-static-stdlib")

    static let refuse = TestProgram("Refuse.c")
    static let storm = TestProgram("Storm.c", "-pthread")
    static let staticStorm = TestProgram("Storm.c", "-pthread", "-static")
    static let library = TestProgram("Library.c", "-shared", "-fPIC", "-fno-omit-frame-pointer")

    /// The name of its file; that of a Swift program has no extension.
    private let source: String
    private let flags: [String]
    /// Sources that it shares with tests, by their paths in Tests.
    private let shared: [String]

    private init(_ source: String, _ flags: String..., with shared: [String] = []) {
        self.source = source
        self.flags = flags
        self.shared = shared
    }

    /// Where it is.
    func path() throws -> String { try Self.workshop.path(of: self) }

    static let canCompile = Executable.find("swiftc") != nil

    /// Whether there is a Swift to link statically.
    static let canLinkStatically: Bool = {
        guard let compiler = Executable.find("swiftc") else { return false }
        let usr = URL(filePath: compiler).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent()
        return FileManager.default.fileExists(
            atPath: usr.appending(path: "lib/swift_static/linux/libFoundation.a").path)
    }()

    private static let workshop = Workshop()

    /// Compiles each program once, whichever tests ask for it at the same time.
    private final class Workshop: @unchecked Sendable {
        // Sound because `results` is touched with the lock held alone.
        private let lock = NSLock()
        private var results: [String: Result<String, any Error>] = [:]
        private let folder = Result { try Folder() }

        init() {
            // Swift Testing has no hook for the end of all tests.
            atexit { TestProgram.workshop.clear() }
        }

        func clear() { try? FileManager.default.removeItem(at: folder.get().url) }

        func path(of program: TestProgram) throws -> String {
            lock.lock()
            defer { lock.unlock() }
            let name = program.source + (program.flags.contains { $0.hasPrefix("-static") } ? "-static" : "")
            if let known = results[name] { return try known.get() }
            let result = Result { try compile(program, named: name) }
            results[name] = result
            return try result.get()
        }

        private func compile(_ program: TestProgram, named name: String) throws -> String {
            let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            let product = try folder.get().path(name)
            let isC = program.source.hasSuffix(".c")
            let sources = (["Programs/\(program.source)"] + program.shared).map {
                tests.appending(path: isC ? $0 : $0 + ".swift").path
            }
            let compiler =
                isC
                ? ["clang", "-O2"] : ["swiftc", "-O", "-swift-version", "6", "-module-name", program.source]
            let run = try ProgramRun(compiler + program.flags + sources + ["-o", product])
            try #require(run.status == 0, "\(program.source) cannot be compiled: \(run.error)")
            return product
        }
    }
}

/// Programs of this machine.
enum Executable {
    static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
