/// An operation as a holder of keys.
final class ExclusionHolder: Sendable {
    private let group = Locked<ExclusionHolder?>(nil)

    func setGroup(_ group: ExclusionHolder?) { self.group.withLock { $0 = group } }

    /// The groups around the operation, from the inside out.
    fileprivate var enclosing: [ExclusionHolder] {
        Array(sequence(first: self) { $0.group.withLock { $0 } }.dropFirst())
    }
}

/// Which operations have which keys, and which wait for them.
///
/// Each key has a line. A request joins all its lines in one step, and is granted when it is first in each of
/// them. It joins at the end; a child of a group joins ahead of requests that wait for the group. If two
/// requests meet in several lines, the same one is ahead in all of them, so requests cannot wait in a circle.
final class ExclusionLines: Sendable {
    enum Answer {
        case granted
        /// It waits. The name is that of an operation that has a key, or that comes before it.
        case waiting(for: String)
        /// It would wait for ever for the operation with this name.
        case refused(because: String)
    }

    /// A key; or, if a group has the key, the right to it among the group's children.
    fileprivate struct Right: Hashable {
        let key: ExclusionKey
        let group: ObjectIdentifier?
    }

    fileprivate final class Request: Sendable {
        let name: String
        let holder: ExclusionHolder
        /// The groups around it.
        let enclosing: [ExclusionHolder]
        let rights: [Right]
        let granted: @Sendable () -> Void

        init(
            _ name: String, _ holder: ExclusionHolder, in enclosing: [ExclusionHolder], rights: [Right],
            granted: @escaping @Sendable () -> Void
        ) {
            self.name = name
            self.holder = holder
            self.enclosing = enclosing
            self.rights = rights
            self.granted = granted
        }
    }

    fileprivate struct State {
        fileprivate var lines: [Right: [Request]] = [:]
        fileprivate var requests: [ObjectIdentifier: Request] = [:]
    }

    /// The lines of the process: keys apply across its queues.
    static let shared = ExclusionLines()

    private let state = Locked(State())

    /// Asks for `keys`.
    ///
    /// - Parameters:
    ///   - name: the operation's name, for messages of operations that wait for it.
    ///   - granted: called once if the answer is to wait, unless `leave` is called before. Called on the
    ///     thread that released the keys.
    func join(
        _ keys: Set<ExclusionKey>, as holder: ExclusionHolder, name: String,
        granted: @escaping @Sendable () -> Void
    ) -> Answer {
        let enclosing = holder.enclosing
        return state.withLock { state in
            let rights = keys.map { key in
                Right(key: key, group: state.nearest(of: enclosing, with: key).map(ObjectIdentifier.init))
            }
            let request = Request(name, holder, in: enclosing, rights: rights, granted: granted)
            let later = state.waiting(forGroups: enclosing)
            var places: [Int] = []
            var first: String?
            for right in rights {
                let line = state.lines[right] ?? []
                // A request that waits for the group cannot get the key before the group's children have
                // released it.
                let place = line.firstIndex { later.contains(ObjectIdentifier($0)) } ?? line.count
                if place == 0, let holder = line.first, state.isGranted(holder) {
                    return .refused(because: holder.name)
                }
                if place > 0, first == nil { first = line.first?.name }
                places.append(place)
            }
            for (right, place) in zip(rights, places) {
                state.lines[right, default: []].insert(request, at: place)
            }
            state.requests[ObjectIdentifier(holder)] = request
            return first.map { .waiting(for: $0) } ?? .granted
        }
    }

    /// Leaves all lines, whether or not the keys were granted. Does nothing the second time.
    func leave(_ holder: ExclusionHolder) {
        let next = state.withLock { $0.remove(holder) }
        for request in next { request.granted() }
    }

    /// Like `leave`, but only if the keys were not granted yet.
    ///
    /// - Returns: whether it left. If so, `granted` is not called any more.
    func leave(waiting holder: ExclusionHolder) -> Bool {
        let next = state.withLock { $0.isWaiting(holder) ? $0.remove(holder) : nil }
        for request in next ?? [] { request.granted() }
        return next != nil
    }
}

extension ExclusionLines.State {
    fileprivate typealias Request = ExclusionLines.Request

    fileprivate func isWaiting(_ holder: ExclusionHolder) -> Bool {
        requests[ObjectIdentifier(holder)].map { !isGranted($0) } ?? false
    }

    fileprivate func isGranted(_ request: Request) -> Bool {
        request.rights.allSatisfy { lines[$0]?.first === request }
    }

    /// The innermost of the groups that has `key`.
    fileprivate func nearest(of groups: [ExclusionHolder], with key: ExclusionKey) -> ExclusionHolder? {
        groups.first { group in
            requests[ObjectIdentifier(group)]?.rights.contains { $0.key == key } == true
        }
    }

    /// Removes `holder`, and returns the requests that are granted because of that.
    fileprivate mutating func remove(_ holder: ExclusionHolder) -> [ExclusionLines.Request] {
        guard let request = requests.removeValue(forKey: ObjectIdentifier(holder)) else { return [] }
        var next: [Request] = []
        for right in request.rights {
            guard var line = lines.removeValue(forKey: right),
                let place = line.firstIndex(where: { $0 === request })
            else { continue }
            line.remove(at: place)
            if line.isEmpty { continue }
            lines[right] = line
            // A line gets a new first request only if its first one left.
            if place == 0 { next.append(line[0]) }
        }
        // A request may be first in several lines now, but is granted once. It may also not be first in all
        // of its lines yet.
        var isNew = Set<ObjectIdentifier>()
        return next.filter { isNew.insert(ObjectIdentifier($0)).inserted && isGranted($0) }
    }

    /// The requests that cannot end before `groups` do: those that stand in line behind one of them, the
    /// groups around those, and so on. Linear in all requests and their rights.
    fileprivate func waiting(forGroups groups: [ExclusionHolder]) -> Set<ObjectIdentifier> {
        var open = groups.compactMap { requests[ObjectIdentifier($0)] }
        let own = Set(open.map { ObjectIdentifier($0) })
        var later = Set<ObjectIdentifier>()
        /// For each line, the place of each request, and the place from which on the line has been searched.
        var places: [ExclusionLines.Right: [ObjectIdentifier: Int]] = [:]
        var seen: [ExclusionLines.Right: Int] = [:]
        while let request = open.popLast() {
            for right in request.rights {
                guard let line = lines[right] else { continue }
                if places[right] == nil {
                    places[right] = Dictionary(
                        uniqueKeysWithValues: zip(line.map { ObjectIdentifier($0) }, line.indices))
                }
                let end = seen[right] ?? line.count
                guard let place = places[right]?[ObjectIdentifier(request)], place + 1 < end else { continue }
                seen[right] = place + 1
                for other in line[(place + 1)..<end]
                where later.insert(ObjectIdentifier(other)).inserted { open.append(other) }
            }
            guard !own.contains(ObjectIdentifier(request)) else { continue }
            for group in request.enclosing {
                guard let around = requests[ObjectIdentifier(group)], !own.contains(ObjectIdentifier(around)),
                    later.insert(ObjectIdentifier(around)).inserted
                else { continue }
                open.append(around)
            }
        }
        return later
    }
}
