import Dispatch
import EventLog
import Foundation
import WaitDiagnosis

/// What the threads of a process do: their stacks at one moment, at which the process stands still. Needs
/// nothing of the process, which may have been started without opviz.
package struct ThreadStacks: Sendable {
    package struct Thread: Sendable {
        /// The system's number.
        package let number: Int32
        /// As the program named it. Not safe for a terminal.
        package let name: String
        /// Whether it was on a CPU, or waited for one.
        package let isRunnable: Bool
        /// The innermost function first.
        package let frames: [StackFrame]

        package init(number: Int32, name: String, isRunnable: Bool, frames: [StackFrame]) {
            (self.number, self.name, self.isRunnable, self.frames) = (number, name, isRunnable, frames)
        }
    }

    /// The first thread of the process first.
    package let threads: [Thread]
    /// How long the process stood still, in nanoseconds.
    package let standstill: Int64

    /// The most of a stack that is copied, in bytes: also the outermost functions lie in it, unless a program
    /// calls very deep. Less if all threads together would take more than that many.
    private static let largest = 1 << 20
    private static let most = 1 << 27

    /// Stops the process, copies the stacks of its threads, and lets it go on. Blocks the calling thread.
    ///
    /// - Throws: `SearchRefusal`.
    package init(process: Int32) throws {
        self = try OwnThread.run { try ThreadStacks(stopping: process) }
    }

    private init(stopping process: Int32) throws {
        var readings: [Int32: ThreadReading] = [:]
        for number in Self.numbers(process) {
            readings[number] = ThreadReading(process: process, thread: UInt64(number), .real)
        }
        let (mappings, stopped, time) = try StoppedThreads.during(process) { threads in
            let start = DispatchTime.now().uptimeNanoseconds
            guard let mappings = MemoryMapping.all(of: process) else { throw SearchRefusal("it has ended") }
            let size = min(Self.largest, Self.most / threads.count)
            let stopped = threads.map { ($0, Self.copy($0, process, mappings, most: size)) }
            return (mappings, stopped, DispatchTime.now().uptimeNanoseconds - start)
        }
        standstill = Int64(time)
        let code = ProcessCode(process, mappings)
        let addresses = stopped.map { StackWalk(code, $1.word).frames($0).map(\.place) }
        let functions = code.functions(at: Set(addresses.joined()))
        threads = zip(stopped, addresses).map { stopped, addresses in
            let number = stopped.0.number
            let name = ProcessFile.text("/proc/\(process)/task/\(number)/comm") ?? ""
            return Thread(
                number: number, name: String(name.prefix { $0 != "\n" }),
                isRunnable: readings[number]?.isRunnable ?? false,
                frames: addresses.compactMap { functions[$0] })
        }.sorted { ($0.number != process ? 1 : 0, $0.number) < ($1.number != process ? 1 : 0, $1.number) }
    }

    private static func numbers(_ process: Int32) -> [Int32] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        return (names ?? []).compactMap { Int32($0) }
    }

    private static func copy(
        _ thread: StoppedThread, _ process: Int32, _ mappings: [MemoryMapping], most: Int
    ) -> ThreadMemory {
        let place = mappings.partitioningIndex { $0.end > thread.stackPointer }
        guard place < mappings.count, mappings[place].start <= thread.stackPointer else {
            return ThreadMemory(start: 0, bytes: [])
        }
        let size = Int(min(UInt64(most), mappings[place].end - thread.stackPointer))
        return ThreadMemory(
            start: thread.stackPointer, bytes: ProcessMemory.bytes(process, thread.stackPointer, size))
    }
}
