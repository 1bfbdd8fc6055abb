import Foundation
import Inspector
import Testing

@testable import Ops

@Suite(
    "A finish is a notification of the queue",
    .whereClassesAreObserved)
struct FinishNotificationTests {
    /// What the recorder logs of an operation that has started, while `body` runs.
    private func record(_ upload: Upload, _ body: (InstrumentedQueue) -> Void) throws -> EventLogContents {
        let contents = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let serial = DispatchQueue(label: "upload")
            queue.underlyingQueue = serial
            queue.addOperation(upload)
            upload.hasStarted.expectSignal()
            // Foundation asks once more whether it has finished when its start returns.
            serial.sync {}
            body(queue)
        }
        upload.notify()
        return contents
    }

    private func ask(_ operation: Operation) {
        _ = (operation.isFinished, operation.isReady, operation.isExecuting)
    }

    private func onOtherThread(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            isDone.signal()
        }
        isDone.expectSignal()
    }

    @Test("asking an operation that never notifies does not finish it, and its answer is logged once")
    func forgetful() throws {
        let upload = Upload("upload 1")
        let contents = try record(upload) { queue in
            upload.change()
            ask(upload)
            onOtherThread { ask(upload) }
            let snapshot = queue.snapshot()
            #expect(snapshot.entries.map(\.isUnnotified) == [true])
            #expect(
                snapshot.description.contains(
                    "● upload 1 (Upload), isFinished is true, but its queue was not notified"))
        }
        let operation = Trace(contents).operations[0]
        #expect(operation.executing?.isExact == true)
        #expect(operation.finished == nil)
        #expect(operation.unnotifiedFinish?.isExact == true)
        #expect(contents.events.count { $0.body == .unnotifiedFinish(operation.id) } == 1)
    }

    @Test("a finish that nobody asks about is not recorded")
    func unasked() throws {
        let upload = Upload("upload")
        let operation = try Trace(record(upload) { _ in upload.change() }).operations[0]
        #expect(operation.finished == nil && operation.unnotifiedFinish == nil)
    }

    @Test("the finish is recorded when the queue is notified, not when others ask", arguments: [true, false])
    func asked(byKeyPath: Bool) throws {
        let upload = Upload("upload")
        let teller = Mutexed<UInt64>(0)
        let contents = try record(upload) { queue in
            upload.change()
            ask(upload)
            onOtherThread {
                teller.withLock { $0 = currentThread() }
                if byKeyPath { upload.notify() } else { upload.didChangeValue(forKey: "isFinished") }
            }
            queue.drain()
            ask(upload)
            #expect(queue.snapshot().entries.isEmpty)
        }
        let finishes = contents.events.filter { if case .finished = $0.body { true } else { false } }
        #expect(finishes.map(\.thread) == [teller.withLock { $0 }])
        #expect(finishes.map(\.notBefore) == [nil])
        #expect(Trace(contents).losses == [])
    }

    @Test("asking an operation through another one does not record its finish")
    func relayed() throws {
        final class Relay: Operation, @unchecked Sendable {
            let other: Upload
            init(_ other: Upload) { self.other = other }
            override var isAsynchronous: Bool { true }
            override var isExecuting: Bool { other.isExecuting }
            override var isFinished: Bool { other.isFinished }
            override func start() {}
        }
        let upload = Upload("inner")
        let relay = Relay(upload)
        relay.name = "relay"
        let trace = try Trace(
            record(upload) { queue in
                queue.addOperation(relay)
                upload.change()
                relay.didChangeValue(for: \.isFinished)
            })
        #expect(try trace.operation("relay").finished?.isExact == true)
        #expect(try trace.operation("inner").finished == nil)
    }

    @Test("a closure finishes on the thread that ran it, even if another thread asks at that moment")
    func polledClosures() throws {
        let contents = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let isOver = Mutexed(false)
            let hasEnded = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) { for operation in queue.operations { ask(operation) } }
                hasEnded.signal()
            }
            for _ in 0..<200 {
                for _ in 0..<10 { queue.addOperation {} }
                queue.drain()
            }
            isOver.withLock { $0 = true }
            hasEnded.expectSignal()
        }
        var threads: [OperationID: UInt64] = [:]
        var elsewhere = 0
        for event in contents.events {
            switch event.body {
            case .executing(let id): threads[id] = event.thread
            case .finished(let id, _): if threads[id] != event.thread { elsewhere += 1 }
            default: break
            }
        }
        #expect(threads.count == 2_000)
        #expect(elsewhere == 0)
    }

    @Test(
        "operations that a program knows to have finished have their finish in the log, even when polled"
    )
    func polled() throws {
        for _ in 0..<20 {
            let operations: [Operation] = [
                ForeignOperation(), BlockOperation {}, Operation(), ForeignOperation(), BlockOperation {},
            ]
            let trace = try recorded { recorder in
                let queue = InstrumentedQueue(recorder: recorder)
                let isOver = Mutexed(false)
                let hasEnded = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    while !isOver.withLock({ $0 }) {
                        for operation in operations { _ = (operation.isFinished, operation.isReady) }
                    }
                    hasEnded.signal()
                }
                for operation in operations { queue.addOperation(operation) }
                #expect(soon { operations.allSatisfy(\.isFinished) })
                isOver.withLock { $0 = true }
                hasEnded.expectSignal()
            }
            #expect(trace.operations.allSatisfy { $0.finished != nil })
            #expect(trace.operations.allSatisfy { $0.unnotifiedFinish == nil })
        }
    }
}

private func currentThread() -> UInt64 { UInt64(CurrentThread.number) }

/// An asynchronous operation as people write it, but that it is changed and notifies in two steps.
private final class Upload: Operation, @unchecked Sendable {
    private let state = Mutexed((executing: false, finished: false))
    let hasStarted = DispatchSemaphore(value: 0)

    init(_ name: String) {
        super.init()
        self.name = name
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0.executing } }
    override var isFinished: Bool { state.withLock { $0.finished } }

    override func start() {
        willChangeValue(for: \.isExecuting)
        state.withLock { $0.executing = true }
        didChangeValue(for: \.isExecuting)
        hasStarted.signal()
    }

    func change() { state.withLock { $0 = (false, true) } }

    func notify() { didChangeValue(for: \.isFinished) }
}
