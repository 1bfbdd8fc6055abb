import Foundation

/// Knows every cell and every operation that there ever was, by weak references, and says which are still
/// there.
@MainActor
final class Leftovers {
    private struct Entry {
        weak var object: AnyObject?
        let name: String
    }

    private static let timeout = Duration.seconds(120)

    private var entries: [Entry] = []

    func add(_ object: AnyObject, _ name: String) { entries.append(Entry(object: object, name: name)) }

    /// How many there were.
    var count: Int { entries.count }

    /// The names of the objects that stay, besides `cells`. Waits for the others, because a queue holds an
    /// operation for a moment longer than it lasts.
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
