import Foundation
import Ops
import Testing

@testable import InspectorLive
@testable import InspectorTraces

#if os(Linux)
    @Suite("The kind of a closure is the function that it was written in")
    struct ClosureKindTests {
        /// Three ways of adding closures.
        private func decode(in queue: OperationQueue) {
            queue.addOperation {}
            queue.addOperation(BlockOperation {})
            let several = BlockOperation()
            several.addExecutionBlock {}
            several.addExecutionBlock {}
            queue.addOperations([several], waitUntilFinished: false)
        }

        private func encode<Value: Sendable>(_ value: Value, in queue: OperationQueue) {
            let add = { queue.addOperation { _ = value } }
            add()
        }

        private static let decode = "ClosureKindTests.decode(in:)"
        private static let encode = "ClosureKindTests.encode(_:in:)"

        /// The kinds of a run that `body` makes, as they are read from both forms of a log.
        private func kinds(_ body: (Recorder) throws -> Void) throws -> [String] {
            let contents = try recordedEvents(body)
            let kinds = Trace(contents).operations.map(\.kind)
            let path = temporaryPath() + ".optrace"
            defer { unlink(path) }
            let recorder = Recorder()
            try recorder.start(writingTo: path)
            try body(recorder)
            try recorder.stop()
            #expect(try TraceReader(path: path).read().operations.map(\.kind) == kinds)
            #expect(try Trace(TraceReader(path: path).events()).operations.map(\.kind) == kinds)
            return kinds
        }

        @Test("the kind of a closure is its function however it is added, in both forms of the log")
        func ways() throws {
            let found = try kinds { recorder in
                let queue = InstrumentedQueue(recorder: recorder)
                decode(in: queue)
                encode(1, in: queue)
                encode("two", in: queue)
                queue.drain()
            }
            #expect(found == [Self.decode, Self.decode, Self.decode, Self.encode, Self.encode])
        }

        @Test(
            "the kind of a closure is its function in a queue of Foundation's that is observed",
            .whereClassesAreObserved)
        func observed() throws {
            let found = try kinds { recorder in
                let queue = OperationQueue()
                queue.isSuspended = true
                queue.addOperation {}
                #expect(recorder.observe(queue))
                decode(in: queue)
                queue.isSuspended = false
                queue.drain()
            }
            #expect(found == ["ClosureKindTests.observed()", Self.decode, Self.decode, Self.decode])
        }

        @Test("the kind of a closure with a name, dependencies, a priority or a barrier is its function")
        func named() throws {
            let found = try kinds { recorder in
                let queue = InstrumentedQueue(recorder: recorder)
                queue.isSuspended = true
                queue.addOperation(name: "one") {}
                let urgent = BlockOperation {}
                urgent.queuePriority = .high
                urgent.addDependency(queue.operations[0])
                queue.addOperation(urgent)
                queue.addBarrierBlock {}
                queue.addOperation {}
                queue.addOperation(name: "two") {}
                queue.isSuspended = false
                queue.drain()
            }
            let own = "ClosureKindTests.named()"
            #expect(found == [own, own, "Barrier", own, own])
        }

        @Test("an unnamed closure is named after its number in the function")
        func names() throws {
            let trace = try recorded { recorder in
                let queue = InstrumentedQueue(recorder: recorder)
                queue.addOperation {}
                queue.addOperation {}
                queue.addOperation(name: "own") {}
                queue.drain()
            }
            let names = trace.operations.compactMap(\.name).map { $0.split(separator: " (")[0] }
            #expect(names.count == 3)
            #expect(names[0].hasPrefix("ClosureKindTests.names() #") && names[0] != names[1])
            #expect(names[2] == "own")
        }

        @Test("the kind of an operation whose class is the program's own is not a function")
        func subclass() throws {
            let found = try kinds { recorder in
                let queue = InstrumentedQueue(recorder: recorder)
                queue.addOperation(Resize {})
                queue.addOperation(ClosureOperation { $0.finish() })
                queue.drain()
            }
            #expect(found == ["Resize", "ClosureOperation"])
        }

        private final class Resize: BlockOperation, @unchecked Sendable {}

        @Test("the kind of a closure is not its function if the program was rebuilt since")
        func builtAnew() throws {
            let path = temporaryPath() + ".optrace"
            defer { unlink(path) }
            let recorder = Recorder()
            try recorder.start(writingTo: path)
            let queue = InstrumentedQueue(recorder: recorder)
            decode(in: queue)
            queue.drain()
            try recorder.stop()
            var log = try Data(contentsOf: URL(filePath: path))
            // The build ID is the end of the text that says where a closure is.
            var next = log.startIndex
            while let origin = log[next...].range(of: Data("+0x".utf8)) {
                let at = try #require(log[origin.upperBound...].firstIndex(of: UInt8(ascii: "@")))
                log[at + 1] = log[at + 1] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
                next = at
            }
            #expect(next > log.startIndex)
            try log.write(to: URL(filePath: path))
            let operations = try TraceReader(path: path).read().operations
            #expect(operations.map(\.kind) == Array(repeating: "BlockOperation", count: 3))
            #expect(operations.allSatisfy { $0.name == nil })
        }

        @Test("the kind of a closure is its function for a screen that follows the log, too")
        func live() throws {
            let path = temporaryPath() + ".optrace"
            defer { unlink(path) }
            let recorder = Recorder()
            try recorder.start(writingTo: path)
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            decode(in: queue)
            queue.addOperation(name: "own") {}
            let log = try #require(try LiveLog(path: path))
            _ = try log.look(at: 0)
            let rows = log.picture(at: 0, rows: 10).waitingRows
            #expect(
                Set(rows.map(\.kind)) == [Self.decode, "ClosureKindTests.live()"])
            #expect(rows.contains { $0.name == "own" })
            #expect(rows.filter { $0.name.hasPrefix(Self.decode + " #") }.count == 3)
            queue.isSuspended = false
            queue.drain()
            try recorder.stop()
        }

        @Test("the kind of a closure is its function for a snapshot, too")
        func snapshot() {
            let queue = InstrumentedQueue(recorder: Recorder())
            queue.isSuspended = true
            queue.addOperation {}
            queue.addOperation(name: "own") {}
            let entries = queue.snapshot().entries
            #expect(entries.map(\.kind) == Array(repeating: "ClosureKindTests.snapshot()", count: 2))
            #expect(entries[0].name.hasPrefix("ClosureKindTests.snapshot() #"))
            #expect(entries[1].name == "own")
            queue.isSuspended = false
            queue.drain()
        }

        @Test(
            "the kind of a closure is known without symbols in a log in JSON, and else only before stripping",
            .whereClassesAreObserved,
            .enabled(if: access("/usr/bin/strip", X_OK) == 0, "strip is not installed"))
        func stripped() throws {
            let folder = temporaryPath()
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let whole = CrashTests.products.appending(path: "RecordingVictim").path
            let program = folder + "/program"
            try FileManager.default.copyItem(atPath: whole, toPath: program)
            func record(_ name: String) throws -> TraceReader {
                try run(program, ["every-queue", folder + "/" + name])
                return TraceReader(path: folder + "/" + name)
            }
            let known = Array(repeating: "Victim.recordEveryQueue(_:_:)", count: 4)
            let unknown = Array(repeating: "BlockOperation", count: 4)
            let (binary, text) = (try record("a.optrace"), try record("a.json"))
            for log in [binary, text] { #expect(try log.read().operations.map(\.kind) == known) }
            // The same build, without its symbols.
            try run("/usr/bin/strip", [program])
            #expect(try binary.read().operations.map(\.kind) == unknown)
            #expect(try text.read().operations.map(\.kind) == known)
            for name in ["b.optrace", "b.json"] {
                #expect(try record(name).read().operations.map(\.kind) == unknown)
            }
            #expect(try binary.read().operations.map(\.name) == ["there", "later", "instrumented", "main"])
        }

        private func run(_ program: String, _ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }

        @Test("the kind of a closure is its function in a log whose texts have been overwritten")
        func ring() throws {
            let path = temporaryPath() + ".optrace"
            defer { unlink(path) }
            let recorder = Recorder()
            try recorder.start(writingTo: path, limit: LogLimit(bytes: 1 << 20, policy: .keepLatest))
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = 1
            for number in 0..<30_000 {
                queue.addOperation(name: "operation number \(number)") {}
                if number % 1_000 == 999 { queue.drain() }
            }
            try recorder.stop()
            let trace = try TraceReader(path: path).read()
            let latest = trace.operations.filter { $0.enqueued != nil }.suffix(1_000)
            #expect(Set(latest.map(\.kind)) == ["ClosureKindTests.ring()"])
        }
    }
#endif
