import EventLog

/// The processes of a Chrome trace that another program wrote: each `pid`, by what its metadata call it.
struct ChromeProcesses {
    /// By track its process.
    let ofTrack: [Int32]
    let processes: [LogProcess]

    /// - Parameters:
    ///   - start: of the trace, nanoseconds since 1970-01-01T00:00:00Z; 0 where that is not known.
    ///   - fallback: the name of the process if the file has only one and does not name it.
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
            // A text that is not a number is a name in itself.
            let other = order.count == 1 ? fallback : number == nil ? text : ""
            return LogProcess(
                process: events.processNames[identifier].map { events.texts[$0] } ?? other,
                processID: number ?? 0, host: "", start: start, isClosed: true)
        }
    }
}
