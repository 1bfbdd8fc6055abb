import Foundation
import TestTraces
import Testing

@testable import opviz

@Suite("Exit codes")
struct ExitStatusTests {
    @Test("exit codes are in the documentation as they are in the program")
    func documented() throws { try Golden("../../Documentation/ExitCodes.md").expect(ExitStatus.markdown) }

    @Test("exit codes are lines of at most 80 columns in help, each with its number in front")
    func help() {
        let lines = ExitStatus.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        for status in ExitStatus.allCases {
            #expect(lines.count { $0.split(separator: " ").first == "\(status.rawValue)" } == 1)
        }
    }
}
