import EventLog
import Foundation
import Testing

/// A run of the program `opviz` that was built with the tests.
struct CommandRun {
    let status: Int32
    let output: Data
    let error: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// - Parameters:
    ///   - output: where standard output goes; nil collects it.
    init(_ arguments: String..., in folder: Folder, output: FileHandle? = nil) throws {
        try self.init(arguments, in: folder, output: output)
    }

    init(_ arguments: [String], in folder: Folder, output: FileHandle? = nil) throws {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = output ?? out
        process.standardError = err
        try process.run()
        if output == nil {
            self.output = out.fileHandleForReading.readDataToEndOfFile()
        } else {
            self.output = Data()
        }
        error = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// The products lie beside the test bundle.
    static let program: URL = {
        #if canImport(Darwin)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
            let products = bundle?.deletingLastPathComponent() ?? Bundle.main.bundleURL
        #else
            let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
                .deletingLastPathComponent()
        #endif
        return products.appending(path: "opviz")
    }()
}

/// A folder that is there for one test.
final class Folder: Sendable {
    let url: URL

    init() throws {
        url = URL(filePath: NSTemporaryDirectory()).appending(path: "opviz-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    /// Writes a log as JSON.
    func write(_ contents: EventLogContents, to name: String) throws {
        try contents.json.write(to: URL(filePath: path(name)))
    }

    /// The log of a process that was still alive after 1 ms, with an event each microsecond.
    func write(hung bodies: [LogEvent.Body], to name: String) throws {
        let header = LogHeader(
            process: "test", processID: 7, host: "box", start: 0, isClosed: false, lastAlive: 1_000_000)
        let events = bodies.enumerated().map { LogEvent(time: Int64($0) * 1_000, thread: 1, $1) }
        try write(EventLogContents(header: header, events: events), to: name)
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

/// A trace that a run of the example `quotes` left: 101 operations.
func recordedTrace() throws -> Data {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces/quotes.json")
    return try Data(contentsOf: url)
}

extension EventLogContents {
    /// The log as JSON.
    var json: Data {
        var encoder = JSONLogEncoder(header: header)
        for event in events { encoder.encode(event) }
        return Data(header.jsonPrologue() + encoder.takeBytes() + JSONLogEncoder.epilogue)
    }
}
