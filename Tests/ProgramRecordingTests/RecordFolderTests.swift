import Foundation
import Testing

@testable import ProgramRecording

#if os(Linux)
    @Suite final class RecordFolderTests {
        private let temporary: String

        init() throws { temporary = try TemporaryFolder.make("opviz-test") }

        deinit { try? FileManager.default.removeItem(atPath: temporary) }

        private func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: temporary)
        }

        @Test func consecutiveRecordingsHaveTheSamePathAndLeaveNothing() throws {
            let first = try RecordFolder(in: temporary)
            first.remove()
            #expect(try names() == [])
            let second = try RecordFolder(in: temporary)
            #expect(second.path == first.path)
            second.remove()
            #expect(try names() == [])
        }

        @Test func simultaneousRecordingsHaveDifferentPaths() throws {
            let first = try RecordFolder(in: temporary)
            let second = try RecordFolder(in: temporary)
            #expect(second.path != first.path)
            first.remove()
            // The other one is still there.
            let third = try RecordFolder(in: temporary)
            #expect(third.path == first.path)
            second.remove()
            third.remove()
            #expect(try names() == [])
        }

        @Test func thePathOfARecordingThatCrashedIsUsedAgain() throws {
            let path = "\(temporary)/opviz-\(geteuid())/1"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data().write(to: URL(fileURLWithPath: path + "/socket"))
            let folder = try RecordFolder(in: temporary)
            #expect(folder.path == path)
            #expect(access(folder.socket, F_OK) != 0)
            folder.remove()
            #expect(try names() == [])
        }

        // What it starts would take part in the next recording.
        @Test func thePathOfARecordingThatLeftAProcessRunningIsNotUsed() throws {
            let first = try RecordFolder(in: temporary)
            let left = Process()
            left.executableURL = URL(fileURLWithPath: "/bin/sleep")
            left.arguments = ["60"]
            left.environment = [RecordFolder.variable: first.socket]
            try left.run()
            // The kernel lets the parent go on before the child has its environment.
            let environment = URL(filePath: "/proc/\(left.processIdentifier)/environ")
            for _ in 0..<10_000 where try Data(contentsOf: environment).isEmpty { usleep(1_000) }
            first.remove()
            let second = try RecordFolder(in: temporary + "//.")
            #expect(second.path != first.path)
            second.remove()
            #expect(try names() == [])
            kill(left.processIdentifier, SIGKILL)
            left.waitUntilExit()
            let third = try RecordFolder(in: temporary)
            #expect(third.path == first.path)
            third.remove()
        }

        @Test func aFolderThatOthersCanChangeIsNotUsed() throws {
            let shared = "\(temporary)/opviz-\(geteuid())"
            mkdir(shared, 0o700)
            chmod(shared, 0o777)
            let folder = try RecordFolder(in: temporary)
            #expect(!folder.path.hasPrefix(shared + "/"))
            folder.remove()
            #expect(try names() == ["opviz-\(geteuid())"])
        }

        @Test func aLinkToAFolderIsNotUsed() throws {
            let elsewhere = try TemporaryFolder.make("opviz-test")
            defer { rmdir(elsewhere) }
            let link = "\(temporary)/opviz-\(geteuid())"
            symlink(elsewhere, link)
            let folder = try RecordFolder(in: temporary)
            #expect(!folder.path.hasPrefix(link + "/"))
            folder.remove()
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == [])
        }
    }
#endif
