/// What was found while a program was watched, each thing once, the newest first.
struct LiveHazards {
    private static let kept = 1000

    /// Newest first, the latest thousand.
    private(set) var newest: [LiveFindings.Hazard] = []
    private(set) var count = 0
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

    /// Takes what was found now; what is not known yet is new.
    mutating func take(_ hazards: [LiveFindings.Hazard]) {
        for hazard in hazards {
            let place = Place(hazard)
            if !known.contains(place) {
                known.insert(place)
                count += 1
                newest.insert(hazard, at: 0)
            } else if let index = newest.firstIndex(where: { Place($0) == place }) {
                newest[index] = hazard
            }
        }
        guard newest.count > Self.kept else { return }
        // What is no longer shown may be counted again if it is found again.
        for old in newest[Self.kept...] { known.remove(Place(old)) }
        newest.removeSubrange(Self.kept...)
    }
}
