import Foundation
import Testing

@Suite("The environment variables")
struct EnvironmentVariablesTests {
    /// Which the last release reads. One is removed only as Documentation/Stability.md says.
    private static let promised: Set = [
        "OPVIZ_ATTACHMENTS", "OPVIZ_AWAIT_STACKS", "OPVIZ_CPU", "OPVIZ_OBSERVE", "OPVIZ_PROFILE",
        "OPVIZ_RECORD_BASELINES", "OPVIZ_TASKS", "OPVIZ_TRACE", "OPVIZ_TRACE_LIMIT",
    ]
    /// With which `opviz record` and its library talk to each other.
    private static let ownOfRecord: Set = ["OPVIZ_RECORD", "OPVIZ_RECORD_PROBE"]

    private func names(in text: String, quoted: Bool) -> Set<String> {
        let matches = quoted ? text.matches(of: /"(OPVIZ_[A-Z_]+)"/) : text.matches(of: /\b(OPVIZ_[A-Z_]+)\b/)
        return Set(matches.map { String($0.output.1) })
    }

    @Test("the environment variables are those of their page, and none of the last release is missing")
    func documented() throws {
        let sources = Repository.url.appending(path: "Sources")
        var read: Set<String> = []
        let files = FileManager.default.enumerator(atPath: sources.path)
        for case let name as String in try #require(files)
        where name.hasSuffix(".swift") || name.hasSuffix(".c") {
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            read.formUnion(names(in: text, quoted: true))
        }
        read.subtract(Self.ownOfRecord)
        let page = Repository.url.appending(path: "Documentation/Environment.md")
        #expect(read == names(in: try String(contentsOf: page, encoding: .utf8), quoted: false))
        #expect(Self.promised.subtracting(read) == [])
    }
}
