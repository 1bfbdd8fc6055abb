import EventLog

/// What the flows of a Chrome trace say about its slices: which waited for which, and which started which.
struct ChromeFlows {
    /// For each slice, those that it waited for, which had ended when it began.
    private(set) var predecessors: [Int32: [Int32]] = [:]
    /// For each slice that another one started elsewhere, that slice, if it has no other parent.
    private(set) var parents: [Int32: Int32] = [:]
    private(set) var edgeCount = 0
    /// Events of flows without a slice around or after them.
    private(set) var loose = 0
    /// Steps of flows that are not dependencies: from a slice to one inside it, or to one that began before
    /// the first ended.
    private(set) var contrary = 0

    /// O(n log n) in the points.
    init(_ events: ChromeEvents, _ slices: ChromeSlices) {
        let entries = events.entries
        var points = slices.points.filter { entries[Int($0.entry)].phase != .instant }
        points.sort { first, second in
            let (a, b) = (entries[Int(first.entry)], entries[Int(second.entry)])
            return (a.group, a.time, first.entry) < (b.group, b.time, second.entry)
        }
        var last: (group: Int32, slice: Int32) = (-1, -1)
        for point in points {
            let group = entries[Int(point.entry)].group
            guard point.slice >= 0 else {
                loose += 1
                continue
            }
            if group == last.group, last.slice != point.slice {
                step(last.slice, point.slice, slices.slices)
            }
            last = (group, point.slice)
        }
    }

    private mutating func step(_ from: Int32, _ to: Int32, _ slices: [ChromeSlices.Slice]) {
        let (before, after) = (slices[Int(from)], slices[Int(to)])
        if let end = before.end, end <= after.start, from < to {
            predecessors[to, default: []].append(from)
            edgeCount += 1
        } else if from < to, after.parent < 0, parents[to] == nil {
            // Only a later slice gets a parent, so parents cannot form a cycle.
            parents[to] = from
        } else {
            contrary += 1
        }
    }
}
