import EventLog
import Foundation
import Inspector
import InspectorColumns
import InspectorTraces
import Testing

@testable import ProgramRecording
@testable import opviz

@Suite(
    "opviz record --profile samples the stacks of the program", .serialized, .needsSwitches, .needsCompiler)
struct RecordSamplesTests {
    private struct Samples {
        let samples: StackSamples

        /// How many samples of executing threads have all of these functions on their stacks.
        func count(with functions: String...) -> Int {
            samples.samples.count { sample in
                let names = Set(samples.frames(of: sample.stack).map { samples.frames[Int($0)].function })
                return sample.state == .executing && names.isSuperset(of: functions)
            }
        }
    }

    private func run(
        _ arguments: [String], processorTimes: ProcessorSource = .off
    ) throws -> (SwitchedRun, Samples) {
        let run = try SwitchedRun(arguments, processorTimes: processorTimes, sampleRate: 1_999)
        let process = try #require(run.processes.first)
        return (run, Samples(samples: Trace(process.contents).stackSamples))
    }

    /// How much CPU time operations used, in nanoseconds, as their threads were told.
    private func used(_ kind: String, _ run: SwitchedRun) -> Double {
        run.output.split(separator: "\n").map { $0.split(separator: " ") }
            .filter { $0.first == kind[...] }.reduce(0) { $0 + (Double($1[1]) ?? 0) }
    }

    @Test("functions have their shares of the samples, below their callers")
    func shares() throws {
        let (run, samples) = try run([TestProgram.calculations.path(), "700", "return"])
        let (often, seldom) = (samples.count(with: "often(_:)"), samples.count(with: "seldom(_:)"))
        try #require(often + seldom > 200)
        let share = Double(often) / Double(often + seldom)
        let time = used("Often", run) / (used("Often", run) + used("Seldom", run))
        #expect(abs(share - time) < 0.15, "\(share), but \(time) of the CPU time")
        #expect(samples.count(with: "calculated(_:)") >= (often + seldom) * 9 / 10)
        #expect(samples.count(with: "Calculation.main()", "often(_:)") >= often * 9 / 10)
        #expect(samples.samples.rate == 1_999)
        #expect(samples.samples.note == nil)
        #expect(try #require(run.processes.first).stretches.isEmpty)
    }

    // Other users may not look into the kernel, where threads block.
    @Test("each time that an operation blocks has a stack", .enabled(if: geteuid() == 0))
    func blocked() throws {
        let (run, _) = try run([TestProgram.use.path(), "40"], processorTimes: .switches)
        let timings = TraceAnalysis(Trace(try #require(run.processes.first).contents)).timings
        let (use, profile) = (
            try #require(ProcessorUse(timings)), try #require(StackProfile(timings))
        )
        let parts = use.parts(of: timings.transitions.indices)
        let inside = profile.attributed.filter { $0.isBlocked && $0.operation != nil }
        // What blocks waits for a processor at the end, which is not known for each time.
        let time = inside.reduce(0) { $0 + $1.weight }
        #expect(time > parts.blocked * 95 / 100 && time < (parts.blocked + parts.waitingForCPU) * 105 / 100)
        let sleeping = inside.filter { sample in
            profile.samples.frames(of: sample.stack).contains {
                profile.samples.frames[Int($0)].function.contains("nanosleep")
            }
        }
        #expect(sleeping.reduce(0) { $0 + $1.weight } > time * 9 / 10)
    }

    @Test("context switches are recorded beside samples, and a killed program has both until then")
    func isKilled() throws {
        let (run, samples) = try run(
            [TestProgram.calculations.path(), "100", "SIGKILL"], processorTimes: .switches)
        #expect(run.ending.signalNumber == SIGKILL)
        let process = try #require(run.processes.first)
        // The operation that killed it had calculated before.
        let killer = try #require(
            process.contents.events.last { if case .executing = $0.body { true } else { false } })
        let last = try #require(samples.samples.samples.last { $0.thread.number == killer.thread })
        #expect((killer.time...process.contents.header.lastAlive).contains(last.time))
        #expect(!process.stretches.isEmpty)
        #expect(process.contents.events.map(\.time) == process.contents.events.map(\.time).sorted())
    }

    @Test("a library that is loaded while the program runs has its functions")
    func loaded() throws {
        let library = try TestProgram.library.path()
        let (_, samples) = try run([TestProgram.calculations.path(), "1", library])
        try #require(samples.count(with: "calculate") > 20)
        let frame = samples.samples.frames.first { $0.function == "calculate" }
        #expect(frame?.module == "Library.c")
    }

    @Test(
        "a program that Swift is linked into has its functions",
        .enabled(if: TestProgram.canLinkStatically, "there is no Swift to link statically"))
    func linkedStatically() throws {
        let (_, samples) = try run([TestProgram.staticCalculations.path(), "500", "return"])
        #expect(samples.count(with: "often(_:)") > 100)
        #expect(samples.count(with: "seldom(_:)") > 30)
    }

    @Test("a program that nothing can be loaded into runs as it would, and one line says why")
    func withoutLinker() throws {
        let folder = try Folder()
        let program = try TestProgram.staticStorm.path()
        let run = try ProgramRun(
            [CommandRun.program.path, "record", "--profile", "--", program, "1", "1"], in: folder)
        #expect(run.status == 0 && Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 0)
        let reasons = run.error.split(separator: "\n").filter { $0.contains("has no dynamic linker") }
        #expect(reasons.count == 1, "\(run.error)")
        #expect(access(folder.path("trace.json"), F_OK) != 0)
    }

    @Test("functions of a stripped program are told apart by where they begin", .needs("strip"))
    func isStripped() throws {
        let folder = try Folder()
        let program = folder.path("stripped")
        let strip = try ProgramRun(["strip", "-s", "-o", program, TestProgram.calculations.path()])
        try #require(strip.status == 0)
        let (_, samples) = try run([program, "300", "return"])
        let own = samples.samples.frames.filter { $0.module == "stripped" }
        #expect(own.count >= 3)
        #expect(own.allSatisfy { $0.function.hasPrefix("stripped+0x") })
    }

    @Test("only the name of a file is known that was replaced since it was loaded")
    func isReplaced() throws {
        let folder = try Folder()
        let program = folder.path("replaced")
        try FileManager.default.copyItem(atPath: TestProgram.calculations.path(), toPath: program)
        let script = "\"$1\" 300 return; rm \"$1\"; sleep 2; cp /bin/true \"$1\""
        let (_, samples) = try run(["/bin/sh", "-c", script, "sh", program])
        #expect(samples.count(with: "replaced") > 20)
    }
}
