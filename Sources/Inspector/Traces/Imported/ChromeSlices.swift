import EventLog
import InspectorColumns

/// The slices of a Chrome trace, from one time to another, and how they are nested.
struct ChromeSlices {
    struct Slice {
        var name: InternedTexts.Number
        var detail: InternedTexts.Number?
        /// Index into the events' tracks: the track on which it began.
        var track: Int32
        /// The category of an asynchronous slice. Such slices may overlap with others on their thread.
        var category: InternedTexts.Number?
        var start: Int64
        /// Nil if its end is not in the trace.
        var end: Int64?
        /// Index of the slice around it, which comes before it.
        var parent: Int32 = -1
        fileprivate var group: Int32 = -1
    }

    /// Sorted by start; slices that start together are sorted longest first.
    private(set) var slices: [Slice] = []
    /// For each entry that is a flow or an instant, in their order: the slice around it, or for the end of a
    /// flow, the next slice.
    private(set) var points: [(entry: Int32, slice: Int32)] = []
    /// Ends of slices that never began.
    private(set) var endsAlone = 0
    /// Slices that began inside another on their track, and ended after it. Only their order is known.
    private(set) var overlapping = 0

    /// O(n log n) in the events.
    init(_ events: ChromeEvents) {
        let entries = events.entries
        // Some programs write a slice when it ends. Slices at the same time are in the order of the file.
        let order = entries.indices.sorted { (entries[$0].time, $0) < (entries[$1].time, $1) }
        collect(entries, order, events)
        slices.sort { ($0.start, -$0.length, $0.track) < ($1.start, -$1.length, $1.track) }
        nest(tracks: events.tracks.count, groups: events.groupCount)
        place(entries, order, tracks: events.tracks.count)
    }

    private mutating func collect(
        _ entries: [ChromeEvents.Entry], _ order: [Int], _ events: ChromeEvents
    ) {
        // Slices that have begun, the innermost last.
        var open = [[Int32]](repeating: [], count: events.tracks.count)
        var openAsync = [[Int32]](repeating: [], count: events.groupCount)
        for index in order {
            let entry = entries[index]
            switch entry.phase {
            case .slice:
                append(entry, end: entry.duration.map { entry.time.saturatingAdd($0) })
            case .begin:
                open[Int(entry.track)].append(Int32(slices.count))
                append(entry, end: nil)
            case .end: finish(open[Int(entry.track)].popLast(), entry)
            case .asyncBegin:
                openAsync[Int(entry.group)].append(Int32(slices.count))
                append(entry, end: nil)
            case .asyncEnd: finish(openAsync[Int(entry.group)].popLast(), entry)
            case .flow, .flowEnd, .instant: break
            }
        }
    }

    private mutating func append(_ entry: ChromeEvents.Entry, end: Int64?) {
        let isAsync = entry.phase == .asyncBegin
        slices.append(
            Slice(
                name: entry.name, detail: entry.detail, track: entry.track,
                category: isAsync ? entry.category : nil, start: entry.time, end: end,
                group: isAsync ? entry.group : -1))
    }

    private mutating func finish(_ slice: Int32?, _ entry: ChromeEvents.Entry) {
        guard let slice else {
            endsAlone += 1
            return
        }
        slices[Int(slice)].end = entry.time
        // A program may state the name only at the end.
        if slices[Int(slice)].name == InternedTexts.empty { slices[Int(slice)].name = entry.name }
    }

    // MARK: Nesting

    private mutating func nest(tracks: Int, groups: Int) {
        var open = [[Int32]](repeating: [], count: tracks)
        var openAsync = [[Int32]](repeating: [], count: groups)
        for index in slices.indices {
            let slice = slices[index]
            let parent =
                slice.category == nil
                ? push(index, &open[Int(slice.track)]) : push(index, &openAsync[Int(slice.group)])
            slices[index].parent = parent
        }
    }

    /// Pushes the slice onto the stack, and returns the slice around it.
    private mutating func push(_ index: Int, _ stack: inout [Int32]) -> Int32 {
        let slice = slices[index]
        var isOverlapping = false
        while let top = stack.last {
            let around = slices[Int(top)]
            if around.lastMoment >= slice.lastMoment && around.covers(slice.start) { break }
            if around.covers(slice.start) && around.lastMoment > slice.start { isOverlapping = true }
            stack.removeLast()
        }
        if isOverlapping { overlapping += 1 }
        defer { stack.append(Int32(index)) }
        return stack.last ?? -1
    }

    // MARK: Flows and instants

    private mutating func place(_ entries: [ChromeEvents.Entry], _ order: [Int], tracks: Int) {
        var open = [[Int32]](repeating: [], count: tracks)
        /// For each track, ends of flows before the next slice.
        var pending = [[Int32]](repeating: [], count: tracks)
        var next = 0
        for index in order {
            let entry = entries[index]
            guard entry.phase == .flow || entry.phase == .flowEnd || entry.phase == .instant else { continue }
            while next < slices.count, slices[next].start <= entry.time {
                begin(Int32(next), &open, &pending)
                next += 1
            }
            let track = Int(entry.track)
            while let top = open[track].last, slices[Int(top)].lastMoment < entry.time {
                open[track].removeLast()
            }
            let around = open[track].last
            let isNext = entry.phase == .flowEnd && !entry.isEnclosed
            if isNext, around.map({ slices[Int($0)].start }) != entry.time {
                pending[track].append(Int32(index))
            } else {
                points.append((Int32(index), around ?? -1))
            }
        }
        while next < slices.count {
            begin(Int32(next), &open, &pending)
            next += 1
        }
        for entry in pending.joined() { points.append((entry, -1)) }
    }

    private mutating func begin(_ slice: Int32, _ open: inout [[Int32]], _ pending: inout [[Int32]]) {
        guard slices[Int(slice)].category == nil else { return }
        let track = Int(slices[Int(slice)].track)
        for entry in pending[track] { points.append((entry, slice)) }
        pending[track].removeAll(keepingCapacity: true)
        while let top = open[track].last, slices[Int(top)].lastMoment < slices[Int(slice)].start {
            open[track].removeLast()
        }
        open[track].append(slice)
    }
}

extension ChromeSlices.Slice {
    /// Nanoseconds; the largest number if it has no end.
    fileprivate var length: Int64 { end.map { $0.saturatingSubtract(start) } ?? .max }

    fileprivate var lastMoment: Int64 { end ?? .max }

    /// Whether something that begins at `moment` begins inside. If it begins exactly at the end, it comes
    /// after.
    fileprivate func covers(_ moment: Int64) -> Bool {
        start <= moment && (moment < lastMoment || start == lastMoment)
    }
}

extension Int64 {
    /// Clamps at the smallest and the largest number.
    func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < other ? .min : .max) : difference
    }
}
