import InspectorColumns

/// How far clocks may be moved against each other: lower bounds for the differences of their shifts.
///
/// These are difference constraints, `x[to] - x[from] ≥ weight`. They can be met together if no cycle of them
/// has a positive sum. The bound that one clock puts on another is the longest path between them, found by
/// the algorithm of R. E. Bellman ("On a routing problem", 1958) and L. R. Ford (T. H. Cormen et al.,
/// "Introduction to Algorithms", section "Difference constraints and shortest paths").
struct ClockConstraints {
    struct Constraint {
        var from: Int
        var to: Int
        var weight: Int64
        /// Whether it says that an effect does not come before its cause. The other constraints say that an
        /// effect does not outlast its cause, which need not be true.
        var isCausal: Bool
        /// Index of the message that it comes from.
        var message: Int
    }

    /// For each clock, how far it is moved.
    private(set) var shifts: [Int64]
    /// For each clock that was moved, the constraint that moved it.
    private(set) var reasons: [Constraint?]
    /// 36 years: no clock is off by more.
    private static let largestShift: Int64 = 1 << 60

    private let constraints: [Constraint]
    private let outgoing: Grouping
    private let incoming: Grouping

    /// A clock, and the clock whose messages reach it first. The sender is nil for the first clock of each
    /// connected set.
    struct Place {
        let clock: Int
        let sender: Int?
    }

    /// The smallest shifts. The first clock of each connected set stays in place, and so does every other
    /// clock that can. Each other clock, in order, moves with its sender, and only as far from it as the
    /// constraints demand.
    ///
    /// Cost: at worst, the number of clocks times that of constraints; linear if no clock has to be moved.
    init(_ constraints: [Constraint], _ order: [Place]) {
        self.constraints = constraints
        outgoing = Grouping(constraints.map(\.from), groups: order.count)
        incoming = Grouping(constraints.map(\.to), groups: order.count)
        shifts = Array(repeating: 0, count: order.count)
        reasons = Array(repeating: nil, count: order.count)
        var bounds = Bounds(clocks: order.count)
        var moved: [Place] = []
        for place in order {
            let clock = place.clock
            guard bounds.least[clock] ?? 0 <= 0, bounds.most[clock] ?? 0 >= 0 else {
                moved.append(place)
                continue
            }
            settle(clock, at: 0, &bounds)
        }
        for place in moved {
            let clock = place.clock
            let wanted = place.sender.map { shifts[$0] } ?? 0
            if let least = bounds.least[clock], wanted < least {
                reasons[clock] = bounds.whyLeast[clock]
                settle(clock, at: least, &bounds)
            } else if let most = bounds.most[clock], wanted > most {
                reasons[clock] = bounds.whyMost[clock]
                settle(clock, at: most, &bounds)
            } else {
                settle(clock, at: wanted, &bounds)
            }
        }
    }

    /// For each clock, the bounds that follow from the clocks that are settled.
    private struct Bounds {
        var least: [Int64?]
        var most: [Int64?]
        var whyLeast: [Constraint?]
        var whyMost: [Constraint?]

        init(clocks: Int) {
            (least, most) = (Array(repeating: nil, count: clocks), Array(repeating: nil, count: clocks))
            (whyLeast, whyMost) = (Array(repeating: nil, count: clocks), Array(repeating: nil, count: clocks))
        }
    }

    private mutating func settle(_ clock: Int, at shift: Int64, _ bounds: inout Bounds) {
        shifts[clock] = shift
        (bounds.least[clock], bounds.most[clock]) = (shift, shift)
        spread(from: clock, &bounds.least, &bounds.whyLeast, isUpper: false)
        spread(from: clock, &bounds.most, &bounds.whyMost, isUpper: true)
    }

    /// Propagates a bound of one clock to the others.
    private func spread(
        from clock: Int, _ bounds: inout [Int64?], _ reasons: inout [Constraint?], isUpper: Bool
    ) {
        var waiting = [clock]
        var next = 0
        while next < waiting.count {
            let clock = waiting[next]
            next += 1
            guard let bound = bounds[clock] else { continue }
            for index in isUpper ? incoming[clock] : outgoing[clock] {
                let constraint = constraints[Int(index)]
                let other = isUpper ? constraint.from : constraint.to
                let new =
                    isUpper
                    ? bound.saturatingSubtract(constraint.weight) : bound.saturatingAdd(constraint.weight)
                if let known = bounds[other], isUpper ? known <= new : known >= new { continue }
                bounds[other] = new
                reasons[other] = constraint
                waiting.append(other)
            }
        }
    }

    /// The constraints on a cycle that cannot be met; nil if all can be met.
    ///
    /// Cost: linear in constraints if all can be met; at worst, the number of clocks times that of
    /// constraints.
    static func contradiction(_ constraints: [Constraint], clocks: Int) -> [Int]? {
        let outgoing = Grouping(constraints.map(\.from), groups: clocks)
        var least = [Int64](repeating: 0, count: clocks)
        var previous = [Int](repeating: -1, count: clocks)
        // A path with this many constraints contains a cycle.
        var lengths = [Int](repeating: 0, count: clocks)
        var waiting = Array(0..<clocks)
        var isWaiting = [Bool](repeating: true, count: clocks)
        var next = 0
        while next < waiting.count {
            let clock = waiting[next]
            next += 1
            isWaiting[clock] = false
            for index in outgoing[clock] {
                let constraint = constraints[Int(index)]
                let bound = least[clock] + constraint.weight
                guard bound > least[constraint.to] else { continue }
                least[constraint.to] = bound
                previous[constraint.to] = Int(index)
                lengths[constraint.to] = lengths[clock] + 1
                if lengths[constraint.to] >= clocks || bound >= largestShift {
                    return circle(before: constraint.to, previous, constraints)
                }
                if !isWaiting[constraint.to] {
                    isWaiting[constraint.to] = true
                    waiting.append(constraint.to)
                }
            }
        }
        return nil
    }

    /// Walks back far enough to reach the cycle, and once around it. If a sum overflowed without a cycle,
    /// walks back to its start.
    private static func circle(before clock: Int, _ previous: [Int], _ constraints: [Constraint]) -> [Int] {
        var clock = clock
        var path: [Int] = []
        var places: [Int: Int] = [:]
        while previous[clock] >= 0 {
            if let place = places[clock] { return Array(path[place...]) }
            places[clock] = path.count
            path.append(previous[clock])
            clock = constraints[previous[clock]].from
        }
        return path
    }
}
