/// Why a trace, or a baseline, could not be read.
public struct TraceError: Error, Sendable, CustomStringConvertible {
    /// An open set: new codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value {
            case noSuchFile, unreadable, notATrace, notABaseline, newerVersion, tooLarge, cannotBeMerged
        }
        let value: Value

        /// No file has that name.
        public static let noSuchFile = Code(value: .noSuchFile)
        /// The operating system refused to read it.
        public static let unreadable = Code(value: .unreadable)
        /// The file is not a trace, or it is damaged before the first complete event.
        public static let notATrace = Code(value: .notATrace)
        /// The file is not a baseline, or not written as one.
        public static let notABaseline = Code(value: .notABaseline)
        /// It was written by a newer version of this package.
        public static let newerVersion = Code(value: .newerVersion)
        /// Reading it would take more memory than is available.
        public static let tooLarge = Code(value: .tooLarge)
        /// It is a trace that cannot be merged with the others, because times or causes contradict each
        /// other.
        public static let cannotBeMerged = Code(value: .cannotBeMerged)
    }

    /// Use this to decide what to do: the reason is for people.
    public var code: Code
    /// The path of the file, as it was passed to the reader.
    public var path: String
    /// The position of the error in bytes from the start of the file, if there is one.
    public var offset: Int?
    /// What was expected and what was found, without the file's name.
    public var reason: String

    package init(_ code: Code, path: String, offset: Int? = nil, reason: String) {
        self.code = code
        self.path = path
        self.offset = offset
        self.reason = reason
    }

    /// One sentence: file, offset, reason.
    public var description: String {
        if let offset { return "\(path): at byte \(Prose.grouped(offset)): \(reason)" }
        return "\(path): \(reason)"
    }
}
