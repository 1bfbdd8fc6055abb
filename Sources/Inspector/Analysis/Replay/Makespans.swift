import InspectorText

/// Times of replays, in nanoseconds, and how makespans compare: those of a recorded run and of replays of it.
package enum Makespans {
    /// How much longer the second is; negative if it is shorter. A fraction of the first.
    package static func change(from first: Int64, to second: Int64) -> Double {
        first == 0 ? 0 : Double(second - first) / Double(first)
    }

    /// The recorded makespan times the ratio of two replays: with changes, and without.
    static func predicted(_ changed: Int64, without unchanged: Int64, recorded: Int64) -> Int64 {
        guard unchanged > 0 else { return changed }
        let time = Double(changed) / Double(unchanged) * Double(recorded)
        return TraceMoment.bounded(Int64(rounding: time))
    }

    /// A length that a scenario changes, to the nearest nanosecond.
    static func scaled(_ time: Int64, by factor: Double) -> Int64 {
        factor == 1 ? time : TraceMoment.bounded(Int64(rounding: Double(time) * factor))
    }
}
