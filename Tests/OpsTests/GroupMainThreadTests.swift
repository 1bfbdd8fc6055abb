import Foundation
import Testing

@Suite("A group that is started on the main thread")
struct GroupMainThreadTests {
    @Test("a group started on the main thread prepares there once, with one body, and ends without a wait")
    func mainThread() throws {
        let program = Process()
        program.executableURL = CrashTests.products.appending(path: "RecordingVictim")
        program.arguments = ["main-thread-groups"]
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        let started = ["queued", "by hand", "on the main queue"].flatMap { title in
            [
                "\(title) prepares on the main thread true", "\(title) child on the main thread false",
                "\(title) finished",
            ]
        }
        let observed = ["watched finished", "watched bodies 1"]
        #expect(
            text.split(separator: "\n").map(String.init) == observed + started + [
                "stuck true true true", "end",
            ])
    }
}
