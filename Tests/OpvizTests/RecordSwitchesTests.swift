import EventLog
import Foundation
import Inspector
import Testing

@testable import ProgramRecording
@testable import opviz

@Suite(
    "opviz record takes the kernel's context switches of the program", .serialized, .needsSwitches,
    .needsCompiler)
struct RecordSwitchesTests {
    private func run(_ arguments: String..., processorTimes: ProcessorSource = .switches) throws
        -> SwitchedRun
    {
        try SwitchedRun([TestProgram.executions.path()] + arguments, processorTimes: processorTimes)
    }

    /// The thread's clock stands still during interrupts, and while the machine itself waits for a processor.
    /// It goes on during the switches themselves.
    private static func isSame(_ used: Int64, _ body: SwitchedRun.Body) -> Bool {
        (body.used * 9 / 10 - 250_000...body.used + 5_000_000).contains(used)
    }

    @Test("bodies that calculate, sleep and yield were on a processor as long as their threads were told")
    func bodies() throws {
        let run = try run("return")
        let process = try #require(run.processes.first)
        let bodies = try run.bodies(of: process)
        #expect(bodies.count == 12)
        let others = bodies.map { ($0, process.used(by: $0.thread, from: $0.start, to: $0.end)) }
            .filter { !Self.isSame($1, $0) }
        // The host of a virtual machine may stop it for longer, in the middle of a switch as well.
        #expect(others.count <= bodies.count / 4, "\(others)")
        #expect(others.allSatisfy { abs($1 - $0.used) < 10_000_000 }, "\(others)")
        let asleep = bodies.filter { $0.name.hasPrefix("sleeps") }
        #expect(asleep.count == 4 && asleep.allSatisfy { $0.used < 10_000_000 })
    }

    @Test(
        "the first or the latest switches are kept if memory ends, and the reader is told what is missing",
        arguments: [false, true])
    func memory(keepsLatest: Bool) throws {
        let run = try SwitchedRun(
            [TestProgram.executions.path(), "return"], limit: keepsLatest ? "64M latest" : nil,
            kernelMemory: 1 << 12)
        let process = try #require(run.processes.first)
        #expect((run.note == nil) == keepsLatest)
        let trace = Trace(process.contents)
        let loss = try #require(trace.losses.first { $0.hasPrefix("what threads did is not recorded for") })
        if keepsLatest { #expect(loss.contains("from the start on"), "\(loss)") }
        let lost = process.contents.events.compactMap { event -> Range<Int64>? in
            guard case .switchesLost(let length) = event.body else { return nil }
            return event.time - length..<event.time
        }
        #expect(lost.count == 1)
        let (start, end) = (process.start + lost[0].lowerBound, process.start + lost[0].upperBound)
        let bodies = try run.bodies(of: process)
        let kept = bodies.filter { keepsLatest ? $0.start > end : $0.end < start }
        #expect(kept.count < bodies.count)
        let others = kept.map { ($0, process.used(by: $0.thread, from: $0.start, to: $0.end)) }
            .filter { !Self.isSame($1, $0) }
        #expect(others.count <= kept.count / 2, "\(others)")
        #expect(process.stretches.allSatisfy { keepsLatest ? $0.start >= end : $0.end <= start })
    }

    @Test("stretches on a thread are in order, and never overlap")
    func order() throws {
        let process = try #require(try run("return").processes.first)
        for (_, stretches) in Dictionary(grouping: process.stretches, by: \.thread) {
            #expect(stretches.allSatisfy { $0.start < $0.end })
            #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.end <= $1.start })
        }
        #expect(process.contents.events.map(\.time) == process.contents.events.map(\.time).sorted())
        #expect(process.stretches.contains { $0.departure == .blocked })
        #expect(process.stretches.contains { $0.departure == .preempted })
    }

    @Test("a sleeping thread is blocked, and its waits for a processor are known")
    func sleeps() throws {
        let run = try run("return")
        let process = try #require(run.processes.first)
        // What a thread waited for last is lost if the thread ends before it is read.
        let end = process.start + process.contents.header.lastAlive - 50_000_000
        for body in try run.bodies(of: process) where body.name.hasPrefix("sleeps") && body.end < end {
            let within = process.stretches.filter {
                $0.thread == body.thread && $0.end > body.start && $0.end < body.end
            }
            #expect(within.contains { $0.departure == .blocked })
            let readings = process.contents.events.filter {
                if case .waitedForCPU = $0.body { return $0.thread == body.thread }
                return false
            }
            #expect(readings.contains { process.start + $0.time >= body.end })
        }
    }

    @Test("a reading contains every wait after a preemption that ended since the one before")
    func preemptions() throws {
        let process = try #require(try run("return").processes.first)
        let threads = Dictionary(grouping: process.stretches, by: \.thread)
        var previous: [UInt64: Int64] = [:]
        var (count, longer) = (0, 0)
        for event in process.contents.events {
            guard case .waitedForCPU(let delay) = event.body else { continue }
            let times = (previous[event.thread] ?? 0)..<process.start + event.time
            previous[event.thread] = times.upperBound
            let stretches = threads[event.thread] ?? []
            let waits = zip(stretches, stretches.dropFirst()).filter {
                $0.departure == .preempted && times.contains($1.start - 1)
            }.map { $1.start - $0.end }
            // A wait is recorded a little longer than it was; much longer if the host of a virtual machine
            // took the processor between the thread's arrival there and the record of it.
            let sum = waits.reduce(0, +)
            if sum > delay + 50_000 + 10_000 * Int64(waits.count) { longer += 1 }
            count += 1
        }
        #expect(count > 10)
        #expect(longer <= max(1, count / 20), "\(longer) of \(count)")
    }

    @Test("a killed program has its stretches until then")
    func isKilled() throws {
        let run = try run("SIGKILL")
        #expect(run.ending.signalNumber == SIGKILL)
        let process = try #require(run.processes.first)
        let last = try #require(process.stretches.map(\.end).max())
        // Other threads of the program may have run a moment longer.
        let end = process.start + process.contents.header.lastAlive
        #expect((end - 50_000_000...end).contains(last))
        // The body that was killed calculated for 200 ms, as far as others let it.
        let executing = try #require(process.contents.events.last { $0.body.isExecution })
        let start = process.start + executing.time
        #expect(last - start > 190_000_000)
        #expect(process.used(by: executing.thread, from: start, to: last) > 5_000_000)
    }

    @Test("the child of a child has its own stretches")
    func grandchild() throws {
        let program = try TestProgram.executions.path()
        let run = try run("start", program, "start", program, "return")
        #expect(run.processes.count == 3)
        for process in run.processes {
            let bodies = try run.bodies(of: process).filter { $0.name.hasPrefix("calculates") }
            #expect(bodies.count == 4)
            for body in bodies {
                let used = process.used(by: body.thread, from: body.start, to: body.end)
                #expect(Self.isSame(used, body), "\(body): \(used)")
            }
        }
        let threads = run.processes.map { Set($0.stretches.map(\.thread)) }
        #expect(Set(threads.joined()).count == threads.map(\.count).reduce(0, +))
    }

    @Test("a program that becomes itself again has the stretches of each program apart")
    func replacesItself() throws {
        let program = try TestProgram.endings.path()
        let run = try SwitchedRun([program, "replace", program])
        let first = try #require(run.processes.first)
        let second = try #require(run.processes.last)
        #expect(run.processes.count == 2 && first.number == second.number)
        let (last, next) = (first.stretches.map(\.end).max(), second.stretches.map(\.start).min())
        #expect(try #require(last) <= #require(next))
    }

    @Test("opviz itself is not recorded")
    func recorder() throws {
        let recorder = try KernelRecorder()
        usleep(20_000)
        let records = recorder.finish(keeping: [getpid()])
        #expect(records.switches?.events(of: getpid(), since: 0).isEmpty == true)
    }

    @Test("records for which there was no room are lost, and the log says when")
    func lost() throws {
        let storm = try RecordableProgram([TestProgram.storm.path(), "4", "0.4"])
        let recorder = try KernelRecorder()
        var (process, start) = (pid_t(), UInt64(0))
        _ = try storm.run(environment: ProgramEnvironment(), output: FileHandle.nullDevice.fileDescriptor) {
            process = $0
            // The program begins a moment after it was started.
            usleep(100_000)
            start = DispatchTime.now().uptimeNanoseconds
        }
        SignalForwarding.end()
        let records = recorder.finish(keeping: [process])
        let events = try #require(records.switches).events(of: process, since: start)
        let losses = events.compactMap { event -> Int64? in
            if case .switchesLost(let length) = event.body { length } else { nil }
        }
        // The rings hold less than the first quarter.
        #expect(losses.reduce(0, +) > 200_000_000)
        #expect(events.count { if case .leftCPU = $0.body { true } else { false } } > 1_000)
    }

    @Test("a storm of switches is recorded without a loss", .enabled(if: Self.stormSeconds != nil))
    func storm() throws {
        let seconds = try #require(Self.stormSeconds)
        let run = try SwitchedRun([TestProgram.storm.path(), "8", seconds])
        let rate = try #require(Double(run.output.dropLast()))
        // A handover is two switches, and a switch two records.
        #expect(rate * 4 > 250_000)
        #expect(run.losses == 0)
    }

    /// Set by `make soak`.
    private static let stormSeconds = ProcessInfo.processInfo.environment["OPVIZ_STORM"]

    @Test("--cpu off records no context switches")
    func off() throws {
        let run = try run("return", processorTimes: .off)
        #expect(try #require(run.processes.first).stretches.isEmpty)
        #expect(run.refusal == nil)
    }
}

extension LogEvent.Body {
    fileprivate var isExecution: Bool {
        if case .executing = self { true } else { false }
    }
}
