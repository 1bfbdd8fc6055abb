/// How much processor time a watcher may use, which decides how fast it reads and how often it draws a
/// screen.
///
/// It saves up processor time as a share of elapsed time, at most that of two seconds. Reading and screens
/// spend it. Screens come first and have their own share: a program that writes faster than it can be read
/// must still be visible.
struct LivePace {
    /// Work that is done from time to time.
    enum Work {
        case screen
        /// The rules of `opviz lint`: they take longer, and their findings change less.
        case rules
    }

    /// The share of a core.
    static let share = 0.04
    /// The longest pause between two times, in nanoseconds, whatever the cost.
    private static let longestPause = 60e9
    /// The most processor time that is saved up, in nanoseconds.
    private static let largestCredit = 2e9 * share
    /// After this many looks in a row that had to stop early, the rest is skipped.
    private static let looksBeforeSkipping = 4

    private var credit = largestCredit
    private var lastPassed: Int64?
    private var cut = 0
    /// When each was last done, and the processor time that it took, in nanoseconds.
    private var last: [Work: (at: Int64, cost: Int64)] = [:]

    /// Whether looks had to stop early so often that the reader does not keep up.
    var isOverrun: Bool { cut >= Self.looksBeforeSkipping }

    /// Call this at the beginning of each look, with nanoseconds of a clock that never goes back.
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

    /// The rest was skipped, and need not be read.
    mutating func noteSkip() { cut = 0 }

    /// Whether there is time for this again. A screen that takes a tenth of a second, as with a hundred
    /// thousand open operations, is drawn every five seconds.
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

    /// The share of a core, as a part of ``share``.
    private static func share(of work: Work) -> Double { work == .screen ? 0.015 : 0.01 }

    private static func shortestPause(of work: Work) -> Double { work == .screen ? 0 : 2e9 }
}
