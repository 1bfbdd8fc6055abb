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
        /// The file could not be written completely; the log has the number of lost events.
        public static let writeFailed = Code(value: .writeFailed)
    }

    /// Use this to decide what to do: the reason is for people.
    public var code: Code
    /// The path of the log.
    public var path: String
    /// The operating system's reason.
    public var reason: String

    public var description: String { "\(path): \(reason)" }
}
