import ArgumentParser
import Inspector

/// A time window as users write it: `1.2s..3.4s`, times since the start of the trace. Either end may be left
/// out.
struct TimeWindow {
    let range: ClosedRange<Int64>

    /// - Throws: `ValidationError` with the reason.
    init(_ text: String) throws {
        if let range = GraphFilter.window(text) {
            self.range = range
            return
        }
        if let dots = text.firstRange(of: "..") {
            let swapped = "\(text[dots.upperBound...])..\(text[..<dots.lowerBound])"
            if GraphFilter.window(swapped) != nil {
                throw ValidationError("it ends before it begins; swap the two: \(swapped)")
            }
        }
        throw ValidationError("expected two times, each with its unit, such as 1.2s..3.4s, 250ms.. or ..2min")
    }
}
