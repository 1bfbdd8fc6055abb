import Dispatch
import Foundation
import Synchronization

// Suspends tasks whose continuation nobody has any more, and others that somebody could still resume: prints
// each one's kind and number, then `ready`. Argument: how many of each kind.

typealias Continuation = UnsafeContinuation<Void, Never>

final class Holder: @unchecked Sendable {
    var continuation: Continuation?
    var other: Holder?
    init(_ continuation: Continuation? = nil) { self.continuation = continuation }
}

final class Shared: @unchecked Sendable {
    let lock = NSLock()
    var continuations: [Continuation] = []
    var numbers: [Int: UInt] = [:]
    var holder: Holder?
    var overwritten: Holder?
    var closures: [@Sendable () -> Void] = []
    var begun = 0
    var timers: [timer_t?] = []
    var handles: [Task<Void, Never>] = []
    var connections: [Connection] = []
    var queues: [OperationQueue] = []
    var suspended: [DispatchQueue] = []
    /// They hold nothing but what the allocator left in them.
    var words: [UnsafeMutableRawPointer] = []
    func with(_ body: (Shared) -> Void) { lock.withLock { body(self) } }
}

let shared = Shared()

/// A function of the C library that Swift does not import.
func function<Function>(_ name: String, _ type: Function.Type) -> Function {
    unsafeBitCast(dlsym(nil, name), to: type)
}
let epollCreate = function("epoll_create1", (@convention(c) (Int32) -> Int32).self)
let epollControl = function(
    "epoll_ctl", (@convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer) -> Int32).self)
let eventDescriptor = function("eventfd", (@convention(c) (UInt32, Int32) -> Int32).self)

/// Prints the kind of the current task, and its number.
func begin(_ kind: String) {
    let number = withUnsafeCurrentTask { task in
        UnsafeRawPointer(bitPattern: unsafeBitCast(task, to: UInt.self))?.load(
            fromByteOffset: 0x24, as: UInt32.self)
    }
    shared.lock.withLock {
        print("\(kind) \(number ?? 0)")
        shared.begun += 1
    }
}

func suspended(_ body: (Continuation) -> Void) async { await withUnsafeContinuation { body($0) } }

@inline(never) func noise(_ depth: Int) -> Int { depth == 0 ? 0 : noise(depth - 1) &+ depth }

func keep(_ kind: String) async {
    begin(kind)
    await suspended { continuation in shared.with { $0.continuations.append(continuation) } }
}

func cancellable(_ kind: String) async {
    let holder = Holder()
    begin(kind)
    await withTaskCancellationHandler {
        await suspended { holder.continuation = $0 }
    } onCancel: {
        holder.continuation?.resume()
    }
}

actor Cache {
    private var waiting: [Continuation] = []
    func value() async { await withUnsafeContinuation { waiting.append($0) } }
}

let kinds: [String: @Sendable (String) async -> Void] = [
    "lost-dropped": { kind in
        begin(kind)
        await suspended { _ in }
    },
    "lost-checked": { kind in
        begin(kind)
        await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    },
    "lost-cycle": { kind in
        begin(kind)
        await suspended { continuation in
            let holder = Holder(continuation)
            holder.other = holder
        }
    },
    "lost-weak": { kind in
        begin(kind)
        await suspended { continuation in
            let holder = Holder(continuation)
            let closure: @Sendable () -> Void = { [weak holder] in holder?.continuation?.resume() }
            shared.with { $0.closures.append(closure) }
        }
    },
    "lost-overwritten": { kind in
        begin(kind)
        await suspended { continuation in
            shared.with { shared in
                shared.overwritten = Holder(continuation)
                shared.overwritten = nil
            }
        }
    },
    "lost-actor": { kind in
        begin(kind)
        await Cache().value()
    },
    "lost-child": { kind in
        async let child: Void = {
            begin(kind)
            await suspended { _ in }
        }()
        await child
    },
    "lost-group": { kind in
        await withTaskGroup { group in
            group.addTask {
                begin(kind)
                await suspended { _ in }
            }
            await group.waitForAll()
        }
    },
    "lost-awaited": { kind in
        let inner = Task {
            begin(kind)
            await suspended { _ in }
        }
        await inner.value
    },
    "lost-stream": { kind in
        begin(kind)
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        await suspended { _ = ($0, continuation, stream) }
    },
    // What can be resumed is a sibling, and then its parent, which can only cancel the lost one.
    "lost-sibling": { kind in
        async let kept: Void = keep("kept-sibling")
        async let lost: Void = {
            begin(kind)
            await suspended { _ in }
        }()
        _ = await (kept, lost)
    },
    "lost-group-sibling": { kind in
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { await keep("kept-group-sibling") } }
            group.addTask {
                begin(kind)
                await suspended { _ in }
            }
            group.addTask { await keep("kept-group-sibling") }
            await group.waitForAll()
        }
    },
    // Cancelled by its parent, it would go on.
    "kept-cancellable-child": { kind in
        async let kept: Void = keep("kept-sibling")
        async let cancellable: Void = cancellable(kind)
        _ = await (kept, cancellable)
    },
    "kept-cancellable-group-child": { kind in
        await withTaskGroup { group in
            group.addTask { await keep("kept-group-sibling") }
            group.addTask { await cancellable(kind) }
            await group.waitForAll()
        }
    },
    // Its continuation is in its parent's frame.
    "kept-in-frame": { kind in
        let box = Mutex<UInt>(0)
        async let child: Void = {
            begin(kind)
            await suspended { continuation in
                let address = unsafeBitCast(continuation, to: UInt.self)
                box.withLock { $0 = address }
            }
        }()
        await keep("kept-parent")
        _ = box.withLock { $0 }
        await child
    },
    "kept-array": { kind in
        begin(kind)
        await suspended { continuation in shared.with { $0.continuations.append(continuation) } }
    },
    "kept-timer": { kind in
        begin(kind)
        await suspended { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 3600) { continuation.resume() }
        }
    },
    "kept-chain": { kind in
        begin(kind)
        await suspended { continuation in
            shared.with { shared in
                let holder = Holder(continuation)
                holder.other = shared.holder
                shared.holder = holder
            }
        }
    },
    "kept-number": { kind in
        begin(kind)
        await suspended { continuation in
            let address = unsafeBitCast(continuation, to: UInt.self)
            shared.with { $0.numbers[$0.numbers.count] = address | 5 | 0xf << 60 }
        }
    },
    "kept-sleep": { kind in
        begin(kind)
        try? await Task.sleep(nanoseconds: 3_600_000_000_000)
    },
    "kept-source": { kind in
        begin(kind)
        await suspended { continuation in
            let source = DispatchSource.makeTimerSource()
            source.schedule(deadline: .now() + 3600)
            source.setEventHandler {
                continuation.resume()
                source.cancel()
            }
            source.resume()
        }
    },
    "kept-queue": { kind in
        begin(kind)
        await suspended { continuation in
            let queue = DispatchQueue(label: "suspended")
            queue.suspend()
            queue.async { continuation.resume() }
            shared.with { $0.closures.append { queue.resume() } }
        }
    },
    "kept-local": { kind in
        begin(kind)
        await suspended { continuation in
            Thread.detachNewThread {
                Thread.current.threadDictionary["continuation"] = Holder(continuation)
                DispatchSemaphore(value: 0).wait()
            }
        }
    },
    "kept-page": { kind in
        begin(kind)
        await suspended { continuation in
            let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            page?.storeBytes(of: unsafeBitCast(continuation, to: UInt.self), toByteOffset: 52, as: UInt.self)
            mprotect(page, 4096, PROT_READ)
        }
    },
    "kept-epoll": { kind in
        begin(kind)
        await suspended { continuation in
            // As the kernel has it: what to wait for, and the data, without a gap.
            var event = [UInt32](repeating: 0, count: 3)
            let address = UInt64(unsafeBitCast(continuation, to: UInt.self))
            (event[0], event[1], event[2]) = (1, UInt32(truncatingIfNeeded: address), UInt32(address >> 32))
            _ = epollControl(epollCreate(0), 1, eventDescriptor(0, 0), &event)
        }
    },
    "kept-pipe": { kind in
        begin(kind)
        await suspended { continuation in
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            var address = unsafeBitCast(continuation, to: UInt.self)
            _ = write(ends[1], &address, 8)
        }
    },
    "kept-socket": { kind in
        begin(kind)
        await suspended { continuation in
            var ends: [Int32] = [0, 0]
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            var address = unsafeBitCast(continuation, to: UInt.self)
            _ = write(ends[1], &address, 8)
        }
    },
    "kept-kernel-timer": { kind in
        begin(kind)
        await suspended { continuation in
            var (event, timer) = (sigevent(), timer_t(bitPattern: 0))
            event.sigev_notify = Int32(SIGEV_SIGNAL)
            event.sigev_signo = SIGUSR1
            event.sigev_value.sival_ptr = UnsafeMutableRawPointer(
                bitPattern: unsafeBitCast(continuation, to: UInt.self))
            timer_create(CLOCK_MONOTONIC, &event, &timer)
            shared.with { $0.timers.append(timer) }
        }
    },
    "kept-cancellable": { kind in
        let holder = Holder()
        let task = Task {
            begin(kind)
            await withTaskCancellationHandler {
                await suspended { holder.continuation = $0 }
            } onCancel: {
                holder.continuation?.resume()
            }
        }
        shared.with { $0.handles.append(task) }
    },
]

/// Lets the allocator put what was freed into the lists for its sizes, as it does before it looks for room
/// for a large block.
func sortFreed() { free(malloc(1 << 16)) }

/// Leaves gaps in the heap that are 16 bytes larger than what libdispatch asks for: too little for another
/// block, so that it gets all of each.
func leaveGaps() {
    let blocks = (0..<50_000).map { _ in (gap: malloc(88), between: malloc(24)) }
    for block in blocks { free(block.gap) }
    sortFreed()
}

setvbuf(stdout, nil, _IOFBF, 1 << 16)
leaveGaps()
let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10
/// A thread or descriptors for each.
let costly: Set = ["kept-local", "kept-epoll", "kept-pipe", "kept-socket", "kept-kernel-timer", "kept-page"]
for number in 0..<count {
    for (kind, body) in kinds where number < 20 || !costly.contains(kind) { Task { await body(kind) } }
}
for _ in 0..<4 {
    Thread.detachNewThread {
        let isReady = DispatchSemaphore(value: 0)
        Task {
            begin("kept-stack")
            await withUnsafeContinuation { (continuation: Continuation) in
                let holder = Holder(continuation)
                Thread.detachNewThread {
                    isReady.signal()
                    DispatchSemaphore(value: 0).wait()
                    holder.continuation?.resume()
                }
            }
        }
        isReady.wait()
    }
}
leaveWords()
fillQueues(count)
// Some have others beside them.
let beside = ["lost-sibling": 1, "lost-group-sibling": 3, "kept-cancellable-child": 1, "kept-in-frame": 1]
let expected =
    4
    + kinds.keys.reduce(count) { sum, kind in
        sum + (costly.contains(kind) ? min(count, 20) : count) * (1 + (beside[kind] ?? 0))
    }
while shared.lock.withLock({ shared.begun < expected }) { Thread.sleep(forTimeInterval: 0.05) }
Thread.sleep(forTimeInterval: 0.5)
// Other work, which covers what was left on stacks, as in any program.
for index in 0..<200 {
    Task { _ = noise(200 + index) }
    DispatchQueue.global().async { _ = noise(500) }
}
Thread.sleep(forTimeInterval: 0.5)
/// How often the thread below was interrupted.
let interruptions = UnsafeMutablePointer<Int>.allocate(capacity: 1)
interruptions.pointee = 0
let epollWait = function(
    "epoll_wait", (@convention(c) (Int32, UnsafeMutableRawPointer, Int32, Int32) -> Int32).self)
Thread.detachNewThread {
    let events = UnsafeMutableRawPointer.allocate(byteCount: 12, alignment: 4)
    let never = epollCreate(0)
    while true { if epollWait(never, events, 1, -1) < 0 { interruptions.pointee += 1 } }
}
Thread.sleep(forTimeInterval: 0.05)
shared.lock.withLock {
    print("ready")
    fflush(stdout)
}
while let line = readLine() {
    print("echo \(line), \(interruptions.pointee) interruptions")
    fflush(stdout)
}
