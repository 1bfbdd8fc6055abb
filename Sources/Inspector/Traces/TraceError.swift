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
        /// What it holds is no trace, or is damaged before the first whole event.
        public static let notATrace = Code(value: .notATrace)
        /// What it holds is no baseline, or not as one is written.
        public static let notABaseline = Code(value: .notABaseline)
        /// It was written by a newer version of this package.
        public static let newerVersion = Code(value: .newerVersion)
        /// There is not the memory that it would take.
        public static let tooLarge = Code(value: .tooLarge)
        /// It is a trace, and cannot be merged with the others: times or causes contradict each other.
        public static let cannotBeMerged = Code(value: .cannotBeMerged)
    }

    /// What to decide by: the reason is for people.
    public var code: Code
    /// The file, as it was named to the reader.
    public var path: String
    /// Bytes from the start of the file, where there is a place to point at.
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
