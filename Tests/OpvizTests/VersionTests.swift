import EventLog
import Foundation
import Testing

@Suite("The version")
struct VersionTests {
    @Test("the version is that of the changelog's last release, and opviz --version says it")
    func changelog() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../CHANGELOG.md")
        let changelog = try String(contentsOf: url, encoding: .utf8)
        let release = try #require(changelog.firstMatch(of: /\n## \[(\d+\.\d+\.\d+)\]/))
        #expect(release.1 == LogHeader.ownRecorder)
        #expect(try CommandRun("--version", in: Folder()).text == LogHeader.ownRecorder + "\n")
    }
}
