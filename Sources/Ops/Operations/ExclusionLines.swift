/// An operation, as the keys know it.
final class ExclusionHolder: Sendable {
    private let group = Locked<ExclusionHolder?>(nil)

    func setGroup(_ group: ExclusionHolder?) { self.group.withLock { $0 = group } }

    /// The groups around the operation, from the inside out.
    fileprivate var enclosing: [ExclusionHolder] {
        Array(sequence(first: self) { $0.group.withLock { $0 } }.dropFirst())
    }
}

/// Who has which key, and who waits for it.
///
/// There is a line for each key. A request joins all its lines at once, and is granted when it is the first
/// in each of them. It joins at their ends; a child of a group, before those that wait for the group. Of two
/// requests that meet in several lines, the same one is ahead in all, so requests cannot wait in a circle.
final class ExclusionLines: Sendable {
    enum Answer {
        case granted
        /// Waits; the name is that of one that has a key, or comes before it.
        case waiting(for: String)
        /// Would wait for ever for the one with this name.
        case refused(because: String)
    }

    /// A key; or, where a group has the key, the right to it among the group's children.
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

    /// Of the process: keys hold across its queues.
    static let shared = ExclusionLines()

    private let state = Locked(State())

    /// Asks for `keys`.
    ///
    /// - Parameters:
    ///   - name: of the operation, for those that wait for it.
    ///   - granted: called once where the answer is to wait, unless `leave` is called before; on the thread
    ///     of whoever made
    ///     room.
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
                // Who waits for the group cannot have the key before the group's children have let go of it.
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

    /// Leaves all lines, whether the keys were granted or not. Does nothing the second time.
    func leave(_ holder: ExclusionHolder) {
        let next = state.withLock { $0.remove(holder) }
        for request in next { request.granted() }
    }

    /// As `leave`, where the keys were not granted yet.
    ///
    /// - Returns: whether they were not: `granted` is not called any more.
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

    /// Takes `holder` out, and gives those that are granted their keys by that.
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
            // Only where the first has gone is there another first.
            if place == 0 { next.append(line[0]) }
        }
        // One may have become the first in several lines, and is granted once; one may not be the first in
        // all of its lines.
        var isNew = Set<ObjectIdentifier>()
        return next.filter { isNew.insert(ObjectIdentifier($0)).inserted && isGranted($0) }
    }

    /// The requests that cannot be over before `groups` are: what stands in line behind one of them, and the
    /// groups around that, and what stands behind those. Linear in all requests and their rights.
    fileprivate func waiting(forGroups groups: [ExclusionHolder]) -> Set<ObjectIdentifier> {
        var open = groups.compactMap { requests[ObjectIdentifier($0)] }
        let own = Set(open.map { ObjectIdentifier($0) })
        var later = Set<ObjectIdentifier>()
        /// Of each line, who stands where, and from where on it has been looked at.
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
