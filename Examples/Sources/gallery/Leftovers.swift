import Foundation

/// Has weak references to every cell and operation that ever existed, and reports which still exist.
@MainActor
final class Leftovers {
    private struct Entry {
        weak var object: AnyObject?
        let name: String
    }

    private static let timeout = Duration.seconds(120)

    private var entries: [Entry] = []

    func add(_ object: AnyObject, _ name: String) { entries.append(Entry(object: object, name: name)) }

    /// The number of objects that were added.
    var count: Int { entries.count }

    /// The names of the objects that still exist, except `cells`. Waits for the others, because a queue keeps
    /// an operation for a moment after its finish.
    func remaining(besides cells: some Sequence<Cell>) async throws -> [String] {
        let end = ContinuousClock.now + Self.timeout
        while !names(besides: cells).isEmpty && ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(1))
        }
        return names(besides: cells)
    }

    /// The names of the objects that exist now, besides `cells`.
    private func names(besides cells: some Sequence<Cell>) -> [String] {
        let needed = Set(cells.map(ObjectIdentifier.init))
        return entries.compactMap { entry in
            entry.object.flatMap { needed.contains(ObjectIdentifier($0)) ? nil : entry.name }
        }
    }
}
