import EventLog

/// The unfinished operations of a running program, and a few finished ones.
///
/// Finished operations are forgotten, so that memory depends only on open ones. The last finished ones are
/// kept for events that come after their finish, such as the end of the body, and for rules that compare an
/// operation with others.
struct LiveOperations {
    /// How many finished operations are kept. Each has a place that its identifier determines, until another
    /// one takes the place.
    static let recentCount = 2048

    /// Unordered; a free place has the identifier 0.
    private var places: [LiveOperation] = []
    private var free: [Int32] = []
    private var placeOfID: [UInt64: Int32] = [:]
    private var recentPlaces: [LiveOperation]

    init() { recentPlaces = Array(repeating: LiveOperation(0), count: Self.recentCount) }

    /// How many unfinished operations there are, including those that are only named.
    var count: Int { placeOfID.count }

    subscript(id: UInt64) -> LiveOperation? { placeOfID[id].map { places[Int($0)] } }

    /// The unfinished operations, unordered.
    var open: some Sequence<LiveOperation> { places.lazy.filter { $0.id != 0 } }

    /// The last finished operations, unordered.
    var recent: some Sequence<LiveOperation> { recentPlaces.lazy.filter { $0.id != 0 } }

    /// Whether it is among the last to finish.
    func isRecent(_ id: UInt64) -> Bool { recentPlaces[Self.recentPlace(id)].id == id && id != 0 }

    /// Changes an existing operation, or adds it. Returns the result of `body`.
    mutating func withOperation<Result>(_ id: UInt64, _ body: (inout LiveOperation) -> Result) -> Result {
        if let place = placeOfID[id] { return body(&places[Int(place)]) }
        let place: Int
        if let last = free.popLast() {
            place = Int(last)
            places[place] = LiveOperation(id)
        } else {
            place = places.count
            places.append(LiveOperation(id))
        }
        placeOfID[id] = Int32(place)
        return body(&places[place])
    }

    /// Changes a known operation. Nil for an unknown one.
    mutating func withExisting<Result>(_ id: UInt64, _ body: (inout LiveOperation) -> Result) -> Result? {
        guard let place = placeOfID[id] else { return nil }
        return body(&places[Int(place)])
    }

    /// Changes an operation if it is among the last finished ones.
    mutating func changeRecent(_ id: UInt64, _ body: (inout LiveOperation) -> Void) {
        guard isRecent(id) else { return }
        body(&recentPlaces[Self.recentPlace(id)])
    }

    /// Removes an operation from the open ones. If it has finished, it is then among the last finished ones.
    mutating func retire(_ id: UInt64) {
        guard let place = placeOfID.removeValue(forKey: id) else { return }
        let operation = places[Int(place)]
        if operation.finished != LiveOperation.never { recentPlaces[Self.recentPlace(id)] = operation }
        places[Int(place)] = LiveOperation(0)
        free.append(place)
    }

    /// Changes all open operations.
    mutating func changeAll(_ body: (inout LiveOperation) -> Void) {
        for index in places.indices where places[index].id != 0 { body(&places[index]) }
    }

    private static func recentPlace(_ id: UInt64) -> Int { Int(truncatingIfNeeded: id) & (recentCount - 1) }
}
