/// Why a program cannot be recorded, in one sentence.
package struct RecordingError: Error {
    package enum Reason {
        /// What was asked for is invalid, or this system does not offer it.
        case usage
        /// A part of opviz is missing, or of another version.
        case incomplete
        case cannotCreate
        case notRunnable
        case missing
    }

    package let reason: Reason
    package let sentence: String

    init(_ reason: Reason, _ sentence: String) {
        self.reason = reason
        self.sentence = sentence
    }
}
