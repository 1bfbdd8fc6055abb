import ArgumentParser
import Inspector

/// A stretch of time as somebody writes it: `1.2s..3.4s`, times since the start of the trace. Either end may
/// be left out.
struct TimeWindow: ExpressibleByArgument {
    let range: ClosedRange<Int64>

    init?(argument: String) {
        guard let range = GraphFilter.window(argument) else { return nil }
        self.range = range
    }
}
