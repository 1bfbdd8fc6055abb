/// An operation that has started and not finished, at one moment: what it does, as far as that is known.
package struct OpenExecution: Sendable {
    /// What its thread does in its body.
    package enum Activity: Hashable, Sendable {
        /// Without a break until now, for this many nanoseconds.
        case blocked(Int64)
        /// With breaks, for this many nanoseconds altogether.
        case mostlyBlocked(Int64)
        /// On a processor, or waiting for one, all the time.
        case calculating
    }

    /// How long other operations of its kind executed.
    package struct Usual: Hashable, Sendable {
        /// Nanoseconds.
        package let longest: Int64
        /// How many operations this is based on.
        package let count: Int

        /// With fewer operations than this, nothing is usual.
        package static let fewest = 5
        /// It takes unusually long if it takes more than this many times as long as any other.
        package static let factor: Int64 = 2

        package init(longest: Int64, count: Int) { (self.longest, self.count) = (longest, count) }
    }

    /// Nanoseconds since its start.
    package let executed: Int64
    /// Nanoseconds since its body returned; nil if it has not, or if that is not known.
    package let returned: Int64?
    package let thread: UInt64?
    /// Nil if that is not known.
    package let activity: Activity?
    /// Nil if too few of its kind have finished.
    package let usual: Usual?

    /// Whether it takes unusually long for its kind.
    package var isUnusual: Bool {
        usual.map { executed / Usual.factor > $0.longest } ?? false
    }

    /// What follows its name in a sentence: `has been blocked in its body for 1.94 s on thread 7 (11 others
    /// of its kind took at most 24.0 ms)`.
    package var predicate: String {
        let place = thread.map { " on thread \($0)" } ?? ""
        let doing =
            if let returned {
                "is still executing, \(Self.text(returned)) after its body returned"
            } else {
                switch activity {
                case .blocked(let time): "has been blocked in its body for \(Self.text(time))\(place)"
                case .mostlyBlocked(let time):
                    "is still executing, after \(Self.text(executed))\(place), blocked for "
                        + "\(Self.text(time)) of that"
                case .calculating: "has been calculating for \(Self.text(executed))\(place)"
                case nil: "is still executing, after \(Self.text(executed))\(place)"
                }
            }
        guard isUnusual, let usual else { return doing }
        return doing
            + " (\(Prose.grouped(usual.count)) others of its kind took at most \(Self.text(usual.longest)))"
    }

    private static func text(_ time: Int64) -> String { DurationFormat.text(nanoseconds: time) }
}
