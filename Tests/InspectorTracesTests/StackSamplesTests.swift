import EventLog
import InspectorColumns
import InspectorTraces
import Testing

@Suite("Samples of stacks")
struct StackSamplesTests {
    private func read(_ events: [LogEvent], processes: [LogProcess] = []) -> Trace {
        var header = LogHeader(process: "app", processID: 1, host: "box", start: 5, isClosed: true)
        header.processes = processes
        return Trace(EventLogContents(header: header, events: events))
    }

    private func frame(
        _ stack: Int64, of caller: Int64? = nil, _ function: String, in module: String? = "app",
        process: Int = 0
    ) -> LogEvent {
        LogEvent(
            time: 0, thread: 0, process: process,
            .frame(stack: stack, caller: caller, function: function, module: module))
    }

    private func sample(
        _ time: Int64, _ stack: Int64, _ state: LogEvent.SampledState = .executing, process: Int = 0
    ) -> LogEvent {
        LogEvent(time: time, thread: 7, process: process, .sampled(stack: stack, state))
    }

    /// The functions of a stack, the outermost first.
    private func functions(_ samples: StackSamples, _ sample: StackSamples.Sample) -> [String] {
        samples.frames(of: sample.stack).reversed().map { samples.frames[Int($0)].function }
    }

    @Test("samples have the functions on their stacks, in the order of time")
    func stacks() {
        let trace = read([
            LogEvent(time: 0, thread: 0, .sampling(perSecond: 499, lost: 3, withoutCallers: nil)),
            frame(1, "main"), frame(2, of: 1, "resize"), frame(3, of: 1, "write", in: "libc.so.6"),
            sample(20, 3, .blocked), sample(10, 2), sample(30, 2, .inKernel),
        ])
        let samples = trace.stackSamples
        #expect(samples.samples.map(\.time) == [10, 20, 30])
        #expect(samples.samples.map(\.state) == [.executing, .blocked, .inKernel])
        #expect(
            samples.samples.map { functions(samples, $0) }
                == [["main", "resize"], ["main", "write"], ["main", "resize"]])
        #expect(samples.frames.map(\.module) == ["app", "app", "libc.so.6"])
        #expect(samples.rate == 499)
        #expect(samples.lost == 3)
        #expect(
            trace.losses == [
                "up to 3 samples of stacks were lost, because opviz did not take them in time"
            ])
    }

    @Test("samples of the processes of a merged trace each have their own stacks")
    func merged() {
        let processes = [1, 2].map { number in
            LogProcess(LogHeader(process: "app", processID: number, host: "box", start: 5, isClosed: true))
        }
        let samples = read(
            [
                LogEvent(
                    time: 0, thread: 0, process: 0, .sampling(perSecond: 499, lost: 1, withoutCallers: nil)),
                LogEvent(
                    time: 0, thread: 0, process: 1, .sampling(perSecond: 99, lost: 1, withoutCallers: nil)),
                frame(1, "first"), frame(1, "second", process: 1), sample(10, 1, process: 1), sample(20, 1),
            ], processes: processes
        ).stackSamples
        #expect(samples.samples.map { functions(samples, $0) } == [["second"], ["first"]])
        #expect(samples.samples.map(\.thread.process) == [1, 0])
        #expect(samples.rate == 0)
        #expect(samples.lost == 2)
    }

    @Test("samples are left out and counted if their stack is undefined, or would contain itself")
    func damaged() {
        let trace = read([
            frame(1, of: 1, "itself"), frame(2, of: 3, "before its caller"), frame(3, "caller"),
            frame(3, "again"), sample(10, 1), sample(20, 2), sample(30, 3), sample(40, 99), sample(50, -1),
        ])
        let samples = trace.stackSamples
        #expect(samples.samples.map { functions(samples, $0) } == [["caller"]])
        #expect(
            trace.losses == [
                "4 samples are of stacks that the log does not have, and were left out"
            ])
    }

    @Test("samples are not of stacks deeper than any recorder's")
    func deep() {
        let frames = (1...5_000).map { frame($0, of: $0 == 1 ? nil : $0 - 1, "f") }
        let samples = read(frames + [sample(10, 1_024), sample(20, 1_025), sample(30, 5_000)]).stackSamples
        #expect(samples.samples.map(\.time) == [10])
        #expect(samples.frames(of: samples.samples[0].stack).count == 1_024)
    }

    @Test("samples of a program without frame pointers have a note that names it")
    func callers() {
        func note(_ file: String?) -> String? {
            read([LogEvent(time: 0, thread: 0, .sampling(perSecond: 499, lost: 0, withoutCallers: file))])
                .stackSamples.note
        }
        #expect(note("app")?.hasPrefix("functions of app have no callers") == true)
        #expect(note(nil) == nil)
    }
}
