import EventLog
import Foundation

/// Reads an event log from a file.
///
/// A log may be truncated anywhere, as when a program dies, or damaged. The reader reads everything that is
/// complete, and `losses` reports the rest.
public struct TraceReader: Sendable {
    /// The file's path for errors.
    public let path: String
    private let memoryLimit: Int?

    /// - Parameter memoryLimit: bytes that reading and analysis may take together; nil for the available
    ///   memory.
    public init(path: String, memoryLimit: Int? = nil) {
        self.path = path
        self.memoryLimit = memoryLimit
    }

    /// Reads the log and creates a trace from it. Linear in the size of the file.
    ///
    /// - Throws: `TraceError` if the file is missing, unreadable or not a trace, or if it is estimated to
    ///   need more memory than is available.
    public func read() throws(TraceError) -> Trace {
        let builder = TraceBuilder()
        return builder.finish(try file(for: .trace).read(into: builder))
    }

    /// Reads the log as events. Linear in the size of the file. The kind of a closure becomes the function
    /// that contains it, if the file with its code still exists and has the build ID in the log.
    ///
    /// - Throws: `TraceError` if the file is missing, unreadable or not a trace, or if it is estimated to
    ///   need more memory than is available.
    public func events() throws(TraceError) -> EventLogContents {
        let collector = EventCollector()
        var contents = collector.contents(try file(for: .events).read(into: collector))
        var names = CodeNames()
        names.nameOperations(in: &contents)
        return contents
    }

    /// Reads the log once, to pass its events on in a second reading.
    ///
    /// - Throws: `TraceError` as for ``events()``.
    package func surveyed() throws(TraceError) -> SurveyedLog { try SurveyedLog(file(for: .copy)) }

    /// Reads the log as events that are not values.
    ///
    /// - Throws: `TraceError` as for ``events()``.
    package func stored() throws(TraceError) -> StoredLog { try StoredLog(file(for: .events)) }

    /// Opens the file.
    private func file(for use: MemoryNeed.Use) throws(TraceError) -> TraceFile {
        do throws(TraceError) {
            return try TraceFile(path: path, for: use, memoryLimit: memoryLimit)
        } catch {
            // A recorder writes the binary form first, and converts it when it closes the log.
            let spool = path + ".optrace"
            guard error.code == .noSuchFile, access(spool, F_OK) == 0 else { throw error }
            let file = try TraceFile(path: spool, for: use, memoryLimit: memoryLimit)
            file.notes.append("the file does not exist yet; read \(spool) instead")
            return file
        }
    }

    /// The events of a binary log in memory; `path` is its name for errors.
    ///
    /// - Parameters:
    ///   - isRunning: whether the program is known to be still running.
    ///   - isEndSeen: whether the caller knows how the program ended, and reports it. Then an unclosed log is
    ///     not a loss.
    /// - Throws: `TraceError` if it is not a log.
    package func events(
        ofMemory bytes: [UInt8], isRunning: Bool, isEndSeen: Bool = false
    ) throws(TraceError) -> EventLogContents {
        let collector = EventCollector()
        return try bytes.withUnsafeBufferPointer { (buffer) throws(TraceError) in
            collector.contents(
                try BinaryLogFile.read(
                    UnsafeRawBufferPointer(buffer), path: path, isRunning: isRunning, isEndSeen: isEndSeen,
                    into: collector))
        }
    }
}
