/// How much of a processor a watcher may use, and so how fast it reads and how often it makes a screen.
///
/// Time on the processor is saved up at a share of the time that passes, as much as two seconds bring.
/// Reading and screens spend it. Screens come first, with a share of their own: a program that writes faster
/// than it can be read must still be seen.
struct LivePace {
    /// What is done now and then.
    enum Work {
        case screen
        /// The rules of `opviz lint`: they take longer, and what they find changes less.
        case rules
    }

    /// Of a core.
    static let share = 0.04
    /// From one time to the next at most, in nanoseconds, whatever it costs.
    private static let longestPause = 60e9
    /// Nanoseconds of processor time that are saved up at most.
    private static let largestCredit = 2e9 * share
    /// After this many looks in a row that had to stop, the rest is skipped.
    private static let patience = 4

    private var credit = largestCredit
    private var lastPassed: Int64?
    private var cut = 0
    /// When it was done last, and nanoseconds of processor time that it took.
    private var last: [Work: (at: Int64, cost: Int64)] = [:]

    /// Whether looks had to stop so often that the reader does not keep up.
    var isOverrun: Bool { cut >= Self.patience }

    /// To be called at the beginning of each look, with nanoseconds of a clock that never goes back.
    mutating func begin(at now: Int64) {
        if let lastPassed {
            credit = min(Self.largestCredit, credit + Double(max(0, now - lastPassed)) * Self.share)
        }
        lastPassed = now
    }

    /// Whether a look may go on after this many nanoseconds of processor time.
    func mayGoOn(after spent: Int64) -> Bool { Double(spent) < credit }

    mutating func noteLook(took spent: Int64, isAll: Bool) {
        credit -= Double(spent)
        cut = isAll ? 0 : cut + 1
    }

    /// What is left out need not be read.
    mutating func noteSkip() { cut = 0 }

    /// Whether there is time for this again. A screen that takes a tenth of a second, as with a hundred
    /// thousand open operations, is made every five seconds.
    func mayMake(_ work: Work, at now: Int64) -> Bool {
        guard let last = last[work] else { return true }
        let pause = min(
            max(Double(last.cost) / Self.share(of: work), Self.shortestPause(of: work)), Self.longestPause)
        return Double(now) - Double(last.at) >= pause
    }

    mutating func note(_ work: Work, at now: Int64, took spent: Int64) {
        last[work] = (now, spent)
        credit -= Double(spent)
    }

    /// Of a core: parts of ``share``.
    private static func share(of work: Work) -> Double { work == .screen ? 0.015 : 0.01 }

    private static func shortestPause(of work: Work) -> Double { work == .screen ? 0 : 2e9 }
}
