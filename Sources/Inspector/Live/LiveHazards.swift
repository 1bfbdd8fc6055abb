/// What was found while a program was watched: what there is now, and before it what there was.
struct LiveHazards {
    private static let kept = 1000

    struct Entry {
        fileprivate(set) var hazard: LiveFindings.Hazard
        /// When it was there last, in nanoseconds since the start of the log.
        fileprivate(set) var time: Int64
        fileprivate(set) var isPresent = true
    }

    /// Those that are there now, then the others; of each the newest first. The latest thousand.
    var entries: [Entry] { newest.filter(\.isPresent) + newest.filter { !$0.isPresent } }
    private(set) var count = 0
    private var newest: [Entry] = []
    private var known: Set<Place> = []

    /// A finding grows older, and its sentence changes with that: what it is about stays.
    private struct Place: Hashable {
        let rule: String
        let operation: UInt64
        /// For one that is about no operation.
        let summary: String

        init(_ hazard: LiveFindings.Hazard) {
            rule = hazard.rule
            operation = hazard.operation
            summary = hazard.operation == 0 ? hazard.summary : ""
        }
    }

    /// Takes what was found at a moment: what is not known yet is new, and what is not there any more is
    /// past.
    mutating func take(_ hazards: [LiveFindings.Hazard], at time: Int64) {
        for index in newest.indices { newest[index].isPresent = false }
        // The first of them is the worst, and comes first.
        for hazard in hazards.reversed() {
            let place = Place(hazard)
            if known.insert(place).inserted {
                count += 1
                newest.insert(Entry(hazard: hazard, time: time), at: 0)
            } else if let index = newest.firstIndex(where: { Place($0.hazard) == place }) {
                newest[index] = Entry(hazard: hazard, time: time)
            }
        }
        guard newest.count > Self.kept else { return }
        // A hazard that is not shown any more may be counted again if it is found again.
        for old in newest[Self.kept...] { known.remove(Place(old.hazard)) }
        newest.removeSubrange(Self.kept...)
    }
}
