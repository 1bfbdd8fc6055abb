import InspectorColumns

/// What each operation does once it has a slot, piece by piece, and what it needs for that. Known only if the
/// trace says when threads were on processors.
struct ReplayPieces: Sendable {
    enum Kind: UInt8, Sendable {
        /// Before the execution: until the thread wakes up, and what it calculates then. Not scaled.
        case wakes, dispatches
        /// Needs a processor for this long.
        case calculates
        /// Other threads calculate for it for this long.
        case delegates
        /// Takes a fixed time, independent of processors: it is blocked or off thread, or unmeasured.
        case blocks, unmeasured
        /// Threads outside of operations took a processor from it for this long. To repeat that, it needs a
        /// processor for as long.
        case taken
        /// Returns its thread.
        case leavesThread
        /// Adds that operation, or waits until it has finished.
        case adds, awaits
    }

    /// The pieces of operation i are from `first[i]` up to `first[i + 1]`.
    let first: [Int]
    let kinds: [Kind]
    let values: [Int64]
    /// How many threads at once need processors, on average, by piece; one where nothing is said.
    let threadCounts: [Int: Double]
    /// What threads without operations calculate for no operation, by time.
    let background: [Background]
    /// Operations that a piece of another one adds.
    let isAdded: [Bool]
    /// The operations that wait for an operation at some piece.
    let awaiters: ReplayModel.Lists
    let threads: RecordedThreads
    /// The machine of each process.
    let hosts: [Int]
    /// The processors of each machine that the program may use.
    let processors: [Int]
    /// At most the processors: the smallest quota of CPU time of the machine's processes, as processors that
    /// are there all the time.
    let quotas: [Double]

    struct Background: Sendable {
        let time: Int64
        /// Nanoseconds on a processor.
        let work: Int64
        let machine: Int
    }

    /// Nanoseconds of all pieces of a kind, clamped to the largest number.
    func total(_ kind: Kind) -> Int64 {
        zip(kinds, values).reduce(0) { $1.0 == kind ? $0.saturatingAdd($1.1) : $0 }
    }
}
