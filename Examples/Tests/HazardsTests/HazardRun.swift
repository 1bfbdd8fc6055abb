import Foundation
import Inspector

/// A run of one of the programs in `hazards`, from its beginning to its end, and what it left.
struct HazardRun {
    /// Negative for a signal.
    let status: Int32
    /// The last line that it printed.
    let verdict: String
    let log: EventLogContents
    let trace: Trace

    /// - Parameter way: `wrong` or `right`.
    init(_ id: String, _ way: String) async throws {
        let path = NSTemporaryDirectory() + "hazards-\(UUID().uuidString).json"
        // A program that crashes leaves the log as it was being written.
        defer { for name in [path, path + ".optrace"] { try? FileManager.default.removeItem(atPath: name) } }
        let run = try await Self.program([id, way], environment: ["OPVIZ_TRACE": path])
        status = run.status
        verdict = run.output.split(separator: "\n").last.map(String.init) ?? ""
        log = try TraceReader(path: path).events()
        trace = Trace(log)
    }

    /// Runs `hazards`, or another program beside the tests. Uses a separate thread, because servers of other
    /// tests use those of the pool.
    ///
    /// - Parameter folder: where it runs and writes its files.
    static func program(
        _ arguments: [String], of name: String = "hazards", environment: [String: String] = [:],
        in folder: URL? = nil
    ) async throws -> (status: Int32, output: String) {
        try await withCheckedThrowingContinuation { ended in
            Thread.detachNewThread {
                ended.resume(with: Result { try wait(for: name, arguments, environment, folder) })
            }
        }
    }

    private static func wait(
        for name: String, _ arguments: [String], _ environment: [String: String], _ folder: URL?
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = products.appending(path: name)
        if let folder { process.currentDirectoryURL = folder }
        process.arguments = arguments
        // The crashes are intended, so their backtraces are switched off.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        // A program that hangs fails the test, and not the run of all tests.
        let guardian = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: guardian)
        defer { guardian.cancel() }
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let status =
            process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        return (status, String(decoding: said, as: UTF8.self))
    }

    private static let products: URL = {
        #if canImport(Darwin)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
            return bundle?.deletingLastPathComponent() ?? Bundle.main.bundleURL
        #else
            return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        #endif
    }()
}

extension HazardRun {
    /// The runs of the task of that name.
    func task(_ name: String) -> ArraySlice<TraceTasks.Run>? {
        let tasks = trace.tasks
        return tasks.entries.indices.first { tasks.texts[tasks.entries[$0].name] == name }.map(tasks.runs)
    }
}

extension HazardRun {
    /// The stays of tasks on executors that took longer than this time, in nanoseconds.
    func stays(longer time: Int64) -> [ExecutorTenures.Tenure] {
        ExecutorTenures.stays(trace.tasks) { _, _ in true }.filter { $0.end - $0.start > time }
    }
}

extension Trace {
    /// The operation of that name: the first, where there are several.
    subscript(name: String) -> TracedOperation? { operations.first { $0.name == name } }

    func hasEdge(from predecessor: String, to successor: String) -> Bool {
        edges.contains {
            operations[$0.predecessor].name == predecessor && operations[$0.successor].name == successor
        }
    }

    /// The operations that were added in the body of the one of that name.
    func children(of name: String) -> [TracedOperation] {
        operations.filter { $0.parent.map { operations[$0].name } == name }
    }

    func mark(_ text: String) -> TraceMoment? {
        marks.first { $0.text == text }.map { TraceMoment($0.time) }
    }
}

/// Whether both happened, and the one before the other for certain.
func happened(_ first: TraceMoment?, before second: TraceMoment?) -> Bool {
    guard let first, let second else { return false }
    return first.notAfter <= second.notBefore
}
