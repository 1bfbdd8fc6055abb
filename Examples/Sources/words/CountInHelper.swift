import Foundation
import Ops

/// Counts the words of texts in a child process: this program with `--count`. What the child does is caused
/// by this operation, since it finds the operation's `traceparent` in its environment.
///
/// Cancelling it ends the child. If the child fails, the operation fails with the child's message.
final class CountInHelper: SynchronousOperation<[String: Int]>, @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let texts: SynchronousOperation<[URL]>
    private let program: URL
    private let logs: String?
    private let recorder: Recorder
    private let lock = NSLock()
    private var child: Process?

    /// - Parameters:
    ///   - program: what is run with `--count` and the texts' paths.
    ///   - logs: the folder, ending in `/`, for the child's log; nil for the one in `OPVIZ_TRACE`.
    init(
        _ texts: SynchronousOperation<[URL]>, program: URL, logs: String?, recorder: Recorder = .shared
    ) {
        self.texts = texts
        self.program = program
        self.logs = logs
        self.recorder = recorder
        super.init(name: "count in helper")
        addDependency(texts)
    }

    override func cancel() {
        super.cancel()
        lock.withLock { if child?.isRunning == true { child?.terminate() } }
    }

    override func run() throws -> [String: Int] {
        let child = Process()
        child.executableURL = program
        child.arguments = ["--count"] + (try texts.get().map(\.path))
        var environment = ProcessInfo.processInfo.environment
        if let logs { environment["OPVIZ_TRACE"] = logs }
        environment["TRACEPARENT"] = recorder.traceparent(of: self)
        child.environment = environment
        let output = Pipe()
        child.standardOutput = output
        try lock.withLock {
            try checkCancellation()
            try child.run()
            self.child = child
        }
        let counts = try output.fileHandleForReading.readToEnd() ?? Data()
        child.waitUntilExit()
        try checkCancellation()
        guard child.terminationStatus == 0 else {
            throw Failure(description: "the helper ended with status \(child.terminationStatus)")
        }
        return try JSONDecoder().decode([String: Int].self, from: counts)
    }
}
