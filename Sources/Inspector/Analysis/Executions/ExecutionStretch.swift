/// A part of an execution that lies in one piece.
package struct ExecutionStretch: Hashable, Sendable {
    package var part: ExecutionParts.Part
    /// Nanoseconds since the start of the trace.
    package var start: Int64
    package var end: Int64
}

extension [ExecutionStretch] {
    /// Prolongs the last stretch if it is of the same part; adds nothing that is empty.
    mutating func append(_ part: ExecutionParts.Part, from start: Int64, to end: Int64) {
        guard start < end else { return }
        if let last, last.part == part, last.end == start {
            self[count - 1].end = end
        } else {
            append(ExecutionStretch(part: part, start: start, end: end))
        }
    }
}

extension ExecutionParts {
    /// The parts one after the other, when their true order is not known.
    func inUsualOrder(from start: Int64) -> [ExecutionStretch] {
        var (stretches, begin): ([ExecutionStretch], Int64) = ([], start)
        for part in Part.allCases {
            stretches.append(part, from: begin, to: begin + self[part])
            begin += self[part]
        }
        return stretches
    }
}
