internal import EventLog
import InspectorColumns

/// Matches the operations of two runs by kind and name; if there are several, also by position in the graph.
///
/// Among operations with the same kind and name, those with the same depth, and with dependencies and a
/// parent of the same kinds and names, are matched first, in the order in which they were enqueued. The
/// remaining ones are then matched in that order.
struct OperationMatching {
    struct Pair: Hashable {
        let before: Int32
        let after: Int32
    }

    /// In the order of the later log.
    let pairs: [Pair]
    /// Indices of enqueued operations of the later run that are not in the earlier one, and vice versa.
    let new: [Int32]
    let gone: [Int32]
    /// How many pairs have different positions in the graph.
    let moved: Int

    /// Linear in operations and edges: texts are compared only once, then their numbers.
    init(_ before: Trace, _ after: Trace) {
        var names = NameKeys()
        let beforeKeys = names.keys(of: before)
        let afterKeys = names.keys(of: after)
        var first = Self.members(before, beforeKeys)
        var second = Self.members(after, afterKeys)
        var pairs: [Pair] = []
        pairs.reserveCapacity(min(first.count, second.count))
        Self.match(&first, &second, &pairs) { ($0.key, $0.place) < ($1.key, $1.place) }
        let inPlace = pairs.count
        first = first.sortedByDigits(\.enqueued).sortedByDigits { Int64($0.key) }
        second = second.sortedByDigits(\.enqueued).sortedByDigits { Int64($0.key) }
        Self.match(&first, &second, &pairs) { $0.key < $1.key }
        moved = pairs.count - inPlace
        self.pairs = pairs.sortedByDigits { Int64($0.after) }
        gone = first.map(\.index).sortedByDigits { Int64($0) }
        new = second.map(\.index).sortedByDigits { Int64($0) }
    }

    private struct Member {
        let key: Int32
        /// Its position in the graph.
        let place: Int64
        let enqueued: Int64
        let index: Int32
    }

    /// Moves members that are equal in both lists to `pairs`. The lists must be sorted by this order.
    private static func match(
        _ first: inout [Member], _ second: inout [Member], _ pairs: inout [Pair],
        by areInOrder: (Member, Member) -> Bool
    ) {
        var (one, other) = (0, 0)
        var (unmatchedFirst, unmatchedSecond): ([Member], [Member]) = ([], [])
        while one < first.count, other < second.count {
            if areInOrder(first[one], second[other]) {
                unmatchedFirst.append(first[one])
                one += 1
            } else if areInOrder(second[other], first[one]) {
                unmatchedSecond.append(second[other])
                other += 1
            } else {
                pairs.append(Pair(before: first[one].index, after: second[other].index))
                one += 1
                other += 1
            }
        }
        unmatchedFirst += first[one...]
        unmatchedSecond += second[other...]
        first = unmatchedFirst
        second = unmatchedSecond
    }

    /// The enqueued operations by key, by position, and then by their enqueue.
    private static func members(_ trace: Trace, _ keys: [Int32]) -> [Member] {
        let columns = trace.operations.store.columns
        let places = GraphPlaces(trace, keys)
        return trace.operations.indices.filter(columns.enqueued.has).map { index in
            Member(
                key: keys[index], place: places[index], enqueued: columns.enqueued.notAfter(index),
                index: Int32(index))
        }.sortedByDigits(\.enqueued).sortedByDigits(\.place).sortedByDigits { Int64($0.key) }
    }
}

/// Numbers for pairs of kind and name, equal in both traces.
private struct NameKeys {
    private var texts = InternedTexts()
    private var keys: [UInt64: Int32] = [:]

    private mutating func key(of pair: UInt64) -> Int32 {
        let key = keys[pair] ?? Int32(keys.count)
        keys[pair] = key
        return key
    }

    /// By operation.
    mutating func keys(of trace: Trace) -> [Int32] {
        let store = trace.operations.store
        let kinds = store.columns.kindTexts.map { texts.number(of: store.texts[$0]) }
        let none = InternedTexts.Number.max
        var names = Array(repeating: none, count: store.texts.count)
        return trace.operations.indices.map { index in
            var name = none
            let text = store.columns.names[index]
            if text != store.columns.names.absent {
                if names[Int(text)] == none { names[Int(text)] = texts.number(of: store.texts[text]) }
                name = names[Int(text)]
            }
            let kind = kinds[Int(store.columns.kinds[index])]
            let pair = UInt64(kind) << 32 | UInt64(name)
            if let key = keys[pair] { return key }
            // The ordinals of closures can change with an edit of their function.
            if name != none, store.columns.closures[index],
                ClosureName.isGiven(name: texts[name], kind: texts[kind])
            {
                let key = key(of: UInt64(kind) << 32 | UInt64(none))
                keys[pair] = key
                return key
            }
            return key(of: pair)
        }
    }
}
