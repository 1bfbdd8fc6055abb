#if os(Linux)
    import Foundation
    @_spi(Measuring) import Ops

    /// The memory that is the recorder's own, and not the log's pages, which the system may write out and
    /// give back at any time. Measured in a process that has done nothing else.
    enum RecorderMemory {
        static let childArgument = "--measure-memory"
        private static let events = 10_000_000
        private static let operations = 100_000
        private static let limit = 16 << 10

        static func report() throws {
            let child = Process()
            let output = Pipe()
            child.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            child.arguments = [childArgument]
            child.standardOutput = output
            try child.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            child.waitUntilExit()
            let growth = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            let name = "memory of the recorder itself, 10 million events, file pages not counted"
            guard child.terminationStatus == 0, growth.count == 4 else {
                return RecordingLimits.row(
                    name, "not measured", limit: "16 MiB", holds: nil, "the child failed")
            }
            RecordingLimits.row(
                name, mebibytes(growth[0]), limit: "16 MiB", holds: growth[0] <= limit,
                "and 100,000 operations; page tables \(mebibytes(growth[2])); reserved, stack of the "
                    + "recorder's thread included: \(mebibytes(growth[1])); \(growth[3]) events "
                    + "found no room")
        }

        /// Prints, in KiB, how much anonymous memory, reserved memory and page tables grew; and how many
        /// events found no room.
        static func measure() throws {
            // What Foundation, Dispatch and malloc take once is not the recorder's.
            runOperations(OperationQueue())
            let before = try status()
            let path = NSTemporaryDirectory() + "recording-limits-\(getpid()).optrace"
            defer { unlink(path) }
            let recorder = Recorder()
            try recorder.start(writingTo: path)
            recorder.appendTransitions(events)
            runOperations(InstrumentedQueue(recorder: recorder))
            let after = try status()
            let growth = zip(after, before).map { $0 - $1 } + [Int(recorder.droppedEvents)]
            // On a busy machine a few events may have found no room: the parent says how many.
            try? recorder.stop()
            print(growth.map { "\($0)" }.joined(separator: " "))
        }

        /// A thousand at a time, so that it is not the waiting operations that are measured.
        private static func runOperations(_ queue: OperationQueue) {
            for _ in 0..<operations / 1_000 {
                for _ in 0..<1_000 { queue.addOperation {} }
                queue.waitUntilAllOperationsAreFinished()
            }
        }

        private static func status() throws -> [Int] {
            let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(
                separator: "\n")
            return ["RssAnon:", "VmData:", "VmPTE:"].map { name in
                let line = lines.first { $0.hasPrefix(name) }
                return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
            }
        }

        private static func mebibytes(_ kibibytes: Int) -> String {
            String(format: "%.1f MiB", Double(kibibytes) / 1_024)
        }
    }
#endif
