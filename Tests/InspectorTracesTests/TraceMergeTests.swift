import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorTraces

@Suite("Logs that are merged")
struct TraceMergeTests {
    /// When each operation was enqueued in the merged trace, by name.
    private func enqueues(_ merge: TraceMerge) -> [String: Int64] {
        var found: [String: Int64] = [:]
        for event in merge.contents.events {
            if case .enqueued(let enqueue) = event.body { found[enqueue.name ?? ""] = event.time }
        }
        return found
    }

    private func refusal(_ body: () throws -> TraceMerge) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    // MARK: Tasks

    @Test("merged logs keep their tasks, their executors and their operations apart")
    func tasks() throws {
        func log(_ name: String, pid: Int32) -> MadeUpLog {
            var log = MadeUpLog(name, pid: pid, start: Int64(pid), monotonic: UInt64(pid))
            let (task, executor) = (OperationID(1 << 40 + 1), QueueID(2))
            log.run(1, name, from: 0, to: 100)
            log.add(1, .executorOpened(executor, .actor, name: name))
            log.add(
                2,
                .taskCreated(
                    .init(
                        task: task, kind: name, creation: .unstructured, parent: OperationID(1), priority: 21,
                        isQueued: true)))
            log.add(3, .runBegan(task, executor: executor, name: nil))
            log.add(4, .taskCancelled(task, by: OperationID(1)))
            log.add(5, .finished(task, .succeeded))
            return log
        }
        let merge = try merged(log("first", pid: 1), log("second", pid: 2), log("third", pid: 3))
        let trace = Trace(merge.contents)
        #expect(merge.notes == [] && trace.losses == [])
        #expect(trace.operations.count == 3 && trace.operations.allSatisfy { $0.finished != nil })
        let tasks = trace.tasks
        #expect(tasks.entries.indices.map(tasks.kind) == ["first", "second", "third"])
        #expect(tasks.runs.map { tasks.executors[Int($0.executor)].name } == ["first", "second", "third"])
        let parents = tasks.entries.map { OperationID($0.parent) }
        #expect(parents == trace.operations.map(\.id))
    }

    @Test("merged logs are not merged if an operation would get the number of a task")
    func largeOperations() {
        var first = MadeUpLog("first", pid: 1, monotonic: 1)
        first.run(1 << 40 - 2, "a", from: 0, to: 10)
        var second = MadeUpLog("second", pid: 2, monotonic: 2)
        second.run(5, "b", from: 0, to: 10)
        let reason = refusal { try merged(first, second) }
        #expect(reason?.contains("has identifiers so large that those of the other logs do not fit") == true)
    }

    // MARK: Clocks

    @Test("merged logs of one run of a machine are aligned by its clock, with any time of day")
    func oneMachine() throws {
        var first = MadeUpLog("first", pid: 1, start: 0, monotonic: 5_000)
        first.run(1, "a", from: 10, to: 200)
        // The time of day was set back by an hour between the two.
        var second = MadeUpLog("second", pid: 2, start: -3_600_000_000_000, monotonic: 5_100)
        second.run(1, "b", from: 10, to: 20)
        let merge = try merged(second, first)
        #expect(enqueues(merge) == ["a": 10, "b": 110])
        #expect(merge.contents.header.processes.map(\.offset) == [0, 100])
        #expect(merge.notes == [])
    }

    @Test("merged logs of different machines are aligned by the time of day, with a note")
    func timeOfDay() throws {
        var first = MadeUpLog("first", pid: 1, start: 0, monotonic: 5_000)
        first.run(1, "a", from: 10, to: 900)
        var second = MadeUpLog("second", pid: 2, host: "other", start: 700, monotonic: 9, boot: 2)
        second.run(1, "b", from: 10, to: 20)
        let merge = try merged(first, second)
        #expect(enqueues(merge) == ["a": 10, "b": 710])
        #expect(
            merge.notes.count == 1 && merge.notes[0].hasPrefix("the logs have 2 clocks"), "\(merge.notes)")
    }

    @Test("merged logs are shifted by the smallest correction that puts effects after causes, with a note")
    func moved() throws {
        let (client, server) = clientAndServer(serverStart: -5_000)
        let merge = try merged(client, server)
        // Sent at 2,000 of the client; received at 2,000 of the server.
        #expect(enqueues(merge)["serve"] == 2_000)
        #expect(merge.contents.header.processes.map(\.shift) == [0, 5_000])
        #expect(
            merge.notes.contains(
                "server.optrace: shifted 5.00 µs later, the smallest correction: by their clocks, 1 of 1 "
                    + "effect in server.optrace came before its cause in client.optrace"), "\(merge.notes)")
    }

    /// A client that asks a server again and again, and waits each time; the server's answers take a while.
    private func conversation(
        calls: Int, ahead: Int64, late: Int = 0, worker: Int64? = nil
    ) throws -> TraceMerge {
        let ms: Int64 = 1_000_000
        var client = MadeUpLog("client", pid: 1, host: "a")
        var server = MadeUpLog("server", pid: 2, host: "b", start: ahead)
        var third = MadeUpLog("worker", pid: 3, host: "c", start: worker ?? 0)
        for call in 0..<calls {
            let (id, start) = (UInt64(call + 1), Int64(call) * 30 * ms)
            // For some calls, no operation waits for the answer.
            let end = start + (call < late ? 5 * ms : 20 * ms)
            client.run(id, "ask", from: start, to: end)
            client.send(id, at: start + ms)
            let begin = call < late ? end + 2 * ms : start + 3 * ms
            server.receive(client.traceparent(id), for: id, at: begin)
            server.run(id, "answer", from: begin, to: begin + (call < late ? ms : 14 * ms))
            server.send(id, at: begin + ms / 4)
            guard worker != nil else { continue }
            third.receive(server.traceparent(id), for: id, at: begin + 2 * ms)
            third.run(id, "help", from: begin + 2 * ms, to: begin + 5 * ms)
        }
        return worker == nil ? try merged(client, server) : try merged(client, server, third)
    }

    private func relations(_ merge: TraceMerge) -> (parents: Int, edges: Int) {
        let trace = Trace(merge.contents)
        return (trace.operations.count { $0.parent != nil }, trace.edges.count)
    }

    @Test("merged logs with a receiver's clock ahead keep parents: both ends of what was caused are checked")
    func ahead() throws {
        let merge = try conversation(calls: 49, ahead: 5_000_000_000, worker: 5_000_000_000)
        #expect(relations(merge) == (98, 0))
        #expect(TraceAnalysis(Trace(merge.contents)).makespan == 48 * 30_000_000 + 20_000_000)
        // By 3 ms less than it is ahead: so long the answers take. The worker's clock goes with the server's.
        #expect(merge.contents.header.processes.map(\.shift) == [0, -4_997_000_000, -4_997_000_000])
        #expect(
            merge.notes.contains(
                "server.optrace: shifted 5.00 s earlier, the smallest correction: by their clocks, 49 of 49 "
                    + "effects in server.optrace outlasted their causes in client.optrace"), "\(merge.notes)")
        #expect(
            merge.notes.contains {
                $0.hasPrefix(
                    "worker.optrace: shifted 5.00 s earlier, the smallest correction: it exchanges messages")
            }, "\(merge.notes)")
    }

    @Test("merged logs with a receiver in the middle whose clock alone is ahead move that one alone")
    func middle() throws {
        let merge = try conversation(calls: 20, ahead: 5_000_000_000, worker: 0)
        #expect(relations(merge) == (40, 0))
        let shifts = merge.contents.header.processes.map { ($0.process, $0.shift) }
        #expect(shifts.first { $0.0 == "worker" }?.1 == 0 && shifts.first { $0.0 == "client" }?.1 == 0)
    }

    @Test("merged logs are not shifted if effects come late on purpose; causes are reported as dependencies")
    func onPurpose() throws {
        let merge = try conversation(calls: 20, ahead: 0, late: 4)
        #expect(merge.contents.header.processes.map(\.shift) == [0, 0])
        #expect(relations(merge) == (16, 4))
        #expect(
            merge.notes.contains(
                "4 causes had finished when their effects began, so they are dependencies, not parents; "
                    + "their clocks agree only on the time of day"), "\(merge.notes)")
        // Of a clock that is ahead, too.
        let moved = try conversation(calls: 20, ahead: 5_000_000_000, late: 4)
        #expect(relations(moved) == (16, 4))
    }

    @Test("merged logs whose clocks no shift brings to agree with what may be keep to what must be")
    func disagreeing() throws {
        // Each asks the other, and each answer would have to lie elsewhere.
        var (first, second) = (MadeUpLog("first", pid: 1, host: "a"), MadeUpLog("second", pid: 2, host: "b"))
        first.run(1, "asks", from: 0, to: 100)
        first.send(1, at: 10)
        second.receive(first.traceparent(1), for: 1, at: 200)
        second.run(1, "answers", from: 200, to: 210)
        second.run(2, "asks", from: 300, to: 400)
        second.send(2, at: 310)
        first.receive(second.traceparent(2), for: 2, at: 390)
        first.run(2, "answers", from: 390, to: 395)
        let merge = try merged(first, second)
        let shifts = merge.contents.header.processes.map(\.shift)
        #expect(shifts[0] == 0 && shifts[1] <= 80 && shifts[1] >= -190, "\(shifts)")
    }

    @Test("merged logs are shifted together if one caused the next")
    func chain() throws {
        var first = MadeUpLog("first", pid: 1, start: 0)
        first.run(1, "a", from: 0, to: 100)
        first.send(1, at: 50)
        var second = MadeUpLog("second", pid: 2, start: -100)
        second.receive(first.traceparent(1), for: 1, at: 0)
        second.run(1, "b", from: 0, to: 100)
        second.send(1, at: 60)
        var third = MadeUpLog("third", pid: 3, start: -100)
        third.receive(second.traceparent(1), for: 1, at: 10)
        third.run(1, "c", from: 10, to: 20)
        let merge = try merged(third, second, first)
        #expect(enqueues(merge) == ["a": 0, "b": 50, "c": 110])
        #expect(merge.contents.header.processes.map(\.shift) == [0, 150, 200])
    }

    @Test("merged logs that cannot be aligned are refused: each caused something in the other too early")
    func circle() throws {
        var first = MadeUpLog("first", pid: 1)
        var second = MadeUpLog("second", pid: 2)
        for log in [0, 1] {
            let (own, other) = log == 0 ? (first, second) : (second, first)
            var changed = own
            changed.receive(other.traceparent(1), for: 2, at: 10)
            changed.run(1, "asks", from: 0, to: 100)
            changed.run(2, "serves", from: 10, to: 20)
            changed.send(1, at: 50)
            if log == 0 { first = changed } else { second = changed }
        }
        let reason = try #require(refusal { try merged(first, second) })
        #expect(reason.contains("with any shift of their clocks"), "\(reason)")
    }

    @Test("merged logs of one clock are refused if an effect came before its cause")
    func contradiction() throws {
        var (client, server) = clientAndServer(serverStart: -5_000_000)
        client.header.bootClock = BootID(high: 1, low: 1).map { BootClock(boot: $0, monotonic: 10_000_000) }
        server.header.bootClock = BootID(high: 1, low: 1).map { BootClock(boot: $0, monotonic: 5_000_000) }
        #expect(
            refusal { try merged(client, server) }
                == "server.optrace: cannot be aligned with client.optrace: an effect comes 5.00 ms "
                + "before its cause, on the same clock"
        )
    }

    @Test("merged logs of different days are refused, unless something connects them")
    func otherDays() throws {
        var old = MadeUpLog("old", pid: 1, start: -2 * 86_400_000_000_000)
        old.run(1, "a", from: 0, to: 10)
        var new = MadeUpLog("new", pid: 2)
        new.run(1, "b", from: 0, to: 10)
        let reason = try #require(refusal { try merged(new, old) })
        #expect(reason.hasPrefix("new.optrace: began"), "\(reason)")
        #expect(reason.hasSuffix("nothing connects them: they belong to different runs"), "\(reason)")
        old.send(1, at: 5)
        new.receive(old.traceparent(1), for: 1, at: 0)
        #expect(try merged(new, old).crossings == 1)
    }

    @Test(
        "merged logs with nonsensical times are refused",
        arguments: [
            (-5_000_000, "event 1 lies before the start of the log, or decades after it"),
            (Int64.max, "event 1 lies before the start of the log, or decades after it"),
        ])
    func times(time: Int64, problem: String) {
        var log = MadeUpLog("odd", pid: 1)
        log.add(time, .ready(OperationID(1)))
        #expect(refusal { try merged(log) } == "odd.optrace: \(problem)")
    }

    @Test("merged logs with times out of order, or durations below zero, are refused")
    func disorder() throws {
        var contents = MadeUpLog("odd", pid: 1).contents
        contents.events = [
            LogEvent(time: 90_000_000_000, thread: 1, .ready(OperationID(1))),
            LogEvent(time: 0, thread: 1, .executing(OperationID(1))),
        ]
        #expect(
            refusal { try TraceMerge([(path: "odd", contents: contents)]) }
                == "odd: event 2 lies 1 min 30 s before an earlier event: "
                + "the times of the log are out of order"
        )
        contents.events = [LogEvent(time: 5, notBefore: 1_000, thread: 1, .ready(OperationID(1)))]
        #expect(
            refusal { try TraceMerge([(path: "odd", contents: contents)]) }
                == "odd: event 1 has an interval that ends 995 ns before it begins")
    }

    // MARK: Identifiers

    @Test("merged logs keep operations, queues and threads of equal numbers apart, and say whose each is")
    func apart() throws {
        let (client, server) = clientAndServer()
        let trace = Trace(try merged(client, server).contents)
        #expect(trace.operations.map(\.displayName) == ["prepare", "fetch", "show", "serve", "read"])
        #expect(trace.operations.map(\.process) == [0, 0, 0, 1, 1])
        #expect(Set(trace.operations.map(\.id)).count == 5)
        #expect(trace.queues.map(\.displayName) == ["requests in client", "requests in server"])
        #expect(trace.queues.map(\.process) == [0, 1])
        #expect(
            TraceTimings(trace).groups(by: .thread).map(\.name).sorted() == [
                "thread 7 of client", "thread 7 of server",
            ])
        #expect(TraceTimings(trace).groups(by: .process).map(\.name) == ["client", "server"])
    }

    @Test("merged logs that are the same log are refused")
    func twice() {
        let (client, _) = clientAndServer()
        #expect(
            refusal { try merged(client, client) }
                == "client.optrace: is the log of the same process and the same start as client.optrace")
    }

    @Test("merged logs that were already merged, or have no time of day, are refused")
    func unmergeable() throws {
        let (client, server) = clientAndServer()
        let contents = try merged(client, server).contents
        #expect(
            refusal { try TraceMerge([(path: "again", contents: contents)]) }
                == "again: is already merged; merge its original logs instead")
        var timeless = client
        timeless.header.start = 0
        #expect(refusal { try merged(timeless) }?.contains("does not say when it began") == true)
    }

    @Test("merged logs give the same bytes in any order")
    func order() throws {
        let (client, server) = clientAndServer()
        #expect(try merged(client, server).contents.events == merged(server, client).contents.events)
        #expect(try merged(client, server).contents.header == merged(server, client).contents.header)
    }

    @Test("merged logs with identifiers that are too large are refused")
    func identifiers() {
        var first = MadeUpLog("first", pid: 1)
        first.run(.max, "a", from: 0, to: 1)
        var second = MadeUpLog("second", pid: 2, start: 1)
        second.run(1, "b", from: 0, to: 1)
        #expect(refusal { try merged(first, second) }?.contains("do not fit") == true)
    }

    // MARK: Causes

    @Test("merged logs make an unfinished cause the parent, and a finished one a dependency")
    func causes() throws {
        var (client, server) = clientAndServer()
        client.send(1, at: 500)
        server.receive(client.traceparent(1), for: 3, at: 8_000)
        server.run(3, "later", from: 8_000, to: 8_500)
        let trace = Trace(try merged(client, server).contents)
        func parent(_ name: String) -> String? {
            trace.operations.first { $0.name == name }?.parent.map { trace.operations[$0].displayName }
        }
        #expect(parent("serve") == "fetch" && parent("read") == "serve" && parent("later") == nil)
        let edges = trace.edges.map {
            "\(trace.operations[$0.predecessor].displayName) → \(trace.operations[$0.successor].displayName)"
        }
        #expect(Set(edges) == ["prepare → fetch", "fetch → show", "prepare → later"])
    }

    @Test("merged logs give what a process added by itself to what started the process")
    func processCause() throws {
        var parent = MadeUpLog("parent", pid: 1)
        parent.run(1, "spawn", from: 0, to: 1_000)
        parent.send(1, at: 100)
        var child = MadeUpLog("child", pid: 2, start: 200)
        child.receive(parent.traceparent(1), at: 0)
        child.run(1, "first", from: 10, to: 20)
        child.run(2, "inner", from: 12, to: 18, parent: 1)
        child.run(3, "second", from: 30, to: 40)
        let merge = try merged(parent, child)
        let trace = Trace(merge.contents)
        #expect(
            trace.operations.map { $0.parent.map { trace.operations[$0].displayName } } == [
                nil, "spawn", "first", "spawn",
            ])
        #expect(merge.crossings == 2)
    }

    @Test("merged logs count the causes that no log has, and parents that gave way to a cause")
    func unknown() throws {
        var (client, server) = clientAndServer()
        server.receive("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", for: 2, at: 2_500)
        server.receive("no traceparent", for: 2, at: 2_600)
        var merge = try merged(client, server)
        #expect(merge.notes.contains("1 cause is in none of these logs"), "\(merge.notes)")
        #expect(
            Trace(merge.contents).losses.contains {
                $0.contains("1 cause in other processes is not a traceparent")
            })
        client.send(1, at: 900)
        client.send(3, at: 9_500)
        server.receive(client.traceparent(2), for: 2, at: 2_700)
        merge = try merged(client, server)
        #expect(
            merge.notes.contains { $0.hasPrefix("1 operation was added by an operation of its own process") },
            "\(merge.notes)")
    }

    @Test("merged logs leave out logs without operations, and say so")
    func empty() throws {
        let (client, _) = clientAndServer()
        let merge = try merged(client, MadeUpLog("idle", pid: 9))
        #expect(merge.contents.header.processes.map(\.process) == ["client"])
        #expect(merge.notes == ["1 log contains no operations, and was left out"])
        #expect(
            refusal { try merged(MadeUpLog("idle", pid: 9)) } == "idle.optrace: none of the logs contains "
                + "an operation"
        )
    }

    @Test("merged logs may be a thousand")
    func thousand() throws {
        var parent = MadeUpLog("parent", pid: 1)
        parent.run(1, "spawn", from: 0, to: 1_000_000)
        parent.send(1, at: 100)
        var logs = [parent]
        for number in 2...1_000 {
            var child = MadeUpLog("child", pid: Int32(number), start: Int64(number))
            child.receive(parent.traceparent(1), at: 0)
            for operation in 1...10 as ClosedRange<UInt64> {
                child.run(operation, "work", from: Int64(operation), to: Int64(operation) + 5)
            }
            logs.append(child)
        }
        let merge = try TraceMerge(logs.map { (path: "\($0.header.processID)", contents: $0.contents) })
        #expect(merge.contents.header.processes.count == 1_000 && merge.crossings == 9_990)
        let trace = Trace(merge.contents)
        #expect(trace.operations.count == 9_991 && Set(trace.operations.map(\.id)).count == 9_991)
    }

    @Test("merged logs keep the processors of each process")
    func processors() throws {
        var (client, server) = clientAndServer()
        client.header.processors = ProcessorCount(online: 8, usable: 2)
        let header = try merged(client, server).contents.header
        #expect(header.processors == nil)
        #expect(header.processes.map(\.processors) == [ProcessorCount(online: 8, usable: 2), nil])
    }

    @Test("merged logs are of another program only if that recorded all of them")
    func otherPrograms() throws {
        var (client, server) = clientAndServer()
        client.header.isOfAnotherProgram = true
        #expect(try !merged(client, server).contents.header.isOfAnotherProgram)
        server.header.isOfAnotherProgram = true
        #expect(try merged(client, server).contents.header.isOfAnotherProgram)
    }

    // MARK: Forms

    @Test("merged logs are the same in all three forms of a log")
    func forms() throws {
        let client = clientAndServer().client
        var server = clientAndServer().server
        // Another machine may have a process of the same number.
        server.header.processID = client.header.processID
        var contents = try merged(client, server).contents
        contents.header.processorTimes = .clocks
        contents.header.processors = ProcessorCount(online: 8, usable: 2, quota: 1_500, later: 4)
        contents.header.processes[1].processors = ProcessorCount(online: 200, usable: 2, quota: 1, later: 200)
        var binary = BinaryLogEncoder(header: contents.header)
        var compact = CompactLogEncoder(header: contents.header)
        for event in contents.events {
            binary.encode(event)
            compact.encode(event)
        }
        let fromBinary = try BinaryLogReader.read(binary.finish())
        #expect(fromBinary.header.processes == contents.header.processes)
        #expect(fromBinary.header.processorTimes == .clocks)
        #expect(fromBinary.header.processors == contents.header.processors)
        #expect(fromBinary.events == contents.events)
        let fromCompact = try CompactLogReader.read(compact.finish())
        #expect(fromCompact.header == contents.header && fromCompact.events == contents.events)
        var json = JSONLogEncoder(header: contents.header)
        for event in contents.events { json.encode(event) }
        let fromJSON = try read(contents.header.jsonPrologue() + json.takeBytes() + JSONLogEncoder.epilogue)
        #expect(fromJSON.header == contents.header && fromJSON.events == contents.events)
        #expect(fromJSON.losses == [])
    }
}
