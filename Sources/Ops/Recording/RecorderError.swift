/// Why a recorder could not start, or could not finish its log.
public struct RecorderError: Error, Sendable, CustomStringConvertible {
    /// An open set: new codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value { case alreadyRecording, cannotCreate, writeFailed }
        let value: Value

        /// `start` was called while the recorder was writing another log.
        public static let alreadyRecording = Code(value: .alreadyRecording)
        /// The file could not be opened for writing.
        public static let cannotCreate = Code(value: .cannotCreate)
        /// The file could not be written to the end; the log says how many events it lost.
        public static let writeFailed = Code(value: .writeFailed)
    }

    /// What to decide by: the reason is for people.
    public var code: Code
    /// The log that was to be written.
    public var path: String
    /// The operating system's reason.
    public var reason: String

    public var description: String { "\(path): \(reason)" }
}
