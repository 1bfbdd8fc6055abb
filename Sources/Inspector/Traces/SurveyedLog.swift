package import EventLog

/// A log that was read once. Its events can be passed on without keeping them in memory.
package struct SurveyedLog {
    /// What the first reading has found.
    package let log: ReadLog
    /// Whether anything was added to a queue.
    package let hasOperations: Bool
    /// Whether a Swift task was recorded.
    package let hasTasks: Bool
    /// Whether a context came from another process.
    package let hasReceivedContexts: Bool
    /// Whether the file contains the binary form of a log, whatever its name is.
    package var isBinary: Bool { file.form != .json }
    private let file: TraceFile
    private let names: CodeNames?

    init(_ file: TraceFile) throws(TraceError) {
        let survey = LogSurvey()
        log = try file.read(into: survey)
        (hasOperations, hasTasks) = (survey.hasOperations, survey.hasTasks)
        hasReceivedContexts = survey.hasReceivedContexts
        self.file = file
        names = survey.names()
    }

    /// Passes the events to `consumer`. Linear in the size of the file. The kind of a closure becomes the
    /// function that contains it, if the file with its code still exists and has the build ID in the log.
    ///
    /// - Returns: what this reading has found: more, if the program is still running.
    /// - Throws: `TraceError` if the file cannot be read any more.
    @discardableResult
    package func pass(to consumer: any EventConsumer) throws(TraceError) -> ReadLog {
        try file.read(into: names.map { NamedEvents($0, before: consumer) } ?? consumer)
    }
}
