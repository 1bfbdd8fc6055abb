import EventLog

/// The processes of a Chrome trace of another program: one for each `pid`, named by the trace's metadata.
struct ChromeProcesses {
    /// The process of each track.
    let ofTrack: [Int32]
    let processes: [LogProcess]

    /// - Parameters:
    ///   - start: the start of the trace, in nanoseconds since 1970-01-01T00:00:00Z; 0 if unknown.
    ///   - fallback: the name of the process if the file has only one and does not name it, not even in
    ///     place of its number.
    init(_ events: ChromeEvents, start: Int64, fallback: String) {
        var indices: [InternedTexts.Number: Int32] = [:]
        var order: [InternedTexts.Number] = []
        ofTrack = events.tracks.map { track in
            if let known = indices[track.process] { return known }
            let index = Int32(order.count)
            indices[track.process] = index
            order.append(track.process)
            return index
        }
        processes = order.map { identifier in
            let text = events.texts[identifier]
            let number = Int32(text)
            // A text that is not a number serves as the name.
            let isNamed = number == nil && !text.isEmpty
            let other = isNamed ? text : order.count == 1 ? fallback : ""
            return LogProcess(
                process: events.processNames[identifier].map { events.texts[$0] } ?? other,
                processID: number ?? 0, host: "", start: start, isClosed: true)
        }
    }
}
