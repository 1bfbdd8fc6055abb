import EventLog
public import Foundation

/// Edges to other processes, by [W3C Trace Context](https://www.w3.org/TR/trace-context/): the context that
/// an operation sends along with a request or to a child process, and the context that the receiver got.
/// `opviz merge` turns them into edges.
extension Recorder {
    /// The context for work that another process does for `operation`: the value of a request's `traceparent`
    /// header, or of `TRACEPARENT` in the environment of a child process.
    ///
    /// ```swift
    /// request.setValue(Recorder.shared.traceparent(of: self), forHTTPHeaderField: "traceparent")
    /// process.environment = ProcessInfo.processInfo.environment
    /// process.environment?["TRACEPARENT"] = Recorder.shared.traceparent(of: self)
    /// ```
    ///
    /// It names the same span as `opviz export --format otlp` of this log. Call this when you send it: the
    /// log records the time, and nothing that it causes can be earlier.
    ///
    /// Any thread. Under `opviz record`, the shared recorder uses that log, even if the program also records
    /// itself.
    ///
    /// - Returns: nil while nothing is recorded.
    public func traceparent(of operation: Operation) -> String? {
        if let outside { return outside.sendContext(of: operation)?.traceparent }
        guard let writer else { return nil }
        let id = writer.identify(operation)
        writer.append(.contextSent(id))
        return TraceContext(writer.log.identifiers.span(id.rawValue)).traceparent
    }

    /// Says that an operation of another process caused `operation`, which is about to be added to a queue.
    /// It may have several such causes.
    ///
    /// Any thread. Does nothing while nothing is recorded.
    ///
    /// - Parameter traceparent: the value as it was received.
    /// - Returns: false if it is not a `traceparent` by W3C's rules; it is then ignored, as they require.
    @discardableResult
    public func addRemoteCause(_ traceparent: String, to operation: Operation) -> Bool {
        guard let context = TraceContext(traceparent: traceparent) else { return false }
        if let writer {
            let id = writer.identify(operation)
            writer.append(.contextReceived(id, traceparent: context.traceparent))
        }
        outside?.receive(context, for: operation)
        return true
    }
}
