import EventLog
import Foundation
import Testing

@testable import ProgramRecording
@testable import opviz

/// A run that this process records with its context switches.
struct SwitchedRun {
    struct Stretch {
        let thread: UInt64
        /// Nanoseconds of the monotonic clock, as for all times here.
        let start: Int64
        let end: Int64
        let departure: LogEvent.Departure
    }

    struct Body {
        let name: String
        let thread: UInt64
        let start: Int64
        let end: Int64
        /// As the thread itself was told.
        let used: Int64
    }

    struct Process {
        let number: Int32
        let contents: EventLogContents
        var start: Int64 { Int64(contents.header.bootClock?.monotonic ?? 0) }

        var stretches: [Stretch] {
            contents.events.compactMap { event in
                guard case .leftCPU(let length, let departure) = event.body else { return nil }
                return Stretch(
                    thread: event.thread, start: start + event.time - length, end: start + event.time,
                    departure: departure)
            }
        }

        /// How long the thread was on processors between two times.
        func used(by thread: UInt64, from: Int64, to: Int64) -> Int64 {
            stretches.lazy.filter { $0.thread == thread }
                .reduce(0) { $0 + max(0, min($1.end, to) - max($1.start, from)) }
        }
    }

    let output: String
    let ending: RecordableProgram.Ending
    /// In the order of their arrival.
    let processes: [Process]
    let refusal: String?
    /// How often records were lost; nil if none were asked for.
    let losses: Int?

    /// What opviz says of the records.
    let note: String?

    init(
        _ command: [String], processorTimes: ProcessorSource = .switches, sampleRate: Int? = nil,
        limit: String? = nil, kernelMemory: Int? = nil
    ) throws {
        let folder = try Folder()
        try folder.write("", to: "output")
        let output = open(folder.path("output"), O_WRONLY | O_CLOEXEC)
        defer { close(output) }
        let host = try RecordHost(
            limit: limit, processorTimes: processorTimes, sampleRate: sampleRate, kernelMemory: kernelMemory
        ) { Issue.record("\($0)") }
        ending = try RecordableProgram(command).run(environment: host.environment(), output: output) {
            host.serve(until: $0)
        }
        SignalForwarding.end()
        let recorded = host.finish(ending)
        refusal = recorded.records.reasonForClocks
        losses = recorded.records.switches?.gaps.count
        note = recorded.records.note
        processes = recorded.logs.map { Process(number: $0.process, contents: $1) }
        self.output = try String(decoding: folder.read("output"), as: UTF8.self)
    }

    /// What the program `Executions` printed of the bodies of one process.
    func bodies(of process: Process) throws -> [Body] {
        var (names, threads): ([OperationID: String], [String: UInt64]) = ([:], [:])
        for event in process.contents.events {
            switch event.body {
            case .enqueued(let enqueue): names[enqueue.operation] = enqueue.name
            case .executing(let operation): names[operation].map { threads[$0] = event.thread }
            default: break
            }
        }
        return try output.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            let name = words.prefix(2).joined(separator: " ")
            let numbers = words.dropFirst(2).compactMap { Int64($0) }
            try #require(numbers.count == 4)
            guard numbers[0] == process.number else { return nil }
            let thread = try #require(threads[name])
            return Body(name: name, thread: thread, start: numbers[1], end: numbers[2], used: numbers[3])
        }
    }

    /// Whether this system allows it.
    static let isPossible = RecordedRun.isPossible && (try? KernelRecorder()) != nil
}

extension Trait where Self == ConditionTrait {
    static var needsSwitches: Self {
        .enabled(if: SwitchedRun.isPossible, "the system refuses records of context switches")
    }
}
