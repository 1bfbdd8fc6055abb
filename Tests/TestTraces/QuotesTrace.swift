package import InspectorAnalysis

/// Two downloads at a time, one store, a failure and a cancellation, in milliseconds.
package func quotes() -> Trace {
    let ms: Int64 = 1_000_000
    var result = trace(limit: 2, suspensions: [2 * ms..<3 * ms]) {
        op("all pages", kind: "Group", ready: 0, start: 1 * ms, finish: 230 * ms)
        op("page 1", kind: "Download", enqueued: ms, ready: ms, start: 4 * ms, finish: 80 * ms)
            .inside("all pages")
        op("page 2", kind: "Download", enqueued: ms, ready: ms, start: 82 * ms, finish: 150 * ms)
            .inside("all pages")
        op("parse 1", kind: "Parse", enqueued: ms, ready: 80 * ms, finish: 161 * ms)
            .starting(within: 150 * ms...151 * ms).after("page 1").inside("all pages")
        op(
            "parse 2", kind: "Parse", enqueued: ms, ready: 150 * ms, start: 162 * ms, finish: 171 * ms,
            outcome: .failed(message: "bad JSON")
        ).after("page 2").inside("all pages")
        op("store 2", kind: "Store", enqueued: ms, ready: 171 * ms, finish: 172 * ms, outcome: .cancelled)
            .after("parse 2").inside("all pages")
        op("store 1", kind: "Store", enqueued: ms, ready: 161 * ms, start: 173 * ms, finish: 230 * ms)
            .after("parse 1").inside("all pages")
    }
    result.header.process = "quotes"
    return result
}
