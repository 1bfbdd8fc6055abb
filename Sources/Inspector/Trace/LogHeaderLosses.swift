import EventLog

extension LogHeader {
    /// What a log says itself of what is missing in it, one sentence each.
    ///
    /// - Parameters:
    ///   - count: how many events were read.
    ///   - end: where the file ends, in bytes, if that is within something.
    func losses(of count: Int, end: Int? = nil) -> [String] {
        var losses: [String] = []
        if !isClosed {
            let end = end.map { ", and ends at byte \($0)" } ?? ""
            losses.append(
                "the log was not closed\(end): the program was killed, or is still running; it was last known alive "
                    + "\(DurationFormat.text(nanoseconds: lastAlive)) after the start, "
                    + "and \(count) whole events were read")
        }
        if droppedEvents > 0 { losses.append("the recorder could not write \(droppedEvents) events") }
        return losses
    }
}
