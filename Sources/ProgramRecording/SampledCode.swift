import CRecordHost
import EventLog

/// The functions on the sampled stacks of one process: from addresses to events of a log.
struct SampledCode {
    /// Where the code of a stack's innermost function is. The same address means other code after another
    /// library was loaded there, and an address to which a call returns is that of the next instruction.
    private struct Address: Hashable {
        let stack: UInt32
        let replacements: Int
        let isReturn: Bool
    }

    private struct Place {
        let file: Int
        let offset: UInt64
    }

    private struct Frame: Hashable {
        let caller: Int64
        let function: String
        let file: Int?
    }

    private let stacks: [record_stack]
    private let files: [FunctionNames.File]
    private var samples: [(record_sample, Address)] = []
    /// No code is at the addresses with the value nil.
    private var places: [Address: Place?] = [:]
    private var functions: [[UInt64: String]] = []

    init(_ stacks: [record_stack], _ files: [FunctionNames.File]) {
        self.stacks = stacks
        self.files = files
    }

    /// Finds the places of the code in files. Samples and mappings are of one process, by time.
    mutating func resolve(
        _ samples: ArraySlice<record_sample>, _ mappings: ArraySlice<RecordedSamples.Mapping>
    ) {
        var code = LoadedCode()
        var mappings = mappings
        for sample in samples {
            while let next = mappings.first, next.time <= sample.time {
                code.load(next.range)
                mappings = mappings.dropFirst()
            }
            let innermost = Address(
                stack: sample.stack, replacements: code.replacements, isReturn: sample.state != .executing)
            self.samples.append((sample, innermost))
            var next: Address? = innermost
            while let address = next, places[address] == nil {
                let value = stacks[Int(address.stack)].address &- (address.isReturn ? 1 : 0)
                places[address] = .some(code.place(of: value).map { Place(file: $0.file, offset: $0.offset) })
                next = caller(of: address)
            }
        }
    }

    private func caller(of address: Address) -> Address? {
        let caller = stacks[Int(address.stack)].caller
        guard caller != address.stack else { return nil }
        return Address(stack: caller, replacements: address.replacements, isReturn: true)
    }

    private func place(of address: Address) -> Place? { places[address] ?? nil }

    mutating func findNames(_ names: FunctionNames) {
        var offsets = [Set<UInt64>](repeating: [], count: files.count)
        for case .some(let place) in places.values { offsets[place.file].insert(place.offset) }
        functions = zip(files, offsets).map { $1.isEmpty ? [:] : names.names(at: $1, in: $0) }
    }

    /// Whether most samples in the program's own file are in functions that set up no frame.
    ///
    /// - Parameter program: the number of the file.
    func lacksFrames(_ program: Int, _ names: FunctionNames) -> Bool {
        var counts: [UInt64: Int] = [:]
        for case (let sample, var address) in samples where sample.state == .executing {
            while place(of: address)?.file != program, let next = caller(of: address) { address = next }
            if let place = place(of: address), place.file == program { counts[place.offset, default: 0] += 1 }
        }
        let without = names.withoutFrames(Set(counts.keys), in: files[program])
        let all = counts.values.reduce(0, +)
        return all >= Self.fewest
            && counts.reduce(0) { $0 + (without.contains($1.key) ? $1.value : 0) } * 2 > all
    }

    /// How many samples it takes to judge a program.
    private static let fewest = 20

    /// The samples, each after the frames of its stack that no earlier sample has.
    func events(since start: UInt64) -> [LogEvent] {
        var events: [LogEvent] = []
        var numbers: [Address: Int64] = [:]
        var frames: [Frame: Int64] = [:]
        for (sample, innermost) in samples {
            let time = Int64(clamping: sample.time - start)
            // From the outermost function that a chain of callers leads to, without a gap. What comes before
            // a gap is not an address: the program was built without frame pointers.
            var chain: [Address] = []
            var next: Address? = innermost
            var number: Int64 = 0
            while let address = next, chain.isEmpty || place(of: address) != nil {
                if let known = numbers[address] {
                    number = known
                    break
                }
                chain.append(address)
                next = caller(of: address)
            }
            for address in chain.reversed() {
                let place = place(of: address)
                let frame = Frame(
                    caller: number, function: place.map(function) ?? "unknown code", file: place?.file)
                number = frames[frame] ?? Int64(frames.count + 1)
                if frames[frame] == nil {
                    frames[frame] = number
                    events.append(
                        LogEvent(
                            time: time, thread: 0,
                            .frame(
                                stack: number, caller: frame.caller == 0 ? nil : frame.caller,
                                function: frame.function, module: frame.file.map { files[$0].name })))
                }
                numbers[address] = number
            }
            events.append(
                LogEvent(
                    time: time, thread: UInt64(sample.thread),
                    .sampled(stack: number, sample.state.logged)))
        }
        return events
    }

    private func function(_ place: Place) -> String {
        functions[place.file][place.offset] ?? files[place.file].name
    }
}

extension record_sample_state {
    fileprivate var logged: LogEvent.SampledState {
        switch self {
        case .executing: .executing
        case .inKernel: .inKernel
        case .blocked: .blocked
        }
    }
}
