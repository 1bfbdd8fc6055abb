import Foundation

/// Programs with one planted fault each, of plain Foundation operations: `faults NAME`.
///
/// Record one with `opviz record -o t.json -- .build/debug/faults NAME`, and ask the commands about it. Each
/// ends on its own after at most 3 s, whether or not it is stuck.
@main
struct Faults {
    private static let programs: [(name: String, run: @Sendable (_ keep: Kept) -> Void)] = [
        ("circle", { Stuck.circle($0) }), ("semaphore", { Stuck.semaphore($0) }),
        ("never-added", { Stuck.neverAdded($0) }), ("forgotten-finish", { Stuck.forgottenFinish($0) }),
        ("suspended", { Stuck.suspended($0) }), ("polling", { Stuck.polling($0) }),
        ("follow-up", { Slow.followUp($0) }), ("long-before-short", { Slow.longBeforeShort($0) }),
        ("priority", { Slow.priority($0) }), ("sleeping", { Slow.sleeping($0) }),
        ("own-threads", { Slow.ownThreads($0) }), ("healthy", { Slow.resizing($0, work: 20) }),
        ("slower", { Slow.resizing($0, work: 24) }),
    ]

    static func main() {
        let name = CommandLine.arguments.dropFirst().first
        guard let program = programs.first(where: { $0.name == name }) else {
            FileHandle.standardError.write(
                Data("usage: faults \(programs.map(\.name).joined(separator: "|"))\n".utf8))
            exit(64)
        }
        let kept = Kept()
        program.run(kept)
        kept.wait(for: 2)
        withExtendedLifetime(kept) { exit(0) }
    }
}

/// What has to live as long as the program.
final class Kept: @unchecked Sendable {
    private var objects: [AnyObject] = []
    private var queues: [OperationQueue] = []

    func queue(_ name: String, limit: Int) -> OperationQueue {
        let queue = OperationQueue()
        queue.name = name
        queue.maxConcurrentOperationCount = limit
        queues.append(queue)
        return queue
    }

    func operation(_ operation: Operation) -> Operation {
        objects.append(operation)
        return operation
    }

    /// Until every queue is empty, but no longer than this many seconds.
    func wait(for seconds: Double) {
        let deadline = Date() + seconds
        while Date() < deadline, queues.contains(where: { $0.operationCount > 0 }) {
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
}

func nap(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

/// Calculates for this many milliseconds of this thread's processor time.
func calculate(milliseconds: Double) {
    var start = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
    var now = start
    repeat {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    } while Double(now.tv_sec - start.tv_sec) * 1000 + Double(now.tv_nsec - start.tv_nsec) / 1e6
        < milliseconds
}
