import EventLog

extension LogHeader {
    /// What a log itself reports as missing, one sentence each.
    ///
    /// - Parameters:
    ///   - count: how many events were read.
    ///   - end: the end of the file in bytes, if it is within something.
    ///   - isRunning: whether the program is known to be still running. Nil if that is unknown.
    ///   - isEndSeen: whether the caller saw the program end, and reports it. Then this does not report that
    ///     the log was not closed.
    func losses(
        of count: Int, end: Int? = nil, isRunning: Bool? = nil, isEndSeen: Bool = false
    ) -> [String] {
        var losses: [String] = []
        if !isClosed, !processes.isEmpty {
            let names = zip(processes, ProcessNames(processes).titles).filter { !$0.0.isClosed }
                .map { "\($1), last known alive at \(DurationFormat.text(nanoseconds: $0.lastAlive))" }
            losses.append(
                "\(Prose.grouped(names.count)) of \(Prose.grouped(processes.count)) logs "
                    + "\(names.count == 1 ? "was" : "were") not closed: "
                    + Prose.list(names.prefix(3), of: names.count))
        } else if !isClosed, !isEndSeen, endingSignal == nil {
            let reason =
                switch isRunning {
                case true?: "the program is still running"
                case false?: "the program was killed, or ended by _exit"
                case nil: "the program was killed, or is still running"
                }
            let end = end.map { ", and ends at byte \(Prose.grouped($0))" } ?? ""
            losses.append(
                "the log was not closed\(end): \(reason); it was last known alive "
                    + "\(DurationFormat.text(nanoseconds: lastAlive)) after the start, "
                    + "and \(Prose.counted(count, "whole event was", "whole events were")) read")
        }
        if droppedEvents > 0 {
            losses.append("the recorder could not write \(Prose.counted(droppedEvents, "event"))")
        }
        return losses
    }

    /// How the program ended, where a signal ended it before its log was closed, and the log says so.
    func ending(besides losses: [String]) -> [String] {
        guard let endingSignal, !isClosed else { return [] }
        return [SignalName.ending(endingSignal, isComplete: losses.isEmpty)]
    }
}
