import CRecordHost
import EventLog
import Foundation

/// The stacks that were sampled in a run, and the code that its processes had loaded.
struct RecordedSamples {
    struct Mapping {
        let process: Int32
        /// Nanoseconds of the monotonic clock.
        let time: UInt64
        /// Its file is an index into `files`.
        let range: LoadedCode.Range
    }

    /// By process and time.
    private let samples: [record_sample]
    private let stacks: [record_stack]
    /// By process and time.
    private let mappings: [Mapping]
    private let files: [FunctionNames.File]
    private let programs: ProgramStarts
    private let rate: Int
    /// How many were lost, of all processes.
    private let lost: Int64
    /// Kept for all processes, because they load the same libraries.
    private let names = FunctionNames()

    /// - Parameters:
    ///   - processes: the ones whose samples to keep.
    ///   - rate: how often stacks were sampled, in a second on each processor.
    ///   - isKept: whether to keep a sample of these processes.
    init(
        _ taken: record_samples, of processes: Set<Int32>, programs: ProgramStarts, rate: Int,
        where isKept: (record_sample) -> Bool
    ) {
        self.programs = programs
        self.rate = rate
        lost = Int64(clamping: taken.lost)
        samples = UnsafeBufferPointer(start: taken.samples, count: taken.sample_count)
            .filter { processes.contains($0.process) && isKept($0) }
            .sorted { ($0.process, $0.time) < ($1.process, $1.time) }
        stacks = Array(UnsafeBufferPointer(start: taken.stacks, count: taken.stack_count))
        var files: [FunctionNames.File] = []
        var numbers: [String: Int] = [:]
        let now = DispatchTime.now().uptimeNanoseconds
        let wall = Int(Date().timeIntervalSince1970)
        mappings = UnsafeBufferPointer(start: taken.mappings, count: taken.mapping_count)
            .filter { processes.contains($0.process) }
            .map { mapping in
                let (path, buildID) = (String(cString: taken.paths + mapping.path), mapping.buildID)
                let key = path + "\0" + (buildID ?? "")
                let number = numbers[key] ?? files.count
                if number == files.count {
                    let age = Int((now - min(now, mapping.time)) / 1_000_000_000)
                    files.append(.init(path: path, buildID: buildID, loaded: wall - age))
                    numbers[key] = number
                }
                return Mapping(
                    process: mapping.process, time: mapping.time,
                    range: LoadedCode.Range(
                        start: mapping.start, end: mapping.end, offset: mapping.offset, file: number))
            }
            .sorted { ($0.process, $0.time) < ($1.process, $1.time) }
        self.files = files
    }

    /// Adds to a log what the threads of its process executed that operations ran on.
    func add(to contents: inout EventLogContents, of process: Int32) {
        guard let start = contents.header.bootClock?.monotonic else { return }
        let threads = contents.threadsOfBodies
        let program = programs.program(of: process, at: start)
        let own = samples[samples.range(of: process, by: \.process)].filter {
            $0.time >= start && program.contains($0.time) && threads.contains(UInt64($0.thread))
        }
        // How the process ended after its log is nobody's execution, and would make the trace longer.
        if !contents.header.isClosed, let last = own.last?.time {
            contents.header.lastAlive = max(contents.header.lastAlive, Int64(clamping: last - start))
        }
        let end = start.addingReportingOverflow(UInt64(max(0, contents.header.lastAlive))).partialValue
        let loaded = mappings[mappings.range(of: process, by: \.process)].filter { program.contains($0.time) }
        var code = SampledCode(stacks, files)
        code.resolve(own[..<own.partitioningIndex { $0.time > end }], loaded[...])
        code.findNames(names)
        // The program itself is loaded first.
        let file = loaded.first.flatMap {
            code.lacksFrames($0.range.file, names) ? files[$0.range.file].name : nil
        }
        let sampling = LogEvent(
            time: 0, thread: 0, .sampling(perSecond: rate, lost: lost, withoutCallers: file))
        contents.insert([sampling] + code.events(since: start))
    }
}

extension Array {
    /// The elements of a process; the list is sorted by process.
    fileprivate func range(of process: Int32, by number: (Element) -> Int32) -> Range<Int> {
        partitioningIndex { number($0) >= process }..<partitioningIndex { number($0) > process }
    }
}

extension record_mapping {
    fileprivate var buildID: String? {
        guard build_id_size > 0 else { return nil }
        return withUnsafeBytes(of: build_id) { bytes in
            bytes.prefix(Int(build_id_size)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
