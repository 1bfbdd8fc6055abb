import Foundation

/// Adds operations on three threads, prints which of them have finished, and ends in the way that its
/// argument names. Everything that it has printed must be in its trace.
///
///     Endings WAY [PROGRAM]
@main
struct Endings {
    static func main() {
        let arguments = CommandLine.arguments
        let work = Work()
        work.begin()
        work.waitForReports(200)
        switch arguments.count > 1 ? arguments[1] : "return" {
        case "_exit": _exit(3)
        case "fatalError": fatalError("as it was told to")
        case "SIGKILL": kill(getpid(), SIGKILL)
        case "until killed": while true { sleep(100) }
        default: break
        }
        work.end()
        switch arguments.count > 1 ? arguments[1] : "return" {
        case "exit": exit(4)
        case "exec": startAnother(arguments[2])
        case "replace": replaceItself(by: arguments[2])
        case "fork": forkAndAdd()
        case "threads": sayThreads()
        default: break
        }
    }

    /// Swift does not let anybody call `fork`: most of its runtime does not work in the child.
    private static func fork() -> pid_t {
        typealias Fork = @convention(c) () -> pid_t
        return unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
    }

    private static func replaceItself(by program: String) {
        var arguments = [strdup(program), strdup("return"), nil]
        execv(program, &arguments)
    }

    private static func startAnother(_ program: String) {
        var arguments = [strdup(program), strdup("return"), nil]
        let child = fork()
        if child == 0 {
            execv(program, &arguments)
            _exit(127)
        }
        waitpid(child, nil, 0)
    }

    /// What threads there are, by their names.
    private static func sayThreads() {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        for thread in threads {
            let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
            say("thread \(name?.dropLast() ?? "")")
        }
    }

    /// The child does what needs no other thread.
    private static func forkAndAdd() {
        let queue = OperationQueue()
        queue.isSuspended = true
        let child = fork()
        let operation = BlockOperation {}
        operation.name = child == 0 ? "in the child" : "in the parent"
        queue.addOperation(operation)
        if child == 0 { _exit(0) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        if status == 0 { say("in the parent") }
    }
}

/// In one piece, and before anything else happens.
private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// Threads that add operations, wait for each, and report it.
private final class Work: Sendable {
    private let reports = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let isOver = DispatchSemaphore(value: 0)

    func begin() {
        for thread in 0..<3 {
            Thread.detachNewThread { [self] in
                let queue = OperationQueue()
                queue.name = "queue \(thread)"
                var number = 0
                // One signal ends all three: each passes it on.
                while isOver.wait(timeout: .now()) == .timedOut {
                    number += 1
                    let operation = BlockOperation {}
                    operation.name = "\(thread) \(number)"
                    queue.addOperations([operation], waitUntilFinished: true)
                    say("\(thread) \(number)")
                    reports.signal()
                }
                isOver.signal()
                ended.signal()
            }
        }
    }

    func waitForReports(_ count: Int) { for _ in 0..<count { reports.wait() } }

    func end() {
        isOver.signal()
        for _ in 0..<3 { ended.wait() }
    }
}
