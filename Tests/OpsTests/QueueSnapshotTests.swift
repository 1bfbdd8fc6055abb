import Foundation
import Ops
import Testing

@Suite("A snapshot of a queue")
struct QueueSnapshotTests {
    @Test("a snapshot shows what executes, and under it what waits for it")
    func tree() {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.name = "import"
        queue.maxConcurrentOperationCount = 2
        let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let download = ForeignOperation("download 1") {
            begun.signal()
            goOn.wait()
        }
        let parse = ClosureOperation("parse 1")
        let store = ClosureOperation("store 1")
        let report = ClosureOperation("report")
        let elsewhere = ForeignOperation("elsewhere")
        parse.addDependency(download)
        store.addDependency(parse)
        report.addDependency(store)
        report.addDependency(elsewhere)
        queue.addOperations([download, parse, store, report], waitUntilFinished: false)
        begun.expectSignal()
        let snapshot = queue.snapshot()
        #expect(
            snapshot.description == """
                queue "import": 1 executing, 0 ready, 3 waiting; 2 slots
                ● download 1 (ForeignOperation), 3 wait for it
                  └ parse 1 (ClosureOperation)
                    └ store 1 (ClosureOperation)
                      └ report (ClosureOperation), waits for 2
                ○ elsewhere (ForeignOperation), in another queue or in none, 1 waits for it
                """)
        #expect(snapshot.mostWaitedFor.first?.count == 3)
        #expect(snapshot.entries.map(\.isInQueue) == [true, true, true, true, false])
        goOn.signal()
        elsewhere.start()
        queue.drain()
        #expect(queue.snapshot().description == "queue \"import\": 0 executing, 0 ready, 0 waiting; 2 slots")
    }

    @Test("a snapshot shows a cycle, and a suspended queue")
    func cycle() {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.isSuspended = true
        let (first, second) = (ClosureOperation("\u{1b}[31mfirst"), ClosureOperation("second"))
        first.addDependency(second)
        second.addDependency(first)
        queue.addOperations([first, second, ClosureOperation("free")], waitUntilFinished: false)
        #expect(
            queue.snapshot().description == """
                queue: 0 executing, 1 ready, 2 waiting; suspended
                deadlock: \u{fffd}[31mfirst → second → \u{fffd}[31mfirst (each waits for the next)
                ○ free (ClosureOperation)
                ◌ \u{fffd}[31mfirst (ClosureOperation)
                  └ second (ClosureOperation)
                """)
        queue.cancelAllOperations()
        queue.isSuspended = false
        queue.drain()
    }

    @Test(
        "a snapshot names the circle of a deadlock, also of nameless operations, while a recorder records",
        .whereClassesAreObserved)
    func deadlock() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        let queue = InstrumentedQueue(recorder: recorder)
        queue.name = "pages"
        queue.maxConcurrentOperationCount = 1
        let download = ForeignOperation("download of page 1")
        let (begun, gone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        queue.addOperation {
            queue.addOperation(download)
            queue.addOperation {}
            begun.signal()
            download.waitUntilFinished()
            gone.signal()
        }
        begun.expectSignal()
        let function = "QueueSnapshotTests.deadlock()"
        let expected = """
            queue "pages": 1 executing, 2 ready, 0 waiting; 1 slot
            deadlock: \(function) #1 (OpsTests) blocks its thread until download of page 1 finishes, \
            download of page 1 \
            needs a slot of queue pages (limit 1), and \(function) #1 (OpsTests) has it; stuck behind it: 1 \
            operation
            ● \(function) #1 (OpsTests) (\(function)), blocks its thread until download of page 1 finishes
            ○ download of page 1 (ForeignOperation)
            ○ \(function) #1 #1 (OpsTests) (\(function))
            """
        // The wait begins a moment after the signal.
        var said = ""
        let hang = Date() + 30
        while said != expected, Date() < hang {
            said = queue.snapshot().description
            Thread.sleep(forTimeInterval: 0.001)
        }
        #expect(said == expected)
        // What is waited for finishes elsewhere.
        queue.maxConcurrentOperationCount = 2
        gone.expectSignal()
        queue.drain()
        #expect(!queue.snapshot().description.contains("deadlock"))
        try recorder.stop()
    }

    @Test("a snapshot is bounded as text, and can be made while operations come and go")
    func many() {
        let queue = InstrumentedQueue(recorder: Recorder())
        for _ in 0..<2_000 { queue.addOperation {} }
        for _ in 0..<20 { _ = queue.snapshot().description }
        queue.isSuspended = true
        var previous: Operation?
        for _ in 0..<2_000 {
            let operation = BlockOperation {}
            if let previous { operation.addDependency(previous) }
            previous = operation
            queue.addOperation(operation)
        }
        let lines = queue.snapshot().description.split(separator: "\n")
        #expect(lines.count <= 202)
        #expect(lines.last?.hasPrefix("… and") == true)
        queue.cancelAllOperations()
        queue.isSuspended = false
        queue.drain()
    }
}
