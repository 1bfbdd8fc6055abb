import EventLog
import TestTraces
import Testing

@Suite("A traceparent of W3C Trace Context")
struct TraceContextTests {
    private static let valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("a traceparent is read and written as the specification's example has it")
    func example() throws {
        let context = try #require(TraceContext(traceparent: Self.valid))
        #expect(context.span.traceText == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(context.span.spanText == "00f067aa0ba902b7")
        #expect(context.flags == 1 && context.traceparent == Self.valid)
    }

    @Test("a traceparent of a later version is read up to the fields of this version")
    func later() {
        for suffix in ["", "-more", "-"] {
            #expect(
                TraceContext(traceparent: "cc" + Self.valid.dropFirst(2) + suffix)?.traceparent == Self.valid)
        }
        #expect(TraceContext(traceparent: "cc" + Self.valid.dropFirst(2) + ".more") == nil)
    }

    @Test(
        "a traceparent that is invalid is nil",
        arguments: [
            "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
            "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0é",
        ])
    func invalid(text: String) { #expect(TraceContext(traceparent: text) == nil) }

    @Test("a trace context names another span for each operation, and continues the parent process's trace")
    func identifiers() throws {
        let own = SpanIdentifiers(host: "h", process: "p", processID: 1, start: 5)
        #expect(Set((0..<10_000).map { own.span($0).span }).count == 10_000)
        let cause = try #require(TraceContext(traceparent: Self.valid))
        let child = SpanIdentifiers(host: "h", process: "p", processID: 1, start: 5, cause: cause)
        #expect(child.span(3).traceText == cause.span.traceText && child.span(3).span == own.span(3).span)
    }
}
