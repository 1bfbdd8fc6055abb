import Foundation
import Testing

@testable import ProgramRecording

#if os(Linux)
    @Suite struct ProcessTreeTests {
        /// A shell, and a program that it has started and waits for.
        private func shell() throws -> Process {
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", "sleep 60; true"]
            try shell.run()
            return shell
        }

        @Test func theNewestProcessIsTheOneThatTheOthersWaitFor() throws {
            let shell = try shell()
            defer { ProcessTree(of: shell.processIdentifier).signal(SIGKILL) }
            // It has begun the program a moment later; both may have started in the same tick.
            for _ in 0..<200 {
                let tree = ProcessTree(of: shell.processIdentifier)
                if tree.members.count == 2, let newest = tree.newest,
                    ProcessTree.program(newest) == "sleep"
                {
                    #expect(newest != shell.processIdentifier)
                    #expect(ProcessTree.parent(of: newest) == shell.processIdentifier)
                    return
                }
                usleep(10_000)
            }
            Issue.record("it started nothing")
        }

        @Test func aProcessThatHasEndedIsNotTheNewest() throws {
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            // The program ends, and nobody asks how.
            shell.arguments = ["-c", "sleep 0 & exec sleep 60"]
            try shell.run()
            defer { kill(shell.processIdentifier, SIGKILL) }
            for _ in 0..<200 {
                let tree = ProcessTree(of: shell.processIdentifier)
                if tree.members.contains(where: \.hasEnded) {
                    #expect(tree.newest == shell.processIdentifier)
                    return
                }
                usleep(10_000)
            }
            Issue.record("nothing ended")
        }
    }
#endif
