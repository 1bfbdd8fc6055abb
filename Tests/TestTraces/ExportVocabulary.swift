import Foundation
import InspectorAnalysis
package import InspectorExport
package import InspectorTraces

/// The bytes that an export writes, in one.
package func exported(_ write: (_ emit: ([UInt8]) -> Void) -> Void) -> String {
    var bytes: [UInt8] = []
    write { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
}

/// The trace of a moment in 2026.
package func dated(_ trace: Trace) -> Trace {
    var trace = trace
    trace.header.start = 1_795_000_000_000_000_000
    return trace
}

/// A file with that text, read as a trace.
package func imported(_ text: String, named name: String = "imported") throws -> Trace {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name + ".json")
    try Data(text.utf8).write(to: file)
    return try TraceReader(path: file.path).read()
}

extension ExportedTrace {
    package init(_ trace: Trace) { self.init(TraceAnalysis(trace), run: "run") }
}

/// Everything that a trace can hold and that makes no sense.
package func senseless() -> Trace {
    var result = trace(lastAlive: 50) {
        op("<img onerror=\"x\">\u{1b}[31m\u{202e}", kind: "</script>\n\0", ready: 5, start: 10, finish: 2)
            .after("far", "self")
        op("far", enqueued: .max - 3, ready: .max - 2, start: .max - 1, finish: .max).after("early")
        op("early", enqueued: .min, ready: .min, start: .min, finish: .min + 1)
        op("self", start: 20).after("far", "self", "unseen").inside("self")
        op("unseen", enqueued: nil)
        op("a", enqueued: 10, ready: 10, start: 10, finish: 10, outcome: .failed(message: "\"\0\u{1b}"))
            .after("b").inside("b")
        op("b", enqueued: 10, ready: 10, start: 10, finish: 10, outcome: .cancelled).after("a").inside("a")
        op(String(repeating: "long, ", count: 2_000), ready: 0)
        op("", kind: "")
    }
    result.changeOperations { drafts in
        drafts[6].thread = nil
        drafts[5].thread = .max
        drafts[8].parent = 1_000
        drafts[8].queue = 77
        drafts[0].priority = .max
        drafts[0].cancelled = TraceMoment(notBefore: .max, notAfter: .min)
    }
    result.edges.append(Trace.Edge(predecessor: 3, successor: 999))
    result.edges.append(Trace.Edge(predecessor: -1, successor: 0))
    result.marks = [
        TraceMark(time: .min, thread: .max, text: "\0,\"", operation: 999),
        TraceMark(time: .max, thread: 1, text: "=1", operation: 0),
    ]
    result.blockingWaits = [
        BlockingWait(target: .operation(999), operation: -1, thread: 1, start: .max, end: .min),
        BlockingWait(target: .queue(999), thread: 1, start: .min),
    ]
    result.repeatedTransitions = [.init(transition: .finished, operation: 999, time: .max)]
    result.header.start = .max
    result.header.processID = .min
    result.header.process = ""
    return result
}
