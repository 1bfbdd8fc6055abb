import Foundation
import Inspector
import OpsTesting
import Testing

/// An operation of a sketched run; times in nanoseconds.
struct Sketch {
    var name: String
    var kind = "Work"
    var start: Int64?
    var finish: Int64?
}

/// A run of operations that were all enqueued at 0, from the text of a trace: no clock is asked.
func sketchedRun(startingAt wallClock: Int64 = 0, host: String = "box", _ operations: [Sketch]) throws
    -> RecordedRun
{
    func microseconds(_ nanoseconds: Int64) -> String {
        let digits = String(nanoseconds % 1000)
        return "\(nanoseconds / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
    }
    let end = operations.compactMap { max($0.start ?? 0, $0.finish ?? 0) }.max() ?? 0
    var events: [String] = []
    for (index, operation) in operations.enumerated() {
        let head =
            "\"cat\": \"op\", \"name\": \"\(operation.kind)\", \"pid\": 7, \"tid\": 1, \"id2\": {\"local\": "
            + "\"0x\(index + 1)\"}"
        func event(_ phase: String, _ time: Int64, _ args: String) {
            events.append(
                "{\(head), \"ph\": \"\(phase)\", \"ts\": \(microseconds(time)), \"args\": {\(args)}}")
        }
        event("b", 0, "\"event\": \"enqueued\", \"queue\": \"0x1\", \"name\": \"\(operation.name)\"")
        event("n", 0, "\"event\": \"ready\"")
        if let start = operation.start { event("n", start, "\"event\": \"executing\"") }
        if let finish = operation.finish {
            event("e", finish, "\"event\": \"finished\", \"outcome\": \"succeeded\"")
        }
    }
    let header =
        "\"format\": \"opviz-trace\", \"version\": 1, \"process\": \"p\", \"pid\": \"7\", \"host\": "
        + "\"\(host)\", "
        + "\"start\": \"\(wallClock)\", \"closed\": true, \"dropped\": \"0\", \"lastAlive\": "
        + "\"\(microseconds(end))\""
    let path = NSTemporaryDirectory() + "opviz-test-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("{\"otherData\": {\(header)}, \"traceEvents\": [\(events.joined(separator: ",\n"))]}".utf8)
        .write(to: URL(filePath: path))
    return RecordedRun(try TraceReader(path: path).read(), named: "sketch")
}

/// What `body` tells Swift Testing, as its failures' messages.
func failures(_ body: () -> Void) -> [String] {
    let messages = Messages()
    withKnownIssue(isIntermittent: true) {
        body()
    } matching: { issue in
        messages.add(issue.comments.first?.rawValue ?? "\(issue)")
        return true
    }
    return messages.all
}

private final class Messages: @unchecked Sendable {
    private let lock = NSLock()
    private var messages: [String] = []

    func add(_ message: String) { lock.withLock { messages.append(message) } }

    var all: [String] { lock.withLock { messages } }
}
