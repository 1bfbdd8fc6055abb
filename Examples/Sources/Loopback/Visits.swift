/// Counts the requests to a server, and lets others wait for one.
public actor Visits<Place: Hashable & Sendable> {
    private var counts: [Place: Int] = [:]
    private var waiting: [Place: [CheckedContinuation<Void, Never>]] = [:]

    public init() {}

    /// Called by the server.
    ///
    /// - Returns: how many requests there have been for this place.
    @discardableResult
    public func add(_ place: Place) -> Int {
        counts[place, default: 0] += 1
        for continuation in waiting.removeValue(forKey: place) ?? [] { continuation.resume() }
        return count(of: place)
    }

    public func count(of place: Place) -> Int { counts[place, default: 0] }

    /// Returns when there has been a request for this place.
    public func first(of place: Place) async {
        guard counts[place] == nil else { return }
        await withCheckedContinuation { waiting[place, default: []].append($0) }
    }
}
