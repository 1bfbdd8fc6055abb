import EventLog
import Testing
import XCTest

/// Reports failures to the framework whose test is running.
enum TestFailure {
    /// Fails the current test.
    static func record(_ sentence: String, at place: CallSite) {
        if isSwiftTesting {
            Issue.record(Comment(rawValue: sentence), sourceLocation: place.sourceLocation)
        } else {
            XCTFail(sentence, file: place.filePath, line: place.line)
        }
    }

    /// Reports information that is not a failure.
    static func note(_ sentence: String, at place: CallSite) {
        StandardError.write("\(place.filePath):\(place.line): note: \(sentence)\n")
    }

    /// Inside a detached task, `Test.current` is nil. `swift test` runs the tests of each framework in its
    /// own process, and the process's arguments say which framework.
    static var isSwiftTesting: Bool {
        if Test.current != nil { return true }
        let arguments = CommandLine.arguments
        return zip(arguments, arguments.dropFirst()).contains { $0 == ("--testing-library", "swift-testing") }
    }
}
