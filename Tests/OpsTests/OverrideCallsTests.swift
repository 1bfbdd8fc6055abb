import Foundation
import Inspector
import Synchronization
import Testing

@testable import Ops

@Suite("Recording calls what a program overrides as often as the program without it, in the same order")
struct OverrideCallsTests {
    /// How queues and operations are recorded.
    enum Way: String, CaseIterable {
        case off, recorded, observed, both
    }

    /// What was called meanwhile, on a queue and operations whose classes override everything.
    private func calls<Queue: OperationQueue>(
        _ way: Way, _ make: (Recorder) -> Queue, begin: (Recorder, Queue) -> Void = { _, _ in },
        _ body: (Queue, CallBook) -> Void
    ) throws -> [String] {
        let recorder = Recorder()
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let observers = way == .observed || way == .both ? OperationObservers.install(Idle()) : nil
        defer { observers?.remove() }
        if way == .recorded || way == .both { try recorder.start(writingTo: path) }
        let book = CallBook()
        let queue = make(recorder)
        (queue as? any WritesDown)?.book.set(book)
        if way != .off { begin(recorder, queue) }
        body(queue, book)
        (queue as? any WritesDown)?.book.set(nil)
        if recorder.isRecording { try recorder.stop() }
        return book.lines
    }

    /// Everything that a program may do with a queue, on one thread after the other: so the order is known.
    private func use(_ queue: OperationQueue, _ book: CallBook) {
        let serial = DispatchQueue(label: "one after the other")
        queue.underlyingQueue = serial
        queue.name = "busy"
        queue.maxConcurrentOperationCount = 1
        queue.qualityOfService = .utility
        queue.isSuspended = true
        let (first, second, third) = (
            EveryCall("first", book), EveryCall("second", book), EveryCall("third", book)
        )
        second.addDependency(first)
        third.removeDependency(first)
        queue.addOperation(first)
        queue.addOperations([second, third], waitUntilFinished: false)
        queue.addOperation { book.note("closure") }
        let cancelled = EveryCall("cancelled", book)
        cancelled.cancel()
        queue.addOperation(cancelled)
        queue.addBarrierBlock { book.note("barrier") }
        let last = EveryCall("last", book)
        queue.addOperation(last)
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended.toggle()
        empty(queue, serial)
        queue.cancelAllOperations()
        queue.waitUntilAllOperationsAreFinished()
    }

    /// Waits without asking any operation.
    private func empty(_ queue: OperationQueue, _ serial: DispatchQueue) {
        while queue.operationCount > 0 { usleep(1_000) }
        serial.sync {}
    }

    @Test(
        "recording adds no calls to overrides of a subclass of InstrumentedQueue",
        arguments: [Way.recorded, .observed, .both])
    func instrumented(way: Way) throws {
        let plain = try calls(.off, { EveryCallQueue(recorder: $0) }, use)
        #expect(plain.count > 60)
        #expect(try calls(way, { EveryCallQueue(recorder: $0) }, use) == plain)
    }

    @Test(
        "recording adds no calls to overrides of a queue of another class that a recorder observes",
        arguments: [Way.recorded, .observed, .both])
    func observed(way: Way) throws {
        let plain = try calls(.off, { _ in ForeignEveryCallQueue() }, use)
        let recorded = try calls(way, { _ in ForeignEveryCallQueue() }, begin: { $0.observe($1) }, use)
        #expect(recorded == plain)
    }

    @Test("recording adds no calls to overrides if a queue has operations when it is first observed")
    func held() throws {
        func hold(_ recorder: Recorder?) throws -> [String] {
            let (queue, book) = (OperationQueue(), CallBook())
            let serial = DispatchQueue(label: "one after the other")
            queue.underlyingQueue = serial
            queue.maxConcurrentOperationCount = 1
            let (began, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.addOperation {
                began.signal()
                go.wait()
            }
            began.wait()
            let waiting = EveryCall("waiting", book)
            queue.addOperation(waiting)
            recorder?.observe(queue)
            go.signal()
            empty(queue, serial)
            return book.lines
        }
        let plain = try hold(nil)
        let recorder = Recorder()
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try recorder.start(writingTo: path)
        #expect(try hold(recorder) == plain)
        try recorder.stop()
    }

    @Test(
        "recording adds no calls to overrides of operations that are waited for",
        arguments: [Way.recorded, .observed, .both])
    func waitedFor(way: Way) throws {
        // How often Foundation asks whether it has finished, meanwhile, is chance.
        func wait(_ queue: OperationQueue, _ book: CallBook) {
            queue.addOperations([EveryCall("waited for", book)], waitUntilFinished: true)
        }
        func counted(_ lines: [String]) -> [String] { lines.filter { !$0.hasSuffix("isFinished") }.sorted() }
        let plain = try calls(.off, { EveryCallQueue(recorder: $0) }, wait)
        #expect(try counted(calls(way, { EveryCallQueue(recorder: $0) }, wait)) == counted(plain))
    }

    @Test("a closure is recorded in any queue to which an override passes it")
    func handedOn() throws {
        let trace = try recorded { recorder in
            let queue = HandingOnQueue(recorder: recorder)
            queue.addOperation {}
            queue.inner.drain()
        }
        #expect(trace.operations.map(\.displayName) == ["handed on"])
        #expect(trace.operations.allSatisfy { $0.ready != nil && $0.executing != nil && $0.finished != nil })
        #expect(trace.operations.map(\.outcome) == [.succeeded])
        #expect(trace.losses == [])
    }
}

/// What was called, in the order of the calls.
final class CallBook: Sendable {
    private let noted = Locked<[String]>([])
    var lines: [String] { noted.withLock { $0 } }
    func note(_ line: String) { noted.withLock { $0.append(line) } }
}

/// Notes nothing while its object is being made.
final class CallBookReference: Sendable {
    private let book = Locked<CallBook?>(nil)
    func set(_ book: CallBook?) { self.book.withLock { $0 = book } }
    func note(_ line: String) { book.withLock { $0 }?.note(line) }
}

private protocol WritesDown { var book: CallBookReference { get } }

private final class Idle: OperationObserver {
    func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> Account? { Account() }

    final class Account: OperationAccount {}
}

/// Makes of each closure an operation of another queue.
private final class HandingOnQueue: InstrumentedQueue, @unchecked Sendable {
    let inner: InstrumentedQueue

    override init(recorder: Recorder) {
        inner = InstrumentedQueue(recorder: recorder)
        super.init(recorder: recorder)
    }

    override func addOperation(_ operation: Operation) {
        operation.name = "handed on"
        inner.addOperations([operation], waitUntilFinished: false)
    }
}

private final class EveryCall: Operation, @unchecked Sendable {
    private let title: String
    private let book: CallBook

    init(_ title: String, _ book: CallBook) {
        self.title = title
        self.book = book
    }

    private func note(_ call: String) { book.note("\(title).\(call)") }

    override func start() {
        note("start")
        super.start()
    }
    override func main() { note("main") }
    @available(*, noasync)
    override func waitUntilFinished() {
        note("waitUntilFinished")
        super.waitUntilFinished()
    }
    override func cancel() {
        note("cancel")
        super.cancel()
    }
    override var isReady: Bool {
        note("isReady")
        return super.isReady
    }
    override var isExecuting: Bool {
        note("isExecuting")
        return super.isExecuting
    }
    override var isFinished: Bool {
        note("isFinished")
        return super.isFinished
    }
    override var isCancelled: Bool {
        note("isCancelled")
        return super.isCancelled
    }
    override var isAsynchronous: Bool {
        note("isAsynchronous")
        return super.isAsynchronous
    }
    override var dependencies: [Operation] {
        note("dependencies")
        return super.dependencies
    }
    override func addDependency(_ operation: Operation) {
        note("addDependency")
        super.addDependency(operation)
    }
    override func removeDependency(_ operation: Operation) {
        note("removeDependency")
        super.removeDependency(operation)
    }
    override var queuePriority: QueuePriority {
        get {
            note("queuePriority")
            return super.queuePriority
        }
        set {
            note("queuePriority =")
            super.queuePriority = newValue
        }
    }
    override var qualityOfService: QualityOfService {
        get {
            note("qualityOfService")
            return super.qualityOfService
        }
        set {
            note("qualityOfService =")
            super.qualityOfService = newValue
        }
    }
    override var name: String? {
        get {
            note("name")
            return super.name
        }
        set {
            note("name =")
            super.name = newValue
        }
    }
    override var completionBlock: (@Sendable () -> Void)? {
        get {
            note("completionBlock")
            return super.completionBlock
        }
        set {
            note("completionBlock =")
            super.completionBlock = newValue
        }
    }
    override var description: String {
        note("description")
        return super.description
    }
    override var hash: Int {
        note("hash")
        return super.hash
    }
    override func isEqual(_ other: Any?) -> Bool {
        note("isEqual")
        return super.isEqual(other)
    }
}

private final class EveryCallQueue: InstrumentedQueue, WritesDown, @unchecked Sendable {
    let book = CallBookReference()

    override func addOperation(_ operation: Operation) {
        // An override may count, hold back, or give dependencies.
        book.note("add \(operation is BlockOperation ? "closure" : "operation")")
        super.addOperation(operation)
    }
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        book.note("add block")
        super.addOperation(block)
    }
    @available(*, noasync)
    override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        book.note("add all")
        super.addOperations(operations, waitUntilFinished: wait)
    }
    override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        book.note("add barrier")
        super.addBarrierBlock(barrier)
    }
    override func cancelAllOperations() {
        book.note("cancel all")
        super.cancelAllOperations()
    }
    @available(*, noasync)
    override func waitUntilAllOperationsAreFinished() {
        book.note("wait")
        super.waitUntilAllOperationsAreFinished()
    }
    override var maxConcurrentOperationCount: Int {
        get {
            book.note("limit")
            return super.maxConcurrentOperationCount
        }
        set {
            book.note("limit =")
            super.maxConcurrentOperationCount = newValue
        }
    }
    override var isSuspended: Bool {
        get {
            book.note("isSuspended")
            return super.isSuspended
        }
        set {
            book.note("isSuspended =")
            super.isSuspended = newValue
        }
    }
    override var name: String? {
        get {
            book.note("queue name")
            return super.name
        }
        set {
            book.note("queue name =")
            super.name = newValue
        }
    }
    override var qualityOfService: QualityOfService {
        get {
            book.note("queue quality")
            return super.qualityOfService
        }
        set {
            book.note("queue quality =")
            super.qualityOfService = newValue
        }
    }
    override var underlyingQueue: DispatchQueue? {
        get {
            book.note("underlying")
            return super.underlyingQueue
        }
        set {
            book.note("underlying =")
            super.underlyingQueue = newValue
        }
    }
    override var progress: Progress {
        book.note("progress")
        return super.progress
    }
}

private final class ForeignEveryCallQueue: OperationQueue, WritesDown, @unchecked Sendable {
    let book = CallBookReference()

    override func addOperation(_ operation: Operation) {
        // An override may count, hold back, or give dependencies.
        book.note("add \(operation is BlockOperation ? "closure" : "operation")")
        super.addOperation(operation)
    }
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        book.note("add block")
        super.addOperation(block)
    }
    @available(*, noasync)
    override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        book.note("add all")
        super.addOperations(operations, waitUntilFinished: wait)
    }
    override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
        book.note("add barrier")
        super.addBarrierBlock(barrier)
    }
    override func cancelAllOperations() {
        book.note("cancel all")
        super.cancelAllOperations()
    }
    @available(*, noasync)
    override func waitUntilAllOperationsAreFinished() {
        book.note("wait")
        super.waitUntilAllOperationsAreFinished()
    }
    override var maxConcurrentOperationCount: Int {
        get {
            book.note("limit")
            return super.maxConcurrentOperationCount
        }
        set {
            book.note("limit =")
            super.maxConcurrentOperationCount = newValue
        }
    }
    override var isSuspended: Bool {
        get {
            book.note("isSuspended")
            return super.isSuspended
        }
        set {
            book.note("isSuspended =")
            super.isSuspended = newValue
        }
    }
    override var name: String? {
        get {
            book.note("queue name")
            return super.name
        }
        set {
            book.note("queue name =")
            super.name = newValue
        }
    }
    override var qualityOfService: QualityOfService {
        get {
            book.note("queue quality")
            return super.qualityOfService
        }
        set {
            book.note("queue quality =")
            super.qualityOfService = newValue
        }
    }
    override var underlyingQueue: DispatchQueue? {
        get {
            book.note("underlying")
            return super.underlyingQueue
        }
        set {
            book.note("underlying =")
            super.underlyingQueue = newValue
        }
    }
    override var progress: Progress {
        book.note("progress")
        return super.progress
    }
}
