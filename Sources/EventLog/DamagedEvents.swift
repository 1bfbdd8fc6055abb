/// Events of a known type that lack a required value, and were left out.
package struct DamagedEvents: Sendable {
    package private(set) var count = 0
    /// The position of the first one in the file, and what it lacks: `queue`.
    private var first: (offset: Int, lack: String)?

    package init() {}

    package mutating func add(at offset: Int, without lack: String) {
        count += 1
        if first.map({ offset < $0.offset }) ?? true { first = (offset, lack) }
    }

    package mutating func add(_ other: DamagedEvents) {
        count += other.count
        guard let theirs = other.first else { return }
        if first.map({ theirs.offset < $0.offset }) ?? true { first = theirs }
    }

    /// Nil without any damaged event.
    package var loss: String? {
        first.map { first in
            Prose.counted(count, "event is damaged and was", "events are damaged and were")
                + " left out, the first at byte \(Prose.grouped(first.offset)): it has no \(first.lack)"
        }
    }
}
