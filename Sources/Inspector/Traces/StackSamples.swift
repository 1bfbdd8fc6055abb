import EventLog
import InspectorColumns

/// What the threads of a trace executed, looked at from time to time. Empty if nobody looked.
package struct StackSamples: Sendable {
    package struct Frame: Hashable, Sendable {
        package let function: String
        /// The file name of the program or library.
        package let module: String?
    }

    /// A stack: that of the caller, and a function on top of it.
    package struct Node: Sendable {
        /// Index into `nodes`, lower than the node's own; -1 for the outermost frame.
        package let parent: Int32
        /// Index into `frames`.
        package let frame: Int32
        /// How many frames it has.
        package let depth: Int32
    }

    package struct Sample: Sendable {
        package let thread: ProcessThread
        package let time: Int64
        /// Index into `nodes`: the innermost frame.
        package let stack: Int32
        package let state: LogEvent.SampledState

        /// The thread had left the processor to wait.
        package var isBlocked: Bool { state == .blocked }
    }

    /// No stack is deeper. Recorders record less.
    package static let deepest: Int32 = 1024

    package fileprivate(set) var frames: [Frame] = []
    package fileprivate(set) var nodes: [Node] = []
    /// In the order of time.
    package fileprivate(set) var samples: [Sample] = []
    /// How many samples were taken in a second on each processor; 0 if that is unknown, or differs among the
    /// processes of a merged trace.
    package fileprivate(set) var rate = 0
    /// The file of a program that was built without frame pointers, so that its functions have no callers.
    package fileprivate(set) var withoutCallers: String?
    /// How many samples were lost.
    package fileprivate(set) var lost = 0

    package var isEmpty: Bool { samples.isEmpty }

    /// The frames of a stack as indices into `frames`, the innermost first.
    package func frames(of stack: Int32) -> [Int32] {
        var (frames, node): ([Int32], Int32) = ([], stack)
        while node >= 0 {
            frames.append(nodes[Int(node)].frame)
            node = nodes[Int(node)].parent
        }
        return frames
    }
}

/// Takes the samples of any log, also of a damaged one.
struct StackSampleCollector {
    private struct StackNumber: Hashable {
        let process: Int32
        let number: Int64
    }

    private var samples = StackSamples()
    /// The nodes by their numbers in the logs of their processes.
    private var stacks: [StackNumber: Int32] = [:]
    private var frames: [StackSamples.Frame: Int32] = [:]
    private var rates: [Int32: Int] = [:]
    private var isOrdered = true
    /// How many samples are of stacks that the log does not have.
    private var damaged = 0

    mutating func addSampling(_ event: EventFields, _ texts: InternedTexts) {
        rates[event.process] = max(0, event.rate)
        samples.withoutCallers = samples.withoutCallers ?? event.name.map { texts[$0] }
        samples.lost = Int(Int64(samples.lost).saturatingAdd(event.count))
    }

    mutating func addSample(_ event: EventFields, _ state: LogEvent.SampledState) {
        guard let stack = stacks[StackNumber(process: event.process, number: event.count)] else {
            damaged += 1
            return
        }
        let time = TraceMoment.bounded(event.time)
        if let last = samples.samples.last, time < last.time { isOrdered = false }
        samples.samples.append(
            .init(
                thread: ProcessThread(process: event.process, number: event.thread), time: time,
                stack: stack, state: state))
    }

    /// The caller comes first, so that no stack contains itself. Definitions that contradict this, or an
    /// earlier one, are ignored; their samples are counted.
    mutating func addFrame(_ event: EventFields, _ texts: InternedTexts) {
        let number = StackNumber(process: event.process, number: event.count)
        guard stacks[number] == nil, samples.nodes.count < Int32.max else { return }
        var parent: Int32 = -1
        if let caller = event.caller {
            guard let node = stacks[StackNumber(process: event.process, number: caller)] else { return }
            parent = node
        }
        let depth = parent < 0 ? 1 : samples.nodes[Int(parent)].depth + 1
        guard depth <= StackSamples.deepest else { return }
        let frame = StackSamples.Frame(function: texts[event.text], module: event.name.map { texts[$0] })
        let known = frames[frame]
        if known == nil {
            frames[frame] = Int32(samples.frames.count)
            samples.frames.append(frame)
        }
        stacks[number] = Int32(samples.nodes.count)
        samples.nodes.append(
            .init(parent: parent, frame: known ?? Int32(samples.frames.count - 1), depth: depth))
    }

    consuming func finish() -> StackSamples {
        let rates = Set(rates.values)
        if rates.count == 1 { samples.rate = rates.first ?? 0 }
        // Events of one thread may be in the log after later ones of another.
        if !isOrdered {
            let order = samples.samples.indices.sorted {
                (samples.samples[$0].time, $0) < (samples.samples[$1].time, $1)
            }
            samples.samples = order.map { samples.samples[$0] }
        }
        return samples
    }

    /// What could not be used, in a sentence.
    var losses: [String] {
        var losses: [String] = []
        if samples.lost > 0 {
            losses.append(
                "up to " + Prose.counted(samples.lost, "sample of a stack was", "samples of stacks were")
                    + " lost, because opviz did not take them in time")
        }
        if damaged > 0 {
            losses.append(
                Prose.counted(
                    damaged, "sample is of a stack that the log does not have, and was left out",
                    "samples are of stacks that the log does not have, and were left out"))
        }
        return losses
    }
}

extension StackSamples {
    package static let reasonWithoutCallers = "it was built without frame pointers"
    package static let remedy = "build it with swift build, or with swiftc -Xcc -fno-omit-frame-pointer"

    /// What limits the use of the samples; nil if nothing does.
    package var note: String? {
        guard let program = withoutCallers else { return nil }
        return "functions of \(program) have no callers, because \(Self.reasonWithoutCallers); \(Self.remedy)"
    }
}
