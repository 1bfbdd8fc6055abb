import Foundation
import Ops
import Synchronization

/// Records where `OPVIZ_TRACE` says, operations whose bodies are long enough that the clocks of their threads
/// are read: `RecordingVictim measured HOW`.
enum Measured {
    static func run(_ how: String) {
        switch how {
        case "until-killed": runUntilKilled()
        case "forks": runAndFork()
        case "few-descriptors": runWithFewDescriptors()
        #if os(Linux)
            case "interrupted": Interruptions.run(areAll: false)
            case "always-interrupted": Interruptions.run(areAll: true)
        #endif
        default: exit(2)
        }
    }

    /// Prints the name of each operation that has finished.
    private static func runUntilKilled() {
        let queue = InstrumentedQueue()
        queue.maxConcurrentOperationCount = 1
        for number in 0... {
            queue.addOperations(
                [
                    Long("\(number)") {
                        calculate(2_000_000)
                        usleep(2_000)
                    }
                ], waitUntilFinished: true)
            print(number)
            fflush(nil)
        }
    }

    /// The child goes on in the body that it was forked in, starts another operation there, and returns.
    private static func runAndFork() {
        let queue = suspendedQueue()
        let inner = Long("inner") { calculate(20_000_000) }
        let child = Mutex<pid_t>(-1)
        let outer = Long("outer") {
            calculate(2_000_000)
            let forked = fork()
            child.withLock { $0 = forked }
            if forked == 0 { inner.start() }
            usleep(4_000)
        }
        queue.addOperations([outer, inner], waitUntilFinished: false)
        outer.start()
        let forked = child.withLock { $0 }
        if forked == 0 { _exit(7) }
        var status: Int32 = 0
        guard waitpid(forked, &status, 0) == forked, status == 7 << 8 else { exit(1) }
        inner.start()
    }

    /// Opens descriptors until the upper half is left, and the rest of them in the body of an operation;
    /// another is executed while there is none.
    private static func runWithFewDescriptors() {
        #if os(Linux)
            let (most, half): (Int32, Int32) = (64, 32)
            // What the process that started it had left open would be in the way.
            for inherited in STDERR_FILENO + 1..<most { close(inherited) }
            let queue = suspendedQueue()
            var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let first = Long("first") {
                calculate(2_000_000)
                usleep(2_000)
                var last: Int32 = 0
                while case let next = open("/dev/null", O_RDONLY), next >= 0 { last = next }
                // It is the highest that there is, and the lower ones are its own, too.
                guard last == most - 1, opened(half..<most) == Int(most - half) else { exit(3) }
            }
            let second = Long("second") {
                calculate(2_000_000)
                usleep(2_000)
            }
            queue.addOperations([first, second], waitUntilFinished: false)
            while open("/dev/null", O_RDONLY) < half - 1 {}
            first.start()
            let ended = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                second.start()
                ended.signal()
            }
            ended.wait()
            guard opened(half..<most) == Int(most - half) else { exit(4) }
        #endif
    }

    /// How many of these descriptors are the null device.
    private static func opened(_ descriptors: Range<Int32>) -> Int {
        var null = stat()
        guard stat("/dev/null", &null) == 0 else { return -1 }
        return descriptors.count { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_rdev == null.st_rdev
        }
    }

    private static func suspendedQueue() -> InstrumentedQueue {
        let queue = InstrumentedQueue()
        queue.isSuspended = true
        return queue
    }

    private static func calculate(_ nanoseconds: Int) {
        func used() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        let start = used()
        while used() - start < nanoseconds {}
    }

    /// Swift does not allow calls of `fork`, because most of its runtime does not work in the child. This
    /// child calculates, and starts an operation.
    private static func fork() -> pid_t {
        typealias Fork = @convention(c) () -> pid_t
        return unsafeBitCast(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"), to: Fork.self)()
    }

    /// Can be started by hand, also if it is in a queue.
    private final class Long: AsynchronousOperation, @unchecked Sendable {
        private let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.body = body
            super.init()
            self.name = name
        }

        override func main() {
            body()
            finish()
        }
    }
}
