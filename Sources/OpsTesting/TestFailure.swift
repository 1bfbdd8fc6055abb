import EventLog
import Testing
import XCTest

/// Tells the framework whose test is running what went wrong.
enum TestFailure {
    /// Fails the test that is running.
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

    /// A test that started a detached task is current no more in it; `swift test` runs the tests of each
    /// framework in a process of its own, and says in its arguments which.
    static var isSwiftTesting: Bool {
        if Test.current != nil { return true }
        let arguments = CommandLine.arguments
        return zip(arguments, arguments.dropFirst()).contains { $0 == ("--testing-library", "swift-testing") }
    }
}
