/// How much of a processor a watcher may use, and so how fast it reads and how often it analyses.
///
/// Time on the processor is saved up at a share of the time that passes, as much as two seconds bring. Reading and
/// analysing spend it.
struct LivePace {
    /// Of a core.
    static let share = 0.04
    /// Nanoseconds of processor time that are saved up at most.
    private static let largestCredit = 2e9 * share
    /// After so many looks in a row that had to stop, what is left is left out.
    private static let patience = 4

    private var credit = largestCredit
    private var lastPassed: Int64?
    private var cut = 0

    /// Whether looks had to stop so often that the reader does not keep up.
    var isOverrun: Bool { cut >= Self.patience }

    /// To be called at the beginning of each look, with nanoseconds of a clock that never goes back.
    mutating func begin(at now: Int64) {
        if let lastPassed {
            credit = min(Self.largestCredit, credit + Double(max(0, now - lastPassed)) * Self.share)
        }
        lastPassed = now
    }

    /// Whether a look may go on that has taken so many nanoseconds of processor time.
    func mayGoOn(after spent: Int64) -> Bool { Double(spent) < credit }

    mutating func noteLook(took spent: Int64, isAll: Bool) {
        credit -= Double(spent)
        cut = isAll ? 0 : cut + 1
    }

    /// What is left out need not be read.
    mutating func noteSkip() { cut = 0 }

    /// Whether an analysis that takes so many nanoseconds can be paid for, with as much left for reading. One that costs more
    /// than can be saved up waits until all is.
    func mayAnalyse(for cost: Int64) -> Bool {
        credit > 2 * Double(cost) || credit >= Self.largestCredit
    }

    mutating func noteAnalysis(took spent: Int64) { credit -= Double(spent) }
}
