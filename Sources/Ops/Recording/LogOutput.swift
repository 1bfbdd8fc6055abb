import Foundation

/// Encodes events and writes them, and keeps the account of what was lost.
final class LogOutput: Sendable {
    private struct State {
        var header: LogHeader
        var encoder: JSONLogEncoder
        /// Events that were encoded and could not be written.
        var unwrittenEvents: UInt64 = 0
        var failure: RecorderError?
    }

    let path: String
    private let file: LogFile
    private let state: Locked<State>

    /// Creates the file and writes the header.
    ///
    /// - Parameter start: wall-clock nanoseconds since 1970 at the origin of the log's times.
    init(path: String, start: Int64) throws(RecorderError) {
        let header = LogHeader(
            process: ProcessInfo.processInfo.processName, processID: getpid(), host: Self.hostName,
            start: start)
        file = try LogFile(path: path)
        try file.append(header.jsonPrologue())
        self.path = file.path
        state = Locked(State(header: header, encoder: JSONLogEncoder(header: header)))
    }

    /// Writes `events` and brings the header up to date. After the first failure nothing more is written, so that
    /// the log ends with a whole event or within one, and never goes on behind a gap.
    ///
    /// - Parameters:
    ///   - dropped: how many events never came here, since the start.
    ///   - time: a moment at which the program is alive, in nanoseconds since the start.
    func write(_ events: [LogEvent], dropped: UInt64, aliveAt time: Int64) {
        state.withLock { state in
            for event in events { state.encoder.encode(event) }
            let bytes = state.encoder.takeBytes()
            if state.failure == nil {
                do throws(RecorderError) {
                    try file.append(bytes)
                    state.header.lastAlive = time
                } catch {
                    state.failure = error
                }
            }
            if state.failure != nil { state.unwrittenEvents += UInt64(events.count) }
            state.header.droppedEvents = dropped + state.unwrittenEvents
            // The header lies in blocks that the file has already, so this works on a full disk too.
            try? file.replaceStart(with: state.header.jsonPrologue())
        }
    }

    /// Ends the log. Gives back the first failure there was.
    func end() -> RecorderError? {
        state.withLock { state in
            guard state.failure == nil else { return state.failure }
            do throws(RecorderError) {
                try file.append(JSONLogEncoder.epilogue)
                state.header.isClosed = true
                try file.replaceStart(with: state.header.jsonPrologue())
                return nil
            } catch {
                return error
            }
        }
    }

    private static var hostName: String {
        // `ProcessInfo.hostName` may ask a name server.
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
