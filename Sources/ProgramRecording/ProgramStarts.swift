import CRecordHost

/// When the processes of a run began to run a program. A process can run several, one after the other.
struct ProgramStarts {
    /// By process, ascending.
    private let times: [Int32: [UInt64]]

    init(_ switches: some Sequence<record_switch>) {
        times = Dictionary(grouping: switches.lazy.filter(\.isBeginning), by: \.process)
            .mapValues { $0.map(\.time).sorted() }
    }

    /// How long the process ran the program that it ran at a time.
    func program(of process: Int32, at time: UInt64) -> Range<UInt64> {
        let times = times[process] ?? []
        let start = times.last { $0 <= time } ?? 0
        return start..<max(start, times.first { $0 > time } ?? .max)
    }
}

extension record_switch {
    /// Nanoseconds of the monotonic clock.
    var time: UInt64 {
        get { time_and_kind >> 3 }
        set { time_and_kind = newValue << 3 | time_and_kind & 7 }
    }

    var kind: record_switch_kind? { record_switch_kind(rawValue: time_and_kind & 7) }

    /// Whether the process began here, or another program in it.
    fileprivate var isBeginning: Bool { kind == .program || kind == .forked }
}
