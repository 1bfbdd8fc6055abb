/// The hazards found while a program was watched: present ones, then past ones.
struct LiveHazards {
    private static let kept = 1000

    struct Entry {
        fileprivate(set) var hazard: LiveFindings.Hazard
        /// When it was last present, in nanoseconds since the start of the log.
        fileprivate(set) var time: Int64
        fileprivate(set) var isPresent = true
    }

    /// Present hazards, then the others; the newest first in each. At most the latest thousand.
    var entries: [Entry] { newest.filter(\.isPresent) + newest.filter { !$0.isPresent } }
    private(set) var count = 0
    private var newest: [Entry] = []
    private var known: Set<Place> = []

    /// Identifies a finding. Its sentence changes with time, but its subject stays.
    private struct Place: Hashable {
        let rule: String
        let operation: UInt64
        /// For a hazard without an operation.
        let summary: String

        init(_ hazard: LiveFindings.Hazard) {
            rule = hazard.rule
            operation = hazard.operation
            summary = hazard.operation == 0 ? hazard.summary : ""
        }
    }

    /// Takes the hazards at a moment. Unknown ones are new, and missing ones become past.
    mutating func take(_ hazards: [LiveFindings.Hazard], at time: Int64) {
        for index in newest.indices { newest[index].isPresent = false }
        // The first of them is the worst, and must come first.
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
