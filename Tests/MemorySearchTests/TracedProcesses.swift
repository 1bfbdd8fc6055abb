import Foundation

@testable import MemorySearch

/// Whether this process may stop others: some containers forbid it.
let mayTrace: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sleep")
    process.arguments = ["60"]
    guard (try? process.run()) != nil else { return false }
    defer { kill(process.processIdentifier, SIGKILL) }
    let stopped = try? OwnThread.run { try StoppedThreads.during(process.processIdentifier) { $0.count } }
    return stopped != nil
}()
