import Foundation
import Testing

@testable import EventLog

@Suite("A message on standard error")
struct StandardErrorTests {
    private func pipeEnds() -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        return (ends[0], ends[1])
    }

    private func isPending(_ signal: Int32) -> Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, signal) == 1
    }

    @Test("a message arrives whole, however long it is")
    func whole() {
        let (reader, writer) = pipeEnds()
        let text = String(repeating: "opviz: a sentence\n", count: 50_000)
        Thread.detachNewThread {
            StandardError.write(text, to: writer, waitingAtMost: -1)
            close(writer)
        }
        let handle = FileHandle(fileDescriptor: reader, closeOnDealloc: true)
        #expect(handle.readDataToEndOfFile() == Data(text.utf8))
    }

    @Test("a message raises no signal if the reader has gone, and leaves none pending where it is blocked")
    func gone() {
        let (reader, writer) = pipeEnds()
        close(reader)
        defer { close(writer) }
        // Like a program that blocks the signal; on a separate thread, whose mask affects no other test.
        let (done, wasPending) = (DispatchSemaphore(value: 0), LockedFlag())
        Thread.detachNewThread {
            StandardError.write("nobody reads", to: writer, waitingAtMost: -1)
            var held = sigset_t()
            sigemptyset(&held)
            sigaddset(&held, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &held, nil)
            StandardError.write("nobody reads", to: writer, waitingAtMost: -1)
            wasPending.set(isPending(SIGPIPE))
            done.signal()
        }
        done.wait()
        #expect(!wasPending.isSet)
    }

    @Test(
        "a message is dropped if the reader is stuck, whether the descriptor blocks or not",
        arguments: [0, O_NONBLOCK])
    func stuck(flags: Int32) {
        let (reader, writer) = pipeEnds()
        defer {
            close(reader)
            close(writer)
        }
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        while write(writer, "x", 1) == 1 {}
        _ = fcntl(writer, F_SETFL, flags)
        StandardError.write("nobody reads", to: writer, waitingAtMost: 1)
    }

    @Test("a message is dropped if the disk is full or the descriptor is closed")
    func dropped() {
        let full = open("/dev/full", O_WRONLY)
        StandardError.write("no room", to: full, waitingAtMost: -1)
        close(full)
        StandardError.write("nowhere", to: 1 << 20, waitingAtMost: -1)
    }
}

/// Set on one thread and read on another after it.
private final class LockedFlag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    var isSet: Bool { lock.withLock { value } }
    func set(_ new: Bool) { lock.withLock { value = new } }
}
