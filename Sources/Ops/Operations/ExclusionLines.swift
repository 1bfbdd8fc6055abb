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
/// There is a line for each key. A request joins all its lines at once, and is granted when it is the first in each of them.
/// Of two requests that meet in several lines, the same one is ahead in all: there is no ring of requests.
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
    ///   - granted: called once where the answer is to wait, unless `leave` is called before; on the thread of whoever made
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
            let first = rights.compactMap { state.lines[$0]?.first }.first
            if let culprit = state.ring(through: rights, backTo: enclosing) {
                return .refused(because: culprit.name)
            }
            for right in rights { state.lines[right, default: []].append(request) }
            state.requests[ObjectIdentifier(holder)] = request
            return first.map { .waiting(for: $0.name) } ?? .granted
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

    private func isGranted(_ request: Request) -> Bool {
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
        // One may have become the first in several lines, and is granted once; one may not be the first in all of its lines.
        var isNew = Set<ObjectIdentifier>()
        return next.filter { isNew.insert(ObjectIdentifier($0)).inserted && isGranted($0) }
    }

    /// Whom a new request in `groups` would wait for in vain in the lines for `rights`: one that waits itself, or has children
    /// that wait, for one of the groups. They cannot finish before the new one has. Linear in the requests in these lines,
    /// and in all that are in some group.
    fileprivate func ring(
        through rights: [ExclusionLines.Right], backTo groups: [ExclusionHolder]
    ) -> ExclusionLines.Request? {
        let groups = Set(groups.map(ObjectIdentifier.init)).intersection(requests.keys)
        guard !groups.isEmpty else { return nil }
        var children: [ObjectIdentifier: [Request]] = [:]
        for request in requests.values {
            for group in request.enclosing { children[ObjectIdentifier(group), default: []].append(request) }
        }
        /// How many of each line, from its beginning, have been looked at.
        var seen: [ExclusionLines.Right: Int] = [:]
        var open = rights.map { (right: $0, count: lines[$0]?.count ?? 0, origin: $0) }
        while let (right, count, origin) = open.popLast() {
            let start = seen[right] ?? 0
            guard count > start, let line = lines[right] else { continue }
            seen[right] = count
            for request in line[start..<count] {
                if groups.contains(ObjectIdentifier(request.holder)) { return lines[origin]?.first }
                // It finishes when those before it have, and its children.
                let others = request.rights.filter { $0 != right }.map { ($0, request) }
                let below = (children[ObjectIdentifier(request.holder)] ?? []).flatMap { child in
                    child.rights.map { ($0, child) }
                }
                for (other, waiting) in others + below {
                    let place = lines[other]?.firstIndex { $0 === waiting } ?? 0
                    open.append((other, place, origin))
                }
            }
        }
        return nil
    }
}
